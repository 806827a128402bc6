"""The gate of a pool: a job on its nodes that fails where they do less than they should."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from penstock.kubernetes import claim_templates
from penstock.kubernetes.claim_templates import claim_template
from penstock.kubernetes.health import floors
from penstock.kubernetes.in_cluster import InCluster
from penstock.kubernetes.observability.series import has_nvidia
from penstock.spec.nodes import PoolNodes

IMAGE = "nvcr.io/nvidia/pytorch:25.06-py3"
SCRIPT = "smoke_test.py"
NAMESPACE, SCRIPTS = "kube-system", "smoke-test"
"""The namespace of those who look after nodes: locking memory, which fabrics need, is too much for one of a team."""

_PORT = 29500
MEMORY_GIB, SHM_GIB = 6, 2
"""For each accelerator: what the smallest machines with one can spare."""

_HUGE_PAGES = "5120Mi"
"""What libfabric reserves for 32 interfaces of EFA, in pages of 2 MiB."""

_FABRIC_ENV = {
    # AWS documentation, NCCL on EKS; without the last, libfabric forbids the forks of data loaders.
    "efa": {"FI_PROVIDER": "efa", "FI_EFA_USE_DEVICE_RDMA": "1", "FI_EFA_FORK_SAFE": "1"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeTest:
    """The test of a pool: all-reduces of a large message, and a short training by all accelerators together.

    Attributes:
        nodes: how many are tested together.
        floor_gbs: the least bus bandwidth of the all-reduce in GB/s; None where only its end is expected.
        image: with PyTorch and the libraries of the fabric.
    """

    pool: PoolNodes
    nodes: int
    floor_gbs: float | None
    image: str

    @property
    def name(self) -> str:
        """Of the job and its service."""
        return f"smoke-{self.pool.pool}"

    def manifests(self) -> list[dict[str, Any]]:
        """Templates of what its pods claim, a service by which the nodes find the first of them, and the job."""
        meta = {"name": self.name, "namespace": NAMESPACE}
        service = {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": meta,
            "spec": {
                "clusterIP": "None",
                "publishNotReadyAddresses": True,
                "selector": {"batch.kubernetes.io/job-name": self.name},
            },
        }
        job = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": meta,
            "spec": {
                "completionMode": "Indexed",
                "completions": self.nodes,
                "parallelism": self.nodes,
                "backoffLimit": 0,
                "activeDeadlineSeconds": 1800,
                "ttlSecondsAfterFinished": 86400,
                "template": {"spec": self._pod()},
            },
        }
        named = self._templates()
        templates = [
            claim_template(claim, name=named[claim.name], namespace=NAMESPACE)
            for claim in self.pool.claims
            if claim.name in named
        ]
        return [*templates, service, job]

    def _pod(self) -> dict[str, Any]:
        pool = self.pool
        volumes: list[dict[str, Any]] = [
            {"name": "script", "configMap": {"name": SCRIPTS}},
            {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": f"{SHM_GIB * pool.accelerators}Gi"}},
        ]
        mounts = [{"name": "script", "mountPath": "/smoke"}, {"name": "shm", "mountPath": "/dev/shm"}]  # noqa: S108
        templates = self._templates()
        devices = {name: str(count) for name, count in self._devices().items() if name in pool.requested}
        memory = f"{MEMORY_GIB * pool.accelerators}Gi"
        huge = {"hugepages-2Mi": _HUGE_PAGES} if self.nodes > 1 and pool.fabric == "efa" else {}
        # Memory of GPUs is pinned for the fabric, which needs the right to lock memory.
        rights = {"add": ["IPC_LOCK"], "drop": ["ALL"]} if self.nodes > 1 else {"drop": ["ALL"]}
        container = {
            "name": "smoke",
            "image": self.image,
            "command": self._command(),
            "env": [{"name": name, "value": value} for name, value in self.env().items()],
            "resources": {
                "requests": {"cpu": str(pool.accelerators), "memory": memory, **devices, **huge},
                "limits": {"memory": memory, **devices, **huge},
                **claim_templates.of_container(templates),
            },
            "securityContext": {
                "allowPrivilegeEscalation": False,
                "capabilities": rights,
                "seccompProfile": {"type": "RuntimeDefault"},
            },
            "volumeMounts": mounts,
        }
        return {
            "subdomain": self.name,
            "restartPolicy": "Never",
            "automountServiceAccountToken": False,
            "nodeSelector": dict(pool.selector),
            "tolerations": [
                {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
                for taint in pool.taints
            ],
            **({"runtimeClassName": pool.runtime_class} if pool.runtime_class is not None else {}),
            **claim_templates.of_pod(templates),
            "containers": [container],
            "volumes": volumes,
        }

    def _devices(self) -> dict[str, int]:
        pool = self.pool
        found = {pool.resource: pool.accelerators} if pool.resource is not None else {}
        if self.nodes > 1 and pool.fabric_resource is not None:
            found[pool.fabric_resource] = pool.fabric_devices
        return found

    def _templates(self) -> dict[str, str]:
        """The templates of the devices that its pods claim, by what the pods call them."""
        used = self._devices()
        return {claim.name: f"{self.name}-{claim.name}" for claim in self.pool.claims if claim.resource in used}

    def _command(self) -> list[str]:
        first = f"{self.name}-0.{self.name}"
        return [
            "torchrun",
            f"--nnodes={self.nodes}",
            f"--nproc-per-node={self.pool.accelerators}",
            "--node-rank=$(JOB_COMPLETION_INDEX)",
            f"--master-addr={first if self.nodes > 1 else 'localhost'}",
            f"--master-port={_PORT}",
            f"/smoke/{SCRIPT}",
        ]

    def env(self) -> dict[str, str]:
        """The variables of the fabric, where several nodes use it, and the floor."""
        env = dict(_FABRIC_ENV.get(self.pool.fabric or "", {})) if self.nodes > 1 else {}
        if self.floor_gbs is not None:
            env["FLOOR_GBS"] = str(self.floor_gbs)
        return env


def smoke_tests(cluster: InCluster, line_rate_gbps: float | None) -> list[SmokeTest]:
    """The test of each pool with GPUs of NVIDIA; `line_rate_gbps` is what the description says of its fabric.

    Workers of Slurm hold whole nodes: a test of theirs would wait for good.
    """
    return [_smoke_test(pool, cluster, line_rate_gbps) for pool in cluster.open_pools if has_nvidia(pool)]


def script() -> str:
    """What the job runs: no module of this package, because it runs in an image with PyTorch."""
    return (Path(__file__).parent / f"{SCRIPT}.txt").read_text(encoding="utf-8")


def _smoke_test(pool: PoolNodes, cluster: InCluster, described: float | None) -> SmokeTest:
    nodes = floors.gate_nodes(pool)
    rate = floors.line_rate_gbps(pool, cluster.provider, described)
    return SmokeTest(pool=pool, nodes=nodes, floor_gbs=floors.bus_bandwidth_floor_gbs(rate, nodes), image=IMAGE)
