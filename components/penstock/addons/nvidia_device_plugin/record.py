"""The record of NVIDIA's device plugin."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(
    name="nvidia-device-plugin",
    place=60,
    component="plugin_for_pools",
    providers=("azure", "kubernetes"),
)
