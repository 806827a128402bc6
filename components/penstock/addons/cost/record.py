"""The record of cost."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import Addon

ADDON: Final = Addon(name="cost", place=210, block="CostSpec", component="OpenCost", needs=("observability",))
