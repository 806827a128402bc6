"""The record of Slurm."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="slurm", place=150, block="SlurmSpec", component="Slurm", needs=("cert-manager",))
