"""The gate of a pool: a job on its nodes that fails where they do less than they should."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from penstock.addons.health import floors
from penstock.addons.observability.series import has_nvidia
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components.claim_templates import claim_manifests, template_names
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.job_images import pytorch_image
from penstock.kubernetes.components.job_pods import FINISHED_TTL_S, PodParts, pod_template

SCRIPT = "smoke_test.py"
NAMESPACE, SCRIPTS = "kube-system", "smoke-test"
"""The namespace of those who look after nodes: locking memory, which fabrics need, is too much for one of a team."""

_PORT = 29500


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeTest:
    """The test of a pool: all-reduces of a large message, and a short training by all accelerators together.

    Its pods are those of jobs: with the same image, variables, devices and rights, so that jobs work where it passes.

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
                "ttlSecondsAfterFinished": FINISHED_TTL_S,
                "template": self._template(),
            },
        }
        return [*claim_manifests(self.name, NAMESPACE, self.pool.claims), service, job]

    def _template(self) -> dict[str, Any]:
        parts = PodParts(
            image=self.image,
            command=self._command(),
            env=floor_variable(self.floor_gbs),
            claims=template_names(self.name, self.pool.claims),
        )
        template = pod_template(self.pool, parts)
        pod = template["spec"]
        pod["subdomain"] = self.name
        pod["volumes"].append({"name": "script", "configMap": {"name": SCRIPTS}})
        pod["containers"][0]["volumeMounts"].append({"name": "script", "mountPath": "/smoke"})
        return template

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


def floor_variable(floor_gbs: float | None) -> dict[str, str]:
    """The variable by which the test knows the least bus bandwidth."""
    return {"FLOOR_GBS": str(floor_gbs)} if floor_gbs is not None else {}


def smoke_tests(cluster: InCluster, line_rate_gbps: float | None) -> list[SmokeTest]:
    """The test of each pool with GPUs of NVIDIA; `line_rate_gbps` is what the description says of its fabric.

    Workers of Slurm hold whole nodes: a test of theirs would wait for good.
    """
    return [
        _smoke_test(pool, image, cluster, line_rate_gbps)
        for pool in cluster.open_pools
        if has_nvidia(pool) and (image := pytorch_image(pool)) is not None
    ]


def script() -> str:
    """What the job runs: no module of this package, because it runs in an image with PyTorch."""
    return (Path(__file__).parent / f"{SCRIPT}.txt").read_text(encoding="utf-8")


def _smoke_test(pool: PoolNodes, image: str, cluster: InCluster, described: float | None) -> SmokeTest:
    nodes = floors.gate_nodes(pool)
    rate = floors.line_rate_gbps(pool, cluster.provider, described)
    return SmokeTest(pool=pool, nodes=nodes, floor_gbs=floors.bus_bandwidth_floor_gbs(rate, nodes), image=image)
