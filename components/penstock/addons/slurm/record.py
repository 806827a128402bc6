"""The record of Slurm."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import Addon

ADDON: Final = Addon(name="slurm", place=150, block="SlurmSpec", component="Slurm", needs=("cert-manager",))
