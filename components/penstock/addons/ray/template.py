"""Templates of Ray clusters and jobs for the nodes of a pool."""

from __future__ import annotations

from typing import Any

import pulumi

from penstock.description.addons import AddonsSpec
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components import whole_node
from penstock.kubernetes.components.job_images import needs_annotation
from penstock.kubernetes.components.job_pods import PodParts, capabilities, pod_template
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.components.system_nodes import without_accelerators
from penstock.kubernetes.facts import workload_images

_API = "ray.io/v1"

_USER = 1000
"""Of Ray's images."""

_KEPT = {"cluster-autoscaler.kubernetes.io/safe-to-evict": "false", "karpenter.sh/do-not-disrupt": "true"}
"""What keeps autoscalers from a node while its pod runs: an actor that moves loses its state."""

_SHARED = "shared-memory"
_QUEUE = "default"
"""The queue of a team in its namespace."""


def has_template(pool: PoolNodes) -> bool:
    """Return whether Ray's workers take nodes of a pool: a TPU slice takes a webhook that is not installed."""
    return pool.accelerators > 0 and pool.accelerator_kind != "tpu"


def cluster(
    pool: PoolNodes, *, image: str | None, addons: AddonsSpec, mirror: pulumi.Input[str] | None = None
) -> dict[str, Any]:
    """A RayCluster with a head beside the accelerators and workers that take whole nodes of the pool."""
    return {
        "apiVersion": _API,
        "kind": "RayCluster",
        "metadata": {"name": f"ray-{pool.pool}", "labels": _queued(addons), **_annotations(pool)},
        "spec": _cluster(pool, image, addons, mirror),
    }


def job(
    pool: PoolNodes, *, image: str | None, addons: AddonsSpec, mirror: pulumi.Input[str] | None = None
) -> dict[str, Any]:
    """A RayJob that shows what its cluster has, and leaves nothing behind."""
    return {
        "apiVersion": _API,
        "kind": "RayJob",
        "metadata": {"generateName": f"ray-{pool.pool}-", "labels": _queued(addons), **_annotations(pool)},
        "spec": {
            "entrypoint": 'python -c "import ray; ray.init(); print(ray.cluster_resources())"',
            "shutdownAfterJobFinishes": True,
            "ttlSecondsAfterFinished": 300,
            "rayClusterSpec": _cluster(pool, image, addons, mirror),
        },
    }


def _cluster(
    pool: PoolNodes, image: str | None, addons: AddonsSpec, mirror: pulumi.Input[str] | None
) -> dict[str, Any]:
    known = workload_images.find_image("ray")
    runs = image if image is not None else from_mirror(known.reference, mirror)
    # Kueue admits a cluster as a whole, and refuses one that changes its size by itself.
    scales = pool.nodes.min < pool.nodes.max and not addons.has("queueing")
    return {
        **({"rayVersion": known.version} if image is None else {}),
        **({"enableInTreeAutoscaling": True} if scales else {}),
        "headGroupSpec": {
            # The head only coordinates: it would take work that belongs on nodes with accelerators.
            "rayStartParams": {"num-cpus": "0", "dashboard-host": "0.0.0.0"},  # noqa: S104 - the operator asks there
            "template": {"metadata": {"annotations": _KEPT}, "spec": _head(pool, runs, scales=scales)},
        },
        "workerGroupSpecs": [
            {
                "groupName": pool.pool,
                "replicas": 0 if scales else 1,
                "minReplicas": 0 if scales else 1,
                "maxReplicas": pool.nodes.max if scales else 1,
                "rayStartParams": {},
                "template": _worker(pool, runs),
            }
        ],
    }


def _head(pool: PoolNodes, image: pulumi.Input[str], *, scales: bool) -> dict[str, Any]:
    size = {"cpu": "2", "memory": "8Gi"}
    affinity = without_accelerators([pool])
    return {
        **_pod(),
        # Ray's autoscaler runs beside the head, and asks the API server for workers.
        "automountServiceAccountToken": scales,
        **({"affinity": affinity} if affinity else {}),
        "containers": [_container("ray-head", image, {"requests": size, "limits": size})],
        "volumes": [_shared_memory(2)],
    }


def _worker(pool: PoolNodes, image: pulumi.Input[str]) -> dict[str, Any]:
    """The template of a worker: all that a pod of a job has to use the accelerators and the fabric of a whole node."""
    found = pod_template(pool, PodParts(image=image, annotations=_KEPT))
    pod = found["spec"]
    pod["containers"][0]["name"] = "ray-worker"
    del pod["restartPolicy"]  # the operator's to say
    # What locks memory for adapters is root: capabilities that are added reach no other user.
    pod["securityContext"] |= {"runAsUser": 0} if capabilities(pool) else {"runAsNonRoot": True, "runAsUser": _USER}
    # Ray keeps objects there, three tenths of the memory by default; NCCL needs some of it, too.
    pod["volumes"][0] = _shared_memory(max(1, whole_node.memory_gib(pool) // 2))
    return found


def _pod() -> dict[str, Any]:
    return {
        "automountServiceAccountToken": False,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": _USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }


def _container(name: str, image: pulumi.Input[str], resources: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "image": image,
        "resources": resources,
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [{"name": _SHARED, "mountPath": "/dev/shm"}],  # noqa: S108 - where NCCL and Ray look
    }


def _shared_memory(gib: int) -> dict[str, Any]:
    return {"name": _SHARED, "emptyDir": {"medium": "Memory", "sizeLimit": f"{gib}Gi"}}


def _annotations(pool: PoolNodes) -> dict[str, Any]:
    found = needs_annotation(pool)
    return {"annotations": found} if found else {}


def _queued(addons: AddonsSpec) -> dict[str, str]:
    return {} if not addons.has("queueing") else {"kueue.x-k8s.io/queue-name": _QUEUE}
