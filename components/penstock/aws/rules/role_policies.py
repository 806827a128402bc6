"""Policies that the roles of EKS clusters and nodes carry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.aws.model.launch_templates import inside
from penstock.aws.rules import nodes, self_managed
from penstock.aws.types import (
    EKS_ADDON,
    EKS_CLUSTER,
    EKS_FARGATE_PROFILE,
    EKS_NODE_GROUP,
    EKS_POD_IDENTITY_ASSOCIATION,
    IAM_POLICY,
    IAM_POLICY_ATTACHMENT,
    IAM_ROLE,
    IAM_ROLE_POLICY,
    IAM_ROLE_POLICY_ATTACHMENT,
    IAM_ROLE_POLICY_ATTACHMENTS_EXCLUSIVE,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, fail
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_ATTACHERS: Final = {
    IAM_ROLE_POLICY_ATTACHMENT: ("role", "policyArn"),
    IAM_POLICY_ATTACHMENT: ("roles", "policyArn"),
    IAM_ROLE_POLICY_ATTACHMENTS_EXCLUSIVE: ("roleName", "policyArns"),
}
"""Attachments of policies to a role, with the properties that name the role and the policies."""

_OF_CLUSTERS: Final = (("AmazonEKSClusterPolicy", "AmazonEKSLocalOutpostClusterPolicy"),)
_OF_FARGATE: Final = (("AmazonEKSFargatePodExecutionRolePolicy",),)
_OF_NODES: Final = (
    ("AmazonEKSWorkerNodePolicy", "AmazonEKSWorkerNodeMinimalPolicy"),
    (
        "AmazonEC2ContainerRegistryPullOnly",
        "AmazonEC2ContainerRegistryReadOnly",
        "AmazonEC2ContainerRegistryPowerUser",
    ),
)
"""What EKS needs a role to carry: one policy of each row (EKS user guide, IAM roles of clusters, nodes and Fargate)."""

_ROLES: Final = {
    EKS_CLUSTER: ("roleArn", _OF_CLUSTERS),
    EKS_NODE_GROUP: ("nodeRoleArn", _OF_NODES),
    EKS_FARGATE_PROFILE: ("podExecutionRoleArn", _OF_FARGATE),
}
"""The property of each type that names its role, and the policies that the role needs."""

_OF_NETWORK: Final = (("AmazonEKS_CNI_Policy",),)
_CNI, _CNI_ACCOUNT = "vpc-cni", "aws-node"
_HELM = ("kubernetes:helm.sh/v3:Release", "kubernetes:helm.sh/v4:Chart")
_ACCOUNTS = ("kubernetes:core/v1:ServiceAccount", "kubernetes:core/v1:ServiceAccountPatch")
_OTHER_NETWORKS = ("cilium", "calico", "tigera", "vpc-cni", "antrea")
"""Words in the names of charts that bring a network plugin, or set that of AWS up."""


@RULES.rule(
    on=(*_ROLES, *self_managed.STARTERS),
    severity=HIGH,
    rationale=(
        "The control plane or the nodes lack permissions, so the cluster fails or the nodes do not join or pull images."
    ),
    fix=(
        "Attach AmazonEKSClusterPolicy to the cluster role, AmazonEKSWorkerNodePolicy and "
        "AmazonEC2ContainerRegistryPullOnly to the node role, and AmazonEKSFargatePodExecutionRolePolicy to that of "
        "Fargate."
    ),
    joins=True,
    sources=(
        "EKS user guide, cluster IAM role",
        "EKS user guide, node IAM role",
        "EKS user guide, pod execution role of Fargate",
    ),
)
def aws_eks_role_policies(taker: View) -> Verdict:
    """The role of a cluster, of nodes or of Fargate has the managed policies that EKS requires, or custom ones."""
    if taker.type in self_managed.STARTERS and self_managed.joined_cluster(taker) is None:
        return NOT_APPLICABLE
    role, path, urn = _role(taker)
    if role is None:
        return NOT_APPLICABLE
    missing = _missing(role, _ROLES[taker.type][1] if taker.type in _ROLES else _OF_NODES)
    return _carries(missing, f"{role.name} lacks {' and '.join(missing)}", path, urn)


@RULES.rule(
    on=(EKS_NODE_GROUP, *self_managed.STARTERS),
    severity=HIGH,
    rationale=(
        "The network plugin attaches interfaces and addresses with the node's role, unless it has one of its own. "
        "Without the permission pods get no address, and the nodes stay NotReady."
    ),
    fix=(
        "Attach AmazonEKS_CNI_Policy to the node role, or give the vpc-cni add-on a role in podIdentityAssociations or "
        "serviceAccountRoleArn."
    ),
    joins=True,
    sources=("EKS user guide, node IAM role", "EKS user guide, networking add-ons"),
)
def aws_eks_cni_permissions(starter: View) -> Verdict:
    """The role of nodes, or one of the network plugin's own, has AmazonEKS_CNI_Policy."""
    cluster = nodes.cluster(starter) if starter.type == EKS_NODE_GROUP else self_managed.joined_cluster(starter)
    if cluster is None or not _uses_node_role(cluster):
        return NOT_APPLICABLE
    role, path, urn = _role(starter)
    if role is None:
        return NOT_APPLICABLE
    missing = _missing(role, _OF_NETWORK)
    message = f"nodes stay NotReady: {role.name} lacks {''.join(missing)}, and the network plugin has no other role"
    return _carries(missing, message, path, urn)


