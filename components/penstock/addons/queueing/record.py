"""The record of queueing."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(
    name="queueing", place=130, block="QueueingSpec", component="Queueing", after=("training", "ray")
)
