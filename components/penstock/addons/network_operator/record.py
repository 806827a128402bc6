"""The record of NVIDIA's network operator."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(
    name="network-operator", place=40, component="NetworkOperator", providers=("azure", "kubernetes")
)
