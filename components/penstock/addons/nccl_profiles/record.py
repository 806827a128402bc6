"""The record of NCCL profiles."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(
    name="nccl-profiles",
    place=100,
    component="NcclProfiles",
    providers=("aws", "azure", "kubernetes"),
)
