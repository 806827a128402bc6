"""The test that each new node passes before it takes work: a pod on every node with the startup taint."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from penstock.addons.health import floors, smoke, storage
from penstock.addons.health.node_check_account import ACCOUNT
from penstock.description.node_pool import Taint
from penstock.description.nodes import PoolNodes
from penstock.description.nodes.claims import DeviceClaim
from penstock.description.nodes.startup import UNCHECKED
from penstock.kubernetes.components import claim_templates
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.job_images import pytorch_image
from penstock.kubernetes.components.release import EVERYWHERE

SCRIPT, SCRIPTS = "check_node.py", "node-check"
"""What the pod runs, and the ConfigMap that has it."""

_STATE = "/state"
_MEMORY_GIB, _SHM_GIB = 6, 2
"""For each accelerator: what the smallest machines with one can spare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeCheck:
    """The daemon set of a pool, whose pods are on nodes that nobody has tested, and only there.

    A pod requests all GPUs of its node, or claims them, so that it starts once they are offered, and no sooner.

    Attributes:
        taint: what keeps work off these nodes.
        floor_gbs: the least bus bandwidth of an all-reduce between the GPUs of one node in GB/s; None where only its
            end is expected.
        image: the image of the pool's jobs, which its nodes need anyway.
    """

    pool: PoolNodes
    taint: Taint
    floor_gbs: float | None
    image: str

    @property
    def name(self) -> str:
        """Of the daemon set."""
        return f"node-check-{self.pool.pool}"

    @property
    def claim(self) -> DeviceClaim | None:
        """The claim on all GPUs of a node; None where pods request them."""
        return next((each for each in self.pool.claims if each.resource == self.pool.resource), None)

    def pod(self, image: Any, storage_image: Any) -> dict[str, Any]:
        """The pod, with PyTorch from one image and fio from another."""
        pool = self.pool
        gpus = {str(pool.resource): str(pool.accelerators)} if self.claim is None else {}
        templates = {self.claim.name: self.name} if self.claim is not None else {}
        memory = f"{_MEMORY_GIB * pool.accelerators}Gi"
        env = {"GPUS": str(pool.accelerators), "TAINT": self.taint.key, **smoke.floor_variable(self.floor_gbs)}
        check = {
            "name": "check",
            "image": image,
            "command": ["python", f"/check/{SCRIPT}"],
            "env": [
                {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
                *({"name": name, "value": value} for name, value in env.items()),
            ],
            "resources": {
                "requests": {"cpu": str(pool.accelerators), "memory": memory, **gpus},
                "limits": {"memory": memory, **gpus},
                **claim_templates.of_container(templates),
            },
            "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
            "volumeMounts": [
                {"name": "scripts", "mountPath": "/check"},
                {"name": "state", "mountPath": _STATE},
                {"name": "shm", "mountPath": "/dev/shm"},  # noqa: S108 - memory, by which processes pass data
            ],
        }
        disks, cache = self._disks(storage_image)
        return {
            "serviceAccountName": ACCOUNT,
            "terminationGracePeriodSeconds": 5,
            "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
            "nodeSelector": {**pool.selector, UNCHECKED: "true"},
            "tolerations": EVERYWHERE,
            **({"runtimeClassName": pool.runtime_class} if pool.runtime_class is not None else {}),
            **claim_templates.of_pod(templates),
            **({"initContainers": disks} if disks else {}),
            "containers": [check],
            "volumes": [
                {"name": "scripts", "configMap": {"name": SCRIPTS}},
                {"name": "state", "emptyDir": {}},
                {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": f"{_SHM_GIB * pool.accelerators}Gi"}},
                *cache,
            ],
        }

    def _disks(self, image: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The container that tests local NVMe before, and its volume; none where nodes have none."""
        if self.pool.cache_gib is None:
            return [], []
        least = {storage.CACHE: floors.LOCAL_DISK_MBPS}
        tests = storage.container(image, least, {storage.CACHE: "local--cache", _STATE: "state"})
        # A container that fails would run again until it passes: what it found is for the next one to read.
        *shell, script = tests["command"]
        noted = f"( {script} ) || echo 'local NVMe is slow or broken' > {_STATE}/failed"
        return [{**tests, "command": [*shell, noted]}], [
            {"name": "local--cache", "emptyDir": {"sizeLimit": storage.CACHE_ROOM}}
        ]


def node_checks(cluster: InCluster) -> list[NodeCheck]:
    """The test of each pool whose new nodes have the startup taint."""
    return [
        NodeCheck(pool=pool, taint=pool.startup_taint, floor_gbs=floors.node_bandwidth_floor_gbs(pool), image=image)
        for pool in cluster.pools
        if pool.startup_taint is not None and (image := pytorch_image(pool)) is not None
    ]


def script() -> str:
    """What the container with PyTorch runs: no module of this package, because it runs in an image of others."""
    return (Path(__file__).parent / f"{SCRIPT}.txt").read_text(encoding="utf-8")
