"""The pools that need NVIDIA's device plugin."""

from __future__ import annotations

from penstock.description.addon_conditions import advertised, installed
from penstock.description.nodes import PoolNodes
from penstock.description.platform import Spec


def holds(spec: Spec, pools: tuple[PoolNodes, ...]) -> bool:
    """NVIDIA GPUs whose nodes lack nothing but a device plugin."""
    return advertised(pools, "nvidia.com/gpu", "plugin") and not installed(spec) & {"gpu-operator", "nvidia"}
