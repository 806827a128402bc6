"""NVIDIA's network operator: InfiniBand and RoCE adapters, as Kubernetes hands them to pods."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.network_operator import nic_policy
from penstock.addons.network_operator.infiniband_labels import InfinibandLabels
from penstock.addons.network_operator.nic_policy import RdmaResource
from penstock.description.nodes.pool_nodes import SWITCH
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import EVERYWHERE, release
from penstock.kubernetes.components.system_nodes import without_accelerators
from penstock.kubernetes.facts import charts

_CHART = "network-operator"
_OPERATOR = "nvcr.io/nvidia/cloud-native"
_NFD = "nvcr.io/nvidia/mellanox/node-feature-discovery"
_INIT = "nvcr.io/nvidia/mellanox"
_HTTP = 80
"""Driver containers fetch the headers of their kernel from the distribution."""


class NetworkOperator(pulumi.ComponentResource):
    """The operator, with the one policy that it acts on: the adapters of the pools' fabrics, each as its resource.

    It brings node feature discovery, by which the GPU Operator finds its nodes as well. Pods that use RDMA also need
    the capability IPC_LOCK; over RoCE, the network of their node, or a secondary one with the adapters in it.
    """

    offers: dict[str, str]

    def __init__(
        self, name: str, _spec: None, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it for the pools of a cluster; `offers` has the resource of each fabric."""
        super().__init__("penstock:kubernetes:NetworkOperator", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        offered = resources(cluster)
        mirror = cluster.image_mirror
        away = without_accelerators(cluster.pools)

        def place(public: str) -> pulumi.Input[str]:
            return public if mirror is None else pulumi.Output.concat(mirror, "/", public.partition("/")[2])

        namespace = Namespace(
            name,
            namespace=charts.find_chart(_CHART).namespace,
            pod_security="privileged",
            ways_out=[_HTTP],
            critical_pods=True,
            opts=child,
        )
        operator = release(
            name,
            _CHART,
            values={
                "nfd": {"enabled": "gpu-operator" not in cluster.installed, "deployNodeFeatureRules": False},
                "node-feature-discovery": {
                    "image": {"repository": place(_NFD)},
                    "worker": {"tolerations": EVERYWHERE},
                    "master": {"affinity": away},
                    "gc": {"affinity": away},
                },
                "operator": {
                    "repository": place(_OPERATOR),
                    "affinity": away,
                    "ofedDriver": {"initContainer": {"repository": place(_INIT)}},
                },
            },
            mirrored=mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        after = pulumi.ResourceOptions(parent=self, depends_on=[operator])
        rules = CustomResource(
            f"{name}-adapters",
            api_version="nfd.k8s-sigs.io/v1alpha1",
            kind="NodeFeatureRule",
            metadata=meta.ObjectMetaArgs(name="rdma-adapters"),
            spec=nic_policy.node_feature_rules(offered),
            opts=after,
        )
        CustomResource(
            f"{name}-policy",
            api_version="mellanox.com/v1alpha1",
            kind="NicClusterPolicy",
            metadata=meta.ObjectMetaArgs(name=nic_policy.POLICY),
            spec=nic_policy.policy(offered, place),
            opts=pulumi.ResourceOptions.merge(after, pulumi.ResourceOptions(depends_on=[rules])),
        )
        if any(SWITCH in pool.topology for pool in cluster.pools):
            InfinibandLabels(f"{name}-labels", namespace=namespace, image_mirror=mirror, opts=after)
        self.offers = {each.software.fabric: each.resource for each in offered}
        self.register_outputs({})


def resources(cluster: InCluster) -> Sequence[RdmaResource]:
    """What pods of a cluster request of the fabrics that the operator offers, each once."""
    found = {
        pool.fabric_resource: RdmaResource(pool.fabric_resource, pool.rdma)
        for pool in cluster.pools
        if pool.rdma is not None and pool.rdma.advertiser == "operator" and pool.fabric_resource is not None
    }
    return tuple(found[name] for name in sorted(found))
