"""Kubeflow Trainer: training jobs that name a runtime, and runtimes that know the machines."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.training.block import TrainingSpec
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.job_images import needs_annotation, pytorch_image
from penstock.kubernetes.components.job_pods import FINISHED_TTL_S, PodParts, pod_template
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.components.monitored import controllers_to_monitoring
from penstock.kubernetes.components.namespace import Namespace, PortOpening
from penstock.kubernetes.components.release import release
from penstock.kubernetes.components.system_nodes import without_accelerators

API = "trainer.kubeflow.org/v1alpha1"
LABELS = {"trainer.kubeflow.org/framework": "torch"}
"""Of a runtime, by which the trainer's clients know for what it is."""

MOST_RESTARTS = 10
"""How often a job starts again after a failure; what preemption ends does not count."""

_CHART, _NAMESPACE = "kubeflow-trainer", "kubeflow-system"
_WEBHOOK = 9443


def runtime_name(nodes: PoolNodes) -> str:
    """The name of the runtime for PyTorch on a pool."""
    return f"torch-{nodes.pool}"


def has_runtime(nodes: PoolNodes) -> bool:
    """Return whether PyTorch trains on the accelerators of a pool in a public image, and pods request them.

    What pods claim comes from a template in their own namespace, which no runtime of the cluster brings.
    """
    trains = (
        nodes.accelerator_kind in ("gpu", "neuron") and nodes.processes > 0 and pytorch_image(nodes.share) is not None
    )
    return trains and nodes.resource in nodes.requested


class Training(pulumi.ComponentResource):
    """The trainer, and a `ClusterTrainingRuntime` torch-POOL for each pool of GPUs, Trainium or Inferentia2.

    A `TrainJob` names the runtime and how many nodes; selectors, tolerations, devices, huge pages, the fabric's
    variables, and how often it restarts come from the runtime. `offers` are the names of the runtimes by pool.
    """

    offers: Mapping[str, pulumi.Input[str]]

    def __init__(
        self, name: str, spec: TrainingSpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install both."""
        super().__init__("penstock:kubernetes:Training", name, spec.inputs(), opts)
        child = pulumi.ResourceOptions(parent=self)
        namespace = Namespace(
            name,
            namespace=_NAMESPACE,
            pod_security="restricted",
            openings=[PortOpening(port=_WEBHOOK), *controllers_to_monitoring(cluster, _NAMESPACE)],
            opts=child,
        )
        trainer = release(
            name,
            _CHART,
            values=_values(cluster),
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        images = {nodes.pool: pytorch_image(nodes.share) for nodes in cluster.open_pools if has_runtime(nodes)}
        for nodes in cluster.open_pools:
            if (its := images.get(nodes.pool)) is None:
                continue
            CustomResource(
                f"{name}-{nodes.pool}",
                API,
                "ClusterTrainingRuntime",
                metadata=meta.ObjectMetaArgs(
                    name=runtime_name(nodes), labels=LABELS, annotations=needs_annotation(nodes.share) or None
                ),
                spec=runtime(nodes.share, PodParts(image=from_mirror(its, cluster.image_mirror))),
                opts=pulumi.ResourceOptions(parent=self, depends_on=[trainer]),
            )
        self.offers = {nodes.pool: runtime_name(nodes) for nodes in cluster.open_pools if nodes.pool in images}
        self.register_outputs({"runtimes": dict(self.offers)})


def _values(cluster: InCluster) -> dict[str, object]:
    values: dict[str, object] = {
        "jobset": {"install": False},  # the platform's own, which others use too
        "manager": {
            "replicas": 2 if cluster.environment == "prod" else 1,
            "affinity": without_accelerators(cluster.pools),
            "resources": {
                "requests": {"cpu": "100m", "memory": "256Mi"},
                "limits": {"cpu": "1", "memory": "1Gi"},
            },
        },
    }
    if cluster.image_mirror is not None:
        values["image"] = {"registry": cluster.image_mirror}
    return values


def runtime(nodes: PoolNodes, parts: PodParts) -> dict[str, object]:
    """What a runtime for PyTorch on a pool says."""
    return {
        "mlPolicy": {"numNodes": 1, "torch": {}},
        "template": {
            "spec": {
                "failurePolicy": {"maxRestarts": MOST_RESTARTS},
                "ttlSecondsAfterFinished": FINISHED_TTL_S,
                "replicatedJobs": [
                    {
                        "name": "node",
                        "template": {
                            "metadata": {"labels": TRAINS},
                            "spec": {
                                "backoffLimit": 0,
                                "podFailurePolicy": {"rules": [IGNORES_DISRUPTION]},
                                "template": pod_template(nodes, parts),
                            },
                        },
                    }
                ],
            }
        },
    }


TRAINS = {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}
"""The label of the part of a job that gets the image and the command of a TrainJob."""

IGNORES_DISRUPTION: dict[str, object] = {
    "action": "Ignore",
    "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}],
}
"""A pod that preemption ends is not a failure of the job (Kubernetes documentation, pod failure policy)."""
