"""Where the add-ons' own pods run: beside accelerators only where there is nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.description.nodes import PoolNodes

_STRONGLY = 100


def without_accelerators(pools: Sequence[PoolNodes]) -> dict[str, Any]:
    """The affinity of nodes that keeps pods off pools with accelerators while others have room, as a value of a chart.

    Taints do it where a pool has them, as on every cloud; on clusters that exist, nobody says that accelerators are
    tainted.
    """
    away = [
        {
            "weight": _STRONGLY,
            "preference": {"matchExpressions": [{"key": key, "operator": "NotIn", "values": [value]}]},
        }
        for pool in pools
        if pool.resource is not None and not pool.taints
        for key, value in sorted(pool.selector.items())
    ]
    return {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": away}} if away else {}


def on_pools(pools: Sequence[PoolNodes]) -> dict[str, Any]:
    """The node affinity that binds pods to some pools, as a value of a chart."""
    terms = [
        {
            "matchExpressions": [
                {"key": key, "operator": "In", "values": [value]} for key, value in sorted(pool.selector.items())
            ]
        }
        for pool in pools
    ]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
