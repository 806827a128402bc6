"""The storage test of a pool: a job on its nodes that fails where storage is slower than described."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from penstock.addons.health import floors
from penstock.description.nodes import PoolNodes
from penstock.description.storage import BucketSpec, DatabaseSpec, StorageSpec
from penstock.kubernetes.components import whole_node
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.job_pods import FINISHED_TTL_S
from penstock.kubernetes.facts.workload_images import find_image

NAMESPACE = "default"
"""Where every file system of a description has a claim."""

CACHE = "/mnt/cache"
"""Where jobs have the local NVMe of their node."""

CACHE_ROOM = "20Gi"
"""What the test writes there, and some more."""

BOUNDS: Mapping[str, Mapping[str, str]] = {
    "requests": {"cpu": "1", "memory": "1Gi"},
    "limits": {"memory": "1Gi"},
}

_MOST_NODES = 4
_SCRIPT = "storage-check.sh"


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageTest:
    """The test of a pool: each node writes and reads all file systems, and its local NVMe.

    Attributes:
        nodes: how many do so at once.
        floors: by directory, the least that each node reaches in MB/s; 0 where only the end is expected.
        claims: the claims of file systems, by directory.
        image: with fio.
    """

    pool: PoolNodes
    nodes: int
    floors: Mapping[str, int]
    claims: Mapping[str, str]
    image: str

    @property
    def name(self) -> str:
        """Of the job."""
        return f"storage-{self.pool.pool}"

    def manifests(self) -> list[dict[str, Any]]:
        """The job."""
        return [
            {
                "apiVersion": "batch/v1",
                "kind": "Job",
                "metadata": {"name": self.name, "namespace": NAMESPACE},
                "spec": {
                    "completionMode": "Indexed",
                    "completions": self.nodes,
                    "parallelism": self.nodes,
                    "backoffLimit": 0,
                    "activeDeadlineSeconds": 1800,
                    "ttlSecondsAfterFinished": FINISHED_TTL_S,
                    "template": {"spec": self._pod()},
                },
            }
        ]

    def _pod(self) -> dict[str, Any]:
        cache = [{"name": "local--cache", "emptyDir": {"sizeLimit": CACHE_ROOM}}] if CACHE in self.floors else []
        claims = [
            {"name": claim, "persistentVolumeClaim": {"claimName": claim}} for claim in sorted(self.claims.values())
        ]
        one_each = {
            "labelSelector": {"matchLabels": {"batch.kubernetes.io/job-name": self.name}},
            "topologyKey": "kubernetes.io/hostname",
        }
        volumes = {**self.claims, **({CACHE: "local--cache"} if cache else {})}
        return {
            "restartPolicy": "Never",
            "automountServiceAccountToken": False,
            "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
            "nodeSelector": dict(self.pool.selector),
            "tolerations": whole_node.tolerations(self.pool),
            "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [one_each]}},
            "containers": [container(self.image, self.floors, volumes)],
            "volumes": [*cache, *claims],
        }


def container(image: Any, least: Mapping[str, int], volumes: Mapping[str, str]) -> dict[str, Any]:
    """The container that writes and reads the directories of `least`; `volumes` are the pod's, by directory."""
    return {
        "name": "storage",
        "image": image,
        "command": ["/bin/sh", "-c", script()],
        "env": [{"name": "TARGETS", "value": "\n".join(f"{path} {floor}" for path, floor in least.items())}],
        "resources": BOUNDS,
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [{"name": name, "mountPath": path} for path, name in volumes.items()],
    }


def storage_tests(cluster: InCluster) -> list[StorageTest]:
    """The test of each pool with accelerators whose nodes have local NVMe, or mount file systems."""
    tests = (_storage_test(pool, cluster.storage) for pool in cluster.accelerated)
    return [each for each in tests if each.floors]


def script() -> str:
    """What the container runs, with a shell and fio."""
    return (Path(__file__).parent / _SCRIPT).read_text(encoding="utf-8")


def image() -> str:
    """The public image with fio, as pods name it."""
    return find_image("fio").reference


def _storage_test(pool: PoolNodes, storage: tuple[StorageSpec, ...]) -> StorageTest:
    nodes = min(_MOST_NODES, pool.nodes.max)
    files = [item for item in storage if not isinstance(item, BucketSpec | DatabaseSpec)]
    least = {f"/storage/{item.name}": floors.storage_floor_mbps(item, nodes) or 0 for item in files}
    if pool.cache_gib is not None:
        least[CACHE] = floors.LOCAL_DISK_MBPS
    claims = {f"/storage/{item.name}": item.name for item in files}
    return StorageTest(pool=pool, nodes=nodes, floors=least, claims=claims, image=image())
