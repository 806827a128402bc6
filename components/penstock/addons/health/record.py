"""The record of health."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(
    name="health", place=200, block="HealthSpec", component="Health", after=("prometheus-crds",)
)
