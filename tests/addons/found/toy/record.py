"""The record of the toy add-on."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="toy", place=500, block="ToySpec", component="Toy", needs=("cert-manager",))
