"""KubeRay: runs clusters, jobs and services of Ray."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.ray import template
from penstock.addons.ray.block import RaySpec
from penstock.addons.ray.heads import DASHBOARD, OPERATOR
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import image, release
from penstock.kubernetes.components.system_nodes import without_accelerators

_CHART = "kuberay-operator"


class Ray(pulumi.ComponentResource):
    """KubeRay's operator, and a ConfigMap `ray-POOL` with templates for each pool with accelerators.

    The templates create nothing by themselves. With Kueue they wait in the queue of their team.
    """

    offers: Mapping[str, pulumi.Input[object]]

    def __init__(
        self, name: str, spec: RaySpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it."""
        super().__init__("penstock:kubernetes:Ray", name, None, opts)
        namespace = Namespace(
            name,
            namespace=OPERATOR,
            pod_security="restricted",
            ways_out=(DASHBOARD,),
            critical_pods=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        release(
            name,
            _CHART,
            values={
                "image": {"repository": image(_CHART, cluster.image_mirror)},
                "priorityClassName": "system-cluster-critical",
                "affinity": without_accelerators(cluster.pools),
                # The chart bounds the operator by a tenth of a processor, which many clusters outgrow.
                "resources": {
                    "requests": {"cpu": "100m", "memory": "512Mi"},
                    "limits": {"cpu": "1", "memory": "1Gi"},
                },
                **({"watchNamespace": list(spec.namespaces)} if spec.namespaces else {}),
            },
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        maps = {pool.pool: f"ray-{pool.pool}" for pool in cluster.open_pools if template.has_template(pool)}
        for pool in cluster.open_pools:
            if pool.pool in maps:
                core.ConfigMap(
                    f"{name}-{pool.pool}",
                    metadata=meta.ObjectMetaArgs(name=maps[pool.pool], namespace=namespace.name),
                    data={
                        f"{each['kind'].lower()}.json": pulumi.Output.json_dumps(each, indent=2)
                        for each in (
                            make(pool.share, image=spec.image, addons=cluster.addons, mirror=cluster.image_mirror)
                            for make in (template.cluster, template.job)
                        )
                    },
                    opts=pulumi.ResourceOptions(parent=self),
                )
        self.offers = {"namespace": namespace.name, "templates": maps}
        self.register_outputs({})
