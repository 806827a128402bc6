"""NVLink between machines: the memory of all GPUs of an NVL72 domain, for the pods of one job."""

from __future__ import annotations

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.networking import v1 as networking

from penstock.catalog.kubernetes import charts
from penstock.kubernetes.node_setup import libraries, machine_types
from penstock.kubernetes.release import EVERYWHERE, image, release

_CHART = "nvidia-dra-driver-gpu"
_CRITICAL = ("system-node-critical", "system-cluster-critical")


class ComputeDomains(pulumi.ComponentResource):
    """NVIDIA's driver for resource claims on a4x machines, for `ComputeDomain` objects alone.

    GPUs themselves stay with GKE's device plugin: two that hand out the same GPUs admit too many pods.
    """

    def __init__(
        self, name: str, *, image_mirror: pulumi.Input[str] | None = None, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install the driver; `image_mirror` is the registry that a network without a way out pulls from."""
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
                "nvidiaDriverRoot": libraries("nvidia"),
                "resources": {"gpus": {"enabled": False}},
                # The chart looks for a node of the control plane, and GKE shows none.
                "controller": {"affinity": _where("nvidia.com/gpu", "DoesNotExist")},
                "kubeletPlugin": {
                    "affinity": _where("node.kubernetes.io/instance-type", "In", _machine_types()),
                    "tolerations": EVERYWHERE,
                },
            },
            # GKE refuses critical pods in a namespace that no quota allows them.
            opts=pulumi.ResourceOptions(parent=self, depends_on=[quota]),
        )
        self.register_outputs({})


def _machine_types() -> list[str]:
    return machine_types(["rdma-nvl72", "rdma-metal"])


def _where(label: str, operator: str, values: list[str] | None = None) -> dict[str, object]:
    expression = {"key": label, "operator": operator} | ({} if values is None else {"values": values})
    return {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [{"matchExpressions": [expression]}]
            }
        }
    }
