"""Sets of Slurm workers, one for each pool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pulumi

from penstock.addons.slurm.block import DETECTED
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components import whole_node


def node_set(
    pool: PoolNodes,
    *,
    image: Mapping[str, pulumi.Input[str]],
    claims: Mapping[str, str],
) -> dict[str, Any]:
    """A worker for each node of a pool, with all that the node has, in a partition of the pool's name.

    A pool of a fixed number has a worker wherever a node is; one with bounds has as many as may be, and the autoscaler
    starts a node for each: workers hold their nodes whether jobs run or not.
    """
    fixed = pool.nodes.min == pool.nodes.max
    kind = f"{(pool.accelerator or '').partition('-')[0]}:" if pool.accelerator else ""
    gres = {"Gres": [f"gpu:{kind}{pool.accelerators}"]} if pool.resource in DETECTED else {}
    return {
        "scalingMode": "DaemonSet" if fixed else "StatefulSet",
        "replicas": pool.nodes.max,
        "slurmd": {
            "image": dict(image),
            "resources": _resources(pool),
            "volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}, *mounts(claims)],  # noqa: S108
        },
        # The chart takes the newest image of another registry here; this one is on the node already.
        "logfile": {"image": dict(image), "resources": SMALL},
        **({"extraConfMap": gres} if gres else {}),
        **({"metadata": {"annotations": dict(pool.pod_annotations)}} if pool.pod_annotations else {}),
        "partition": {"enabled": True, "configMap": {"State": "UP", "MaxTime": "UNLIMITED"}},
        "podSpec": {
            "nodeSelector": {"kubernetes.io/os": "linux", **pool.selector},
            "tolerations": whole_node.tolerations(pool),
            **({"runtimeClassName": pool.runtime_class} if pool.runtime_class is not None else {}),
            "volumes": [_shared_memory(pool), *volumes(claims)],
        },
    }


SMALL = {"requests": {"cpu": "50m", "memory": "64Mi"}, "limits": {"cpu": "500m", "memory": "128Mi"}}
"""For containers that only copy a log."""


def mounts(claims: Mapping[str, str]) -> list[dict[str, Any]]:
    """Where containers mount claims."""
    return [{"name": f"claim-{index}", "mountPath": path} for index, path in enumerate(claims.values())]


def volumes(claims: Mapping[str, str]) -> list[dict[str, Any]]:
    """The volumes of claims, in the order of `mounts`."""
    return [
        {"name": f"claim-{index}", "persistentVolumeClaim": {"claimName": claim}} for index, claim in enumerate(claims)
    ]


def _resources(pool: PoolNodes) -> dict[str, Any]:
    """All of a node; where nobody says what that is, its devices, and Slurm sees for itself what there is."""
    if pool.vcpu is not None and pool.memory_gib is not None:
        return whole_node.resources(pool)
    devices = whole_node.devices(pool)
    return {"requests": {"cpu": "1", "memory": "4Gi", **devices}, "limits": devices}


def _shared_memory(pool: PoolNodes) -> dict[str, Any]:
    bound = {"sizeLimit": f"{max(1, whole_node.memory_gib(pool) // 2)}Gi"} if pool.memory_gib is not None else {}
    return {"name": "shm", "emptyDir": {"medium": "Memory", **bound}}
