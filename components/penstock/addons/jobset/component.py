"""JobSet: jobs of several parts that start, fail and restart together."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.monitored import controllers_to_monitoring
from penstock.kubernetes.components.namespace import Namespace, PortOpening
from penstock.kubernetes.components.release import image, release
from penstock.kubernetes.components.system_nodes import without_accelerators

_CHART, _NAMESPACE = "jobset", "jobset-system"
_WEBHOOK = 9443


class JobSetController(pulumi.ComponentResource):
    """The controller of JobSets, which Kubeflow Trainer makes of training jobs."""

    def __init__(
        self, name: str, _spec: None, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it."""
        super().__init__("penstock:kubernetes:JobSetController", name, None, opts)
        namespace = Namespace(
            name,
            namespace=_NAMESPACE,
            pod_security="restricted",
            openings=[PortOpening(port=_WEBHOOK), *controllers_to_monitoring(cluster, _NAMESPACE)],
            opts=pulumi.ResourceOptions(parent=self),
        )
        lasting = cluster.environment == "prod"
        values: dict[str, object] = {
            "controller": {
                "replicas": 2 if lasting else 1,
                "affinity": without_accelerators(cluster.pools),
                "podDisruptionBudget": {"enabled": lasting},
                "resources": {
                    "requests": {"cpu": "500m", "memory": "256Mi"},
                    "limits": {"cpu": "2", "memory": "1Gi"},
                },
            }
        }
        if cluster.image_mirror is not None:
            values["image"] = {"repository": image(_CHART, cluster.image_mirror)}
        release(
            name,
            _CHART,
            values=values,
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        self.register_outputs({})
