"""The record of training."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="training", place=120, block="TrainingSpec", component="Training", needs=("jobset",))
