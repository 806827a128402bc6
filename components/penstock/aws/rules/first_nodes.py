"""The first nodes of EKS clusters, and creations that end only when some of them run."""

from __future__ import annotations

from fnmatch import fnmatchcase

from penstock.aws.facts import eks_addons
from penstock.aws.facts.eks_addons import EksAddon
from penstock.aws.model.ec2 import Ec2Pool
from penstock.aws.model.launch_templates import inside
from penstock.aws.rules import self_managed
from penstock.aws.types import (
    EC2_FLEET,
    EC2_SPOT_FLEET_REQUEST,
    EKS_ADDON,
    EKS_CLUSTER,
    EKS_FARGATE_PROFILE,
    EKS_NODE_GROUP,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.model.pools import TYPES as KARPENTER_POOLS
from penstock.model.order import comes_after
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_KEEPS_OFF = "NO_SCHEDULE"


@RULES.rule(
    on=EKS_ADDON,
    severity=HIGH,
    rationale=(
        "EKS calls an add-on with a Deployment ACTIVE only when its pods run. Without a node it stays DEGRADED, and "
        "Pulumi waits 20 minutes and fails. A node group that depends on the add-on is not even created."
    ),
    fix="Create a node group that the add-on's pods can run on, and add it to depends_on of the add-on.",
    joins=True,
    sources=(
        "EKS API, AddonIssue: InsufficientNumberOfReplicas",
        "pulumi-eks issue 1819",
        "EKS user guide, AWS add-ons (catalogue, aws_eks_addons)",
    ),
)
def aws_eks_addon_after_nodes(addon: View) -> Verdict:
    """An EKS add-on whose pods need a node is created with or after a node that they can run on."""
    facts = eks_addons.known_addon(addon.text("addonName"))
    if facts is None or not facts.waits_for_nodes or addon.site.existing(addon) is not None:
        return NOT_APPLICABLE
    named = addon.one("clusterName", EKS_CLUSTER)
    if named is None:
        return NOT_APPLICABLE
    cluster = inside(named)
    if addon.site.existing(cluster) is not None:
        raise NotKnown  # it may have nodes of another program
    hosts = first_nodes(cluster, facts.namespace)
    kept = {host.urn: taints for host in hosts if (taints := _refused(host, facts))}
    open_hosts = [host for host in hosts if host.urn not in kept]
    if any(not comes_after(host, addon) for host in open_hosts):
        return PASS
    if "waits_for_nodes" in facts.unverified:
        raise NotKnown
    if not hosts:
        return fail(
            f"{facts.name} waits for a node to run on, and nothing in the program starts one in {cluster.name}",
            hint="Create a node group, and add it to depends_on of the add-on.",
            path="addonName",
        )
    if kept and ("tolerated_taints" in facts.unverified or "tolerations" in (addon.text("configurationValues") or "")):
        raise NotKnown
    if not open_hosts:
        return fail(
            f"{facts.name} waits for a node to run on, and tolerates the taints of none: {hosts[0].name} has the taint "
            f"{kept[hosts[0].urn][0]}",
            hint="Add a node group without taints, or tolerations to configurationValues.",
            path="configurationValues",
        )
    return fail(
        f"{facts.name} waits for a node to run on, and {open_hosts[0].name}, which starts the first, waits for the "
        "add-on",
        hint=f"Remove the dependency of {open_hosts[0].name}, and add it to depends_on of the add-on.",
        path="addonName",
    )


def first_nodes(cluster: View, namespace: str) -> list[View]:
    """The resources whose creation starts nodes of a cluster that run pods of a namespace.

    Raises:
        NotKnown: something else may start nodes.
    """
    site = cluster.site
    compute = cluster.block("computeConfig")
    if compute is not None and compute.flag("enabled") and compute.count("nodePools"):
        return [cluster]
    if (
        (compute is not None and compute.flag("enabled"))
        or "remoteNetworkConfig" in cluster
        or any(resource.type.startswith("eks:") for resource in site.graph)
    ):
        raise NotKnown
    profiles = cluster.referrers(EKS_FARGATE_PROFILE, "clusterName")
    groups = [group for group in cluster.referrers(EKS_NODE_GROUP, "clusterName") if _starts_some(group)]
    found = [*groups, *(profile for profile in profiles if _runs(profile, namespace))]
    if found:
        return found
    if site.of_type(EC2_FLEET, EC2_SPOT_FLEET_REQUEST) or (profiles and _has_karpenter(cluster)):
        raise NotKnown
    return [starter for starter in self_managed.nodes_of(cluster) if _starts_some(starter)]


def _starts_some(starter: View) -> bool:
    return Ec2Pool(starter, starter).start() > 0


def _runs(profile: View, namespace: str) -> bool:
    patterns = [selector.text("namespace") or "" for selector in profile.blocks("selectors")]
    return any(fnmatchcase(namespace, pattern) for pattern in patterns)


def _has_karpenter(cluster: View) -> bool:
    """Return whether Karpenter starts nodes; it runs on Fargate where the cluster has no other nodes."""
    charts = (view.given("chart") for view in cluster.site.of_type("kubernetes:helm.sh/v3:Release"))
    return bool(cluster.site.of_type(*KARPENTER_POOLS)) or any("karpenter" in str(chart) for chart in charts)


def _refused(host: View, facts: EksAddon) -> list[str]:
    """The taints of a node group that an add-on does not tolerate by default."""
    taints = host.blocks("taints") if host.type == EKS_NODE_GROUP else []
    return [_shown(taint) for taint in taints if _is_refused(taint, facts)]


def _is_refused(taint: Block, facts: EksAddon) -> bool:
    return taint.text("effect") == _KEEPS_OFF and taint.text("key") not in facts.tolerated_taints


def _shown(taint: Block) -> str:
    value = taint.text("value")
    return f"{taint.text('key')}={value}:NoSchedule" if value else f"{taint.text('key')}:NoSchedule"
