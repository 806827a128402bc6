"""The Pulumi Kubernetes Operator: deploys stacks from inside the cluster, in one namespace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.rbac import v1 as rbac

from penstock.addons.pulumi.block import PulumiOperatorSpec
from penstock.addons.pulumi.stacks import DEPLOYER, add_stacks
from penstock.kubernetes.components.egress_ports import url_ports
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import release
from penstock.kubernetes.components.system_nodes import without_accelerators
from penstock.kubernetes.facts import charts

CHART: Final = "pulumi-kubernetes-operator"

_METADATA: Final = 80
"""Of the services by which EKS, GKE and AKS hand pods the credentials of their cloud."""

_ARTIFACTS: Final = 9090
"""Of the source controller of Flux, which serves what it has fetched."""

_WATCHED: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("pods", "secrets"),
    "apps": ("statefulsets",),
    "auto.pulumi.com": ("updates", "workspaces"),
    "pulumi.com": ("programs", "stacks"),
    "source.toolkit.fluxcd.io": ("buckets", "gitrepositories", "ocirepositories"),
}
"""What the operator reads in all namespaces, whose caches cannot be narrowed (pulumi-kubernetes-operator 2.9.0).

The outputs of an update are in a Secret. Without the cache of Secrets, no update of a stack with outputs ever ends.
"""


class PulumiOperator(pulumi.ComponentResource):
    """The operator, and the stacks of the description.

    It changes objects of its own namespace only, where all Stack objects belong. The chart's own role would let it
    create pods in all namespaces. It reads the Secrets of all namespaces, as with the chart's role. Programs run as
    the service account deployer, which may only ask the API server who calls. The cloud knows it by its workload
    identity, so no key of the cloud is in the cluster.
    """

    offers: Mapping[str, pulumi.Input[str]]

    def __init__(
        self, name: str, spec: PulumiOperatorSpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it."""
        super().__init__("penstock:kubernetes:PulumiOperator", name, None, opts)
        home = charts.find_chart(CHART).namespace
        repositories = [each.repository for each in spec.stacks if each.repository is not None]
        by_flux = any(each.flux is not None for each in spec.stacks)
        namespace = Namespace(
            name,
            namespace=home,
            pod_security="restricted",
            ways_out=sorted({_METADATA, *url_ports(*repositories), *({_ARTIFACTS} if by_flux else {})}),
            opts=pulumi.ResourceOptions(parent=self),
        )
        inside = pulumi.ResourceOptions(parent=self, depends_on=[namespace])
        rights = [self._watch(name, home), *self._deployer(name, spec, home, inside)]
        installed = release(
            name,
            CHART,
            values=_values(cluster),
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions.merge(inside, pulumi.ResourceOptions(depends_on=rights)),
        )
        add_stacks(
            name,
            spec,
            namespace=home,
            mirror=cluster.image_mirror,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[installed]),
        )
        self.offers = {"status": f"kubectl -n {home} get stacks.pulumi.com"}
        self.register_outputs(self.offers)

    def _watch(self, name: str, home: str) -> pulumi.Resource:
        """The right to see what it watches in all namespaces; to change it, its Role is in its own."""
        called = f"{CHART}-watch"
        role = rbac.ClusterRole(
            f"{name}-watch",
            metadata=meta.ObjectMetaArgs(name=called),
            rules=[
                rbac.PolicyRuleArgs(api_groups=[group], resources=list(kinds), verbs=["get", "list", "watch"])
                for group, kinds in _WATCHED.items()
            ],
            opts=pulumi.ResourceOptions(parent=self),
        )
        return rbac.ClusterRoleBinding(
            f"{name}-watch",
            metadata=meta.ObjectMetaArgs(name=called),
            role_ref=rbac.RoleRefArgs(api_group="rbac.authorization.k8s.io", kind="ClusterRole", name=called),
            subjects=[rbac.SubjectArgs(kind="ServiceAccount", name=CHART, namespace=home)],
            opts=pulumi.ResourceOptions(parent=self, depends_on=[role]),
        )

    def _deployer(
        self, name: str, spec: PulumiOperatorSpec, home: str, opts: pulumi.ResourceOptions
    ) -> list[pulumi.Resource]:
        """The account that programs run as: it asks the API server who calls a workspace, and may do nothing else."""
        account = core.ServiceAccount(
            f"{name}-{DEPLOYER}",
            metadata=meta.ObjectMetaArgs(name=DEPLOYER, namespace=home, annotations=dict(spec.account) or None),
            automount_service_account_token=False,
            opts=opts,
        )
        bound = rbac.ClusterRoleBinding(
            f"{name}-{DEPLOYER}",
            metadata=meta.ObjectMetaArgs(name=f"{CHART}-{DEPLOYER}"),
            role_ref=rbac.RoleRefArgs(
                api_group="rbac.authorization.k8s.io", kind="ClusterRole", name="system:auth-delegator"
            ),
            subjects=[rbac.SubjectArgs(kind="ServiceAccount", name=DEPLOYER, namespace=home)],
            opts=opts,
        )
        return [account, bound]


def _values(cluster: InCluster) -> dict[str, Any]:
    affinity = without_accelerators(cluster.pools)
    image = charts.find_chart(CHART).image or ""
    registry, _, repository = image.partition("/")
    return {
        "image": {"registry": cluster.image_mirror or registry, "repository": repository},
        "rbac": {"createClusterRole": False, "createRole": True, "createClusterAggregationRoles": True},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": False,  # it unpacks sources into its temporary folder
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        # The chart's 128 MiB end in restarts once there are some dozens of stacks.
        "resources": {"requests": {"cpu": "200m", "memory": "256Mi"}, "limits": {"memory": "1Gi"}},
        **({"affinity": affinity} if affinity else {}),
    }
