"""The record of cost."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="cost", place=210, block="CostSpec", component="OpenCost", needs=("observability",))
