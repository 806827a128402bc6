"""The record of security."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(
    name="security", place=220, block="SecuritySpec", component="Security", after=("prometheus-crds",)
)
