"""The record of AMD's device plugin."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="amd-device-plugin", place=70, component="AmdDevicePlugin", providers=("kubernetes",))
