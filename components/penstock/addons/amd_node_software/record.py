"""The record of what AMD GPUs need on nodes."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(
    name="amd-node-software",
    place=80,
    component="AmdNodeSoftware",
    after=("network-operator",),
    providers=("azure",),
)
