"""The record of NVIDIA's device plugin."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import Addon

ADDON: Final = Addon(
    name="nvidia-device-plugin",
    place=60,
    component="plugin_for_pools",
    providers=("azure", "kubernetes"),
)
