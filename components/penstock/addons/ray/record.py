"""The record of Ray."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="ray", place=140, block="RaySpec", component="Ray")
