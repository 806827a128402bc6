"""What a pod requests that takes a whole node of a pool."""

from __future__ import annotations

from typing import Any

from penstock.catalog import limits
from penstock.description.nodes import PoolNodes

_LEFT = 0.85
"""The share of a node that its kubelet and agents leave to pods."""

_CPU_EACH, _GIB_EACH = 4, 16
"""For each accelerator where nobody says what a node has: little enough for any machine that carries one."""


def cpu(pool: PoolNodes) -> int:
    """The processors that such a pod requests."""
    return max(1, int(pool.vcpu * _LEFT)) if pool.vcpu is not None else _CPU_EACH * max(1, pool.accelerators)


def memory_gib(pool: PoolNodes) -> int:
    """The memory that such a pod requests, in GiB, beside huge pages."""
    if pool.memory_gib is None:
        return _GIB_EACH * max(1, pool.accelerators)
    return max(1, int(pool.memory_gib * _LEFT) - _huge_mib(pool) // 1024)


def devices(pool: PoolNodes) -> dict[str, str]:
    """Its accelerators and devices of the fabric, with the huge pages that EFA takes."""
    found = {resource: str(count) for resource, count in pool.requested.items()}
    return found | ({"hugepages-2Mi": f"{_huge_mib(pool)}Mi"} if pool.fabric == "efa" else {})


def resources(pool: PoolNodes) -> dict[str, dict[str, str]]:
    """Requests and limits, which are the same: Kubernetes counts devices and huge pages in no other way."""
    whole = {"cpu": str(cpu(pool)), "memory": f"{memory_gib(pool)}Gi", **devices(pool)}
    return {"requests": whole, "limits": whole}


def tolerations(pool: PoolNodes) -> list[dict[str, Any]]:
    """Tolerations of the pool's taints, and of no others."""
    return [
        {
            "key": taint.key,
            "effect": taint.effect,
            **({"operator": "Equal", "value": taint.value} if taint.value else {"operator": "Exists"}),
        }
        for taint in pool.taints
    ]


def _huge_mib(pool: PoolNodes) -> int:
    return 2 * limits.find_limit("efa_huge_pages", "aws").most if pool.fabric == "efa" else 0
