"""The record of compute domains."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(
    name="compute-domains",
    place=90,
    component="domains_of_pools",
    after=("gpu-operator", "nvidia-device-plugin"),
    providers=("aws", "azure", "kubernetes"),
)
