"""The pools that need the GPU Operator."""

from __future__ import annotations

from penstock.description.addon_conditions import advertised, installed
from penstock.description.nodes import PoolNodes
from penstock.description.platform import Spec


def holds(spec: Spec, pools: tuple[PoolNodes, ...]) -> bool:
    """NVIDIA GPUs whose software the GPU Operator installs, which the cluster lacks."""
    return advertised(pools, "nvidia.com/gpu", "operator") and not installed(spec) & {"gpu-operator", "nvidia"}
