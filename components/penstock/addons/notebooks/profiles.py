"""The choices that a person has when a notebook starts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components import whole_node

PLAIN = {"cpu_guarantee": 1, "cpu_limit": 4, "mem_guarantee": "2G", "mem_limit": "8G"}


def profiles(pools: Iterable[PoolNodes]) -> list[dict[str, Any]]:
    """A plain server, which is the default, and one for each kind of device that pods may request of a pool."""
    plain = {
        "display_name": "Without accelerator",
        "slug": "plain",
        "default": True,
        "kubespawner_override": dict(PLAIN),
    }
    return [plain, *(_with(pool, resource) for pool in pools for resource in _devices(pool))]


def _devices(pool: PoolNodes) -> list[str]:
    """The accelerators of a pool and slices of them; the fabric is for jobs of many nodes."""
    return [resource for resource in pool.devices if pool.accelerators and resource != pool.fabric_resource]


def _with(pool: PoolNodes, resource: str) -> dict[str, Any]:
    # A pod gets all TPU chips of its node, or none (GKE documentation, TPUs in GKE).
    count = pool.devices[resource] if pool.accelerator_kind == "tpu" else 1
    share = count / pool.devices[resource]
    override: dict[str, Any] = {
        **PLAIN,
        **_size(pool, share),
        "extra_resource_limits": {resource: str(count)},
        "extra_resource_guarantees": {resource: str(count)},
        "node_selector": dict(pool.selector),
        "tolerations": whole_node.tolerations(pool),
    }
    if pool.runtime_class is not None:
        override["extra_pod_config"] = {"runtimeClassName": pool.runtime_class}
    return {
        "display_name": f"{count} × {pool.accelerator or resource} ({resource.rpartition('/')[2]}), pool {pool.pool}",
        "slug": f"{pool.pool}-{resource.rpartition('/')[2].replace('.', '-')}",
        "kubespawner_override": override,
    }


def _size(pool: PoolNodes, share: float) -> dict[str, Any]:
    """The part of a node that belongs to the devices, so that as many servers fit as there are devices."""
    cpu, gib = int(whole_node.cpu(pool) * share), int(whole_node.memory_gib(pool) * share)
    if cpu < 1 or gib < 1:
        return {}
    return {
        "cpu_guarantee": cpu,
        "cpu_limit": cpu,
        "mem_guarantee": f"{gib}G",
        "mem_limit": f"{gib}G",
    }
