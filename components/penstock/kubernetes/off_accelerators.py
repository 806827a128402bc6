"""Where pods run that need no accelerator."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from penstock.spec.nodes import PoolNodes

_MOST_WEIGHT = 100


def off_accelerators(pools: Iterable[PoolNodes]) -> dict[str, Any]:
    """An affinity to nodes outside of pools with accelerators; empty where there are no such pools.

    Their taints keep other pods away where the pools have any. On a cluster that exists they may have none, or there
    may be no other nodes: so it is a wish.
    """
    avoided = [
        {"key": key, "operator": "NotIn", "values": [value]}
        for pool in pools
        if pool.accelerators
        for key, value in pool.selector.items()
    ]
    if not avoided:
        return {}
    preferred = {"weight": _MOST_WEIGHT, "preference": {"matchExpressions": avoided}}
    return {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [preferred]}}
