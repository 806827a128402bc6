"""Access of nodes to their cluster: the access entry or the mapping in aws-auth that their role needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import yaml

from penstock.aws.model.launch_templates import inside
from penstock.aws.rules import self_managed
from penstock.aws.types import EKS_ACCESS_ENTRY, EKS_CLUSTER, EKS_NODE_GROUP, IAM_INSTANCE_PROFILE, IAM_ROLE
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, each, fail
from penstock.graph.view import Block, Site, View
from penstock.model.order import comes_after
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_NODE_CLASSES: Final = tuple(f"kubernetes:karpenter.k8s.aws/{version}:EC2NodeClass" for version in ("v1", "v1beta1"))
_AUTO_CLASS: Final = "kubernetes:eks.amazonaws.com/v1:NodeClass"
_CONFIG_MAP: Final = "kubernetes:core/v1:ConfigMap"
_CONFIG_MAPS: Final = (_CONFIG_MAP, f"{_CONFIG_MAP}Patch")

_OF_MACHINES: Final = ("EC2_LINUX", "EC2_WINDOWS")
_OF_AUTO_MODE: Final = ("EC2",)
_NODES_GROUP = "system:nodes"
_WITH_ENTRIES, _WITH_MAP = ("API", "API_AND_CONFIG_MAP"), ("CONFIG_MAP", "API_AND_CONFIG_MAP")

_ELSEWHERE = ("eks:", "command:", "pulumi-python:", "pulumi-nodejs:", "aws:cloudformation/")
"""Types of resources that may map a role in a way that no input shows."""


@RULES.rule(
    on=(*self_managed.STARTERS, *_NODE_CLASSES, _AUTO_CLASS),
    severity=HIGH,
    rationale=(
        "The API server answers Unauthorized to machines whose role no access entry and no line of aws-auth maps, so "
        "they start, cost money and never join. EKS maps the roles of managed node groups and Fargate profiles only."
    ),
    fix=(
        "Create an AccessEntry with the role's ARN as principalArn and the type EC2_LINUX (EC2 for a NodeClass of EKS "
        "Auto Mode), in a cluster with the authentication mode API or API_AND_CONFIG_MAP."
    ),
    joins=True,
    sources=(
        "EKS API, CreateAccessEntry: type",
        "EKS user guide, create self-managed nodes",
        "EKS user guide, create a node class",
        "Karpenter documentation, getting started: the node role is mapped",
    ),
)
def aws_eks_node_role_mapped(nodes: View) -> Verdict:
    """An access entry or aws-auth maps the role of self-managed nodes, and of nodes that Karpenter starts."""
    joining = _joining(nodes)
    if joining is None:
        return NOT_APPLICABLE
    cluster, role, holder, path = joining
    if role is None:
        return fail(
            f"nodes never join {cluster.name}: their machines have no role, because iamInstanceProfile is not set",
            hint="Set iamInstanceProfile to the profile of a node role.",
            path=path,
            urn=holder.owner.urn,
        )
    wanted = _OF_AUTO_MODE if nodes.type == _AUTO_CLASS else _OF_MACHINES
    mode = _mode(cluster)
    entries = _entries(cluster, role) if mode in _WITH_ENTRIES else []
    if any((entry.text("type") or "STANDARD") in wanted for entry in entries):
        return PASS
    if _is_mapped_by_eks(cluster, role) or (wanted == _OF_MACHINES and mode in _WITH_MAP and _in_map(cluster, role)):
        return PASS
    if any(resource.type.startswith(_ELSEWHERE) for resource in nodes.site.graph):
        raise NotKnown
    if entries:
        kind = entries[0].text("type") or "STANDARD"
        return fail(
            f"nodes never join {cluster.name}: the access entry of their role {role.name} has the type {kind}",
            hint=f"Set type to {wanted[0]}; it replaces the entry.",
            path="type",
            urn=entries[0].urn,
        )
    takes = "no access entry" if mode == "API" else "no mapping in aws-auth" if mode == "CONFIG_MAP" else ""
    hint = f"Add an AccessEntry of the type {wanted[0]} with the role's ARN as principalArn."
    if mode == "CONFIG_MAP":
        hint = f"Set accessConfig.authenticationMode of the cluster to API_AND_CONFIG_MAP. {hint}"
    return fail(
        f"nodes never join {cluster.name}: {takes or 'no access entry and no mapping in aws-auth'} names their role "
        f"{role.name}",
        hint=hint,
        path=path,
        urn=holder.owner.urn,
    )


@RULES.rule(
    on=_CONFIG_MAP,
    severity=HIGH,
    rationale=(
        "In the authentication mode CONFIG_MAP, EKS writes the roles of managed node groups into aws-auth. A ConfigMap "
        "that replaces it without them turns their nodes NotReady."
    ),
    fix="Map the roles of all node groups in mapRoles, or move to access entries (API_AND_CONFIG_MAP).",
    joins=True,
    sources=("EKS user guide, aws-auth ConfigMap",),
)
def aws_eks_auth_map_keeps_nodes(config_map: View) -> Verdict:
    """A ConfigMap aws-auth of the program maps the roles of the managed node groups that it comes after."""
    if not _is_auth_map(config_map):
        return NOT_APPLICABLE
    cluster = _reached(config_map)
    if _mode(cluster) != "CONFIG_MAP":
        return NOT_APPLICABLE
    groups = [group for group in cluster.referrers(EKS_NODE_GROUP, "clusterName") if comes_after(config_map, group)]

    def check(group: View) -> Verdict:
        role = group.one("nodeRoleArn", IAM_ROLE)
        if role is None or _maps(config_map, inside(role)):
            return PASS
        return fail(
            f"mapRoles lacks {role.name}, the role of the node group {group.name}, which EKS had added",
            hint=f"Map {role.name} to the groups system:bootstrappers and {_NODES_GROUP}.",
            path="data.mapRoles",
        )

    return each(groups, check)


def _joining(nodes: View) -> tuple[View, View | None, Block, str] | None:
    """The cluster that nodes join, their role, and where it is named; None for machines that join none."""
    if nodes.type in self_managed.STARTERS:
        cluster = self_managed.joined_cluster(nodes)
        if cluster is None:
            return None
        role, holder = self_managed.role_of(nodes)
        return cluster, role, holder, "iamInstanceProfile"
    spec = nodes.block("spec")
    if spec is None or not any(key in spec for key in ("role", "instanceProfile")):
        return None
    key = "role" if "role" in spec else "instanceProfile"
    named = spec.one(key, IAM_ROLE if key == "role" else IAM_INSTANCE_PROFILE)
    role = inside(named).one("role", IAM_ROLE) if key == "instanceProfile" and named is not None else named
    return None if role is None else (_reached(nodes), inside(role), spec, spec.at(key))


def _reached(view: View) -> View:
    """The cluster of the program that an object goes to.

    Raises:
        NotKnown: the provider reaches none of the program, or it is not known which.
    """
    provider = view.site.graph.resources.get(view.resource.provider_urn)
    found = View(provider, view.site).sources("kubeconfig", EKS_CLUSTER) if provider is not None else []
    if len(found) != 1:
        raise NotKnown
    return inside(found[0])


def _mode(cluster: View) -> str:
    access = cluster.block("accessConfig")
    return (access.text("authenticationMode") if access is not None else None) or "CONFIG_MAP"


def _entries(cluster: View, role: View) -> list[View]:
    """The access entries of a role."""
    return [entry for entry in cluster.referrers(EKS_ACCESS_ENTRY, "clusterName") if _names(entry, role)]


def _names(entry: View, role: View) -> bool:
    found = entry.found("principalArn", IAM_ROLE)
    return role.urn in {view.urn for view in found} or (not found and _is_arn_of(entry.text("principalArn"), role))


def _is_arn_of(arn: Any, role: View) -> bool:
    """Return whether an ARN is that of a role whose name the program gives."""
    name = role.given("name")
    return isinstance(arn, str) and isinstance(name, str) and arn.endswith(f"/{name}") and ":role/" in arn


def _is_mapped_by_eks(cluster: View, role: View) -> bool:
    """Return whether EKS maps a role by itself, as that of a managed node group or of Auto Mode."""
    groups = cluster.referrers(EKS_NODE_GROUP, "clusterName")
    own = cluster.block("computeConfig")
    holders = [(group, "nodeRoleArn") for group in groups] + ([(own, "nodeRoleArn")] if own is not None else [])
    return any(role.urn in {view.urn for view in holder.found(key, IAM_ROLE)} for holder, key in holders)


def _in_map(cluster: View, role: View) -> bool:
    """Return whether a ConfigMap aws-auth that may be in the cluster maps a role."""
    return any(_maps(view, role) for view in cluster.site.once(_auth_maps) if _may_reach(view, cluster))


def _auth_maps(site: Site) -> list[View]:
    return [view for view in site.of_type(*_CONFIG_MAPS) if _is_auth_map(view)]


def _is_auth_map(view: View) -> bool:
    metadata = view.block("metadata")
    return (
        metadata is not None and metadata.given("name") == "aws-auth" and metadata.given("namespace") == "kube-system"
    )


def _may_reach(view: View, cluster: View) -> bool:
    try:
        return _reached(view).urn == cluster.urn
    except NotKnown:
        return True


def _maps(view: View, role: View) -> bool:
    """Return whether a ConfigMap maps a role to nodes.

    Raises:
        NotKnown: its roles are not known.
    """
    data = view.block("data")
    if data is None:
        return False
    try:
        text = data.text("mapRoles")
    except NotKnown:
        if role.urn in {source.urn for source in view.sources("data", IAM_ROLE)}:
            return True
        raise
    return any(
        _NODES_GROUP in (mapping.get("groups") or ()) and _is_role(mapping.get("rolearn"), role)
        for mapping in _mappings(text or "")
    )


def _is_role(arn: Any, role: View) -> bool:
    return _is_arn_of(arn, role) or (isinstance(arn, str) and arn == role.outputs.given("arn"))


def _mappings(text: str) -> Iterator[dict[str, Any]]:
    try:
        written = yaml.safe_load(text)
    except yaml.YAMLError:
        raise TypeMismatch from None
    for mapping in written if isinstance(written, list) else ():
        if isinstance(mapping, dict):
            yield mapping
