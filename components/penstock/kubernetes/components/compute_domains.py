"""NVLink between machines: the memory of all GPUs of an NVL72 domain, for the pods of one job."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.networking import v1 as networking

from penstock.kubernetes.components.node_setup import libraries, machine_types
from penstock.kubernetes.components.node_terms import affinity, without
from penstock.kubernetes.components.release import EVERYWHERE, image, release
from penstock.kubernetes.facts import charts
from penstock.kubernetes.facts.node_labels import INSTANCE_TYPE

_CHART = "nvidia-dra-driver-gpu"
_CRITICAL = ("system-node-critical", "system-cluster-critical")


class ComputeDomains(pulumi.ComponentResource):
    """NVIDIA's driver for resource claims, for `ComputeDomain` objects alone.

    GPUs themselves stay with their device plugin: two that hand out the same GPUs admit too many pods.
    """

    def __init__(
        self,
        name: str,
        *,
        image_mirror: pulumi.Input[str] | None = None,
        nodes: Mapping[str, Any] | None = None,
        driver_root: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Install the driver.

        Args:
            name: The component's name.
            image_mirror: The registry that a network without a way out pulls from.
            nodes: The affinity of its agents for nodes in NVLink domains; by default a4x machines of GKE.
            driver_root: Where these nodes have NVIDIA's driver; by default where GKE has it.
            opts: Pulumi's options.
        """
        super().__init__("penstock:kubernetes:ComputeDomains", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        namespace = core.Namespace(
            name, metadata=meta.ObjectMetaArgs(name=charts.find_chart(_CHART).namespace), opts=child
        )
        # The driver's daemons on the machines of one domain speak to each other; nobody else has a word with them.
        networking.NetworkPolicy(
            name,
            metadata=meta.ObjectMetaArgs(name="own-pods-only", namespace=namespace.metadata.name),
            spec=networking.NetworkPolicySpecArgs(
                pod_selector=meta.LabelSelectorArgs(),
                policy_types=["Ingress"],
                ingress=[
                    networking.NetworkPolicyIngressRuleArgs(
                        from_=[networking.NetworkPolicyPeerArgs(pod_selector=meta.LabelSelectorArgs())]
                    )
                ],
            ),
            opts=child,
        )
        quota = core.ResourceQuota(
            name,
            metadata=meta.ObjectMetaArgs(name="critical-pods", namespace=namespace.metadata.name),
            spec=core.ResourceQuotaSpecArgs(
                hard={"pods": "1G"},
                scope_selector=core.ScopeSelectorArgs(
                    match_expressions=[
                        core.ScopedResourceSelectorRequirementArgs(
                            scope_name="PriorityClass", operator="In", values=list(_CRITICAL)
                        )
                    ]
                ),
            ),
            opts=child,
        )
        release(
            name,
            _CHART,
            values={
                "image": {"repository": image(_CHART, image_mirror)},
                "nvidiaDriverRoot": driver_root or libraries("nvidia"),
                "resources": {"gpus": {"enabled": False}},
                # The chart looks for a node of the control plane, and managed clusters show none.
                "controller": {"affinity": without("nvidia.com/gpu")},
                "kubeletPlugin": {
                    "affinity": nodes or _a4x(),
                    "tolerations": EVERYWHERE,
                },
            },
            mirrored=image_mirror is not None,
            # GKE refuses critical pods in a namespace that no quota allows them.
            opts=pulumi.ResourceOptions(parent=self, depends_on=[quota]),
        )
        self.register_outputs({})


def _a4x() -> dict[str, Any]:
    machines = machine_types(["rdma-nvl72", "rdma-metal"])
    term = {"key": INSTANCE_TYPE, "operator": "In", "values": machines}
    return affinity([{"matchExpressions": [term]}])
