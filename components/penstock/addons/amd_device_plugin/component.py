"""AMD GPUs, as Kubernetes hands them to pods."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import EVERYWHERE, image, release
from penstock.kubernetes.facts import charts

_CHART = "amd-gpu"

_BOUNDS = {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": "512Mi"}}
"""CPU has no limit: a throttled plugin is a node without GPUs."""


class AmdDevicePlugin(pulumi.ComponentResource):
    """Offers each GPU as `amd.com/gpu`, on nodes whose image has the driver.

    The chart chooses nodes by one set of labels at most, which pools need not share; so it runs on every node, and
    waits where there is no such driver.
    """

    def __init__(
        self, name: str, _spec: None, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it for the pools of a cluster."""
        super().__init__("penstock:kubernetes:AmdDevicePlugin", name, None, opts)
        namespace = Namespace(
            name,
            namespace=charts.find_chart(_CHART).namespace,
            pod_security="privileged",
            critical_pods=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        plugin = {"resources": _BOUNDS}
        release(
            name,
            _CHART,
            values={
                "dp": plugin | {"image": {"repository": image(_CHART, cluster.image_mirror)}},
                "tolerations": EVERYWHERE,
            },
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        self.register_outputs({})
