"""The record of the GPU Operator."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(
    name="gpu-operator",
    place=50,
    component="GpuOperator",
    after=("network-operator",),
    providers=("azure", "kubernetes"),
)