def _role(taker: View) -> tuple[View | None, str, str]:
    """The role of a cluster or of nodes, and the property and the resource that name it."""
    if taker.type in self_managed.STARTERS:
        role, holder = self_managed.role_of(taker)
        return role, "iamInstanceProfile", holder.owner.urn
    key = _ROLES[taker.type][0]
    found = taker.one(key, IAM_ROLE)
    return (inside(found) if found is not None else None), key, ""


def _carries(missing: list[str], message: str, path: str, urn: str) -> Verdict:
    hint = f"Attach {' and '.join(f'arn:aws:iam::aws:policy/{name}' for name in missing)}."
    return fail(message, hint=hint, path=path, urn=urn) if missing else PASS


def _missing(role: View, wanted: tuple[tuple[str, ...], ...]) -> list[str]:
    """The policies that a role lacks, the first of each row.

    Raises:
        NotKnown: a policy of one's own may stand in for them.
    """
    arns = list(_attached(role))
    if not all(isinstance(arn, str) for arn in arns):
        raise TypeMismatch
    names = {arn.rpartition("/")[2] for arn in arns}
    missing = [row[0] for row in wanted if not names & set(row)]
    own = (
        "inlinePolicies" in role or role.referrers(IAM_ROLE_POLICY, "role") or any("::aws:" not in arn for arn in arns)
    )
    if missing and (own or "AdministratorAccess" in names):
        raise NotKnown
    return missing


def _uses_node_role(cluster: View) -> bool:
    """Return whether the network plugin of AWS runs in a cluster and acts with the role of its node.

    Raises:
        NotKnown: another network plugin may run, or this one may have a role that no input shows.
    """
    compute, network = cluster.block("computeConfig"), cluster.block("kubernetesNetworkConfig")
    if compute is not None and compute.flag("enabled"):
        return False
    addons = [addon for addon in cluster.referrers(EKS_ADDON, "clusterName") if addon.text("addonName") == _CNI]
    if any("serviceAccountRoleArn" in addon or addon.count("podIdentityAssociations") for addon in addons):
        return False
    if any(
        each.text("serviceAccount") == _CNI_ACCOUNT
        for each in cluster.referrers(EKS_POD_IDENTITY_ASSOCIATION, "clusterName")
    ):
        return False
    if cluster.flag("bootstrapSelfManagedAddons") is False and not addons:
        return False
    if (network is not None and network.text("ipFamily") == "ipv6") or _may_be_set_up_otherwise(cluster):
        raise NotKnown
    return True


def _may_be_set_up_otherwise(cluster: View) -> bool:
    site = cluster.site
    if any(resource.type.startswith(("eks:", "command:", "kubernetes:yaml")) for resource in site.graph):
        return True
    charts = (str(view.given("chart")) for view in site.of_type(*_HELM))
    return any(word in chart for chart in charts for word in _OTHER_NETWORKS) or any(
        _CNI_ACCOUNT in str(view.given("metadata")) for view in site.of_type(*_ACCOUNTS)
    )


def _attached(role: View) -> Iterator[str]:
    """The ARNs of a role's managed policies; a policy of the program is given by its URN.

    Raises:
        NotKnown: one of them is not known yet.
    """
    yield from role.texts("managedPolicyArns")
    for type_, (role_at, policies_at) in _ATTACHERS.items():
        for attachment in role.referrers(type_, role_at):
            own = attachment.found(policies_at, IAM_POLICY)
            yield from (policy.urn for policy in own)
            if not own:
                value = attachment.value(policies_at)
                yield from [value] if isinstance(value, str) else attachment.texts(policies_at)
