"""The pools that need AMD's device plugin."""

from __future__ import annotations

from penstock.description.addon_conditions import advertised, installed
from penstock.description.nodes import PoolNodes
from penstock.description.platform import Spec


def holds(spec: Spec, pools: tuple[PoolNodes, ...]) -> bool:
    """AMD GPUs whose nodes lack nothing but a device plugin."""
    return advertised(pools, "amd.com/gpu", "plugin") and "amd" not in installed(spec)
