"""Add-ons of EKS and the identities of pods."""

from __future__ import annotations

import re
from collections import Counter

from penstock.aws.facts import eks_addons
from penstock.aws.model.launch_templates import efa_interfaces, inside, template_of
from penstock.aws.rules import nodes
from penstock.aws.types import EKS_ADDON, EKS_CLUSTER, EKS_POD_IDENTITY_ASSOCIATION
from penstock.catalog import limits
from penstock.core.wording import did_you_mean, listed
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import All, Given, Is, Matches, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_AGENT = "eks-pod-identity-agent"
_CNI = "vpc-cni"
_VERSION = re.compile(r"v(\d+)\.(\d+)\.(\d+)-eksbuild\.\d+")
_FOR_EFA = {"efa": (1, 7, 10), "efa-only": (1, 18, 5)}
"""The oldest CNI that leaves interfaces of each type alone (EKS user guide, node-efa)."""


@RULES.rule(
    on=EKS_ADDON,
    severity=MEDIUM,
    rationale="EKS finds no add-on of a misspelled name, and CreateAddon fails.",
    fix="Set addonName to the name as EKS spells it.",
    sources=("EKS user guide, AWS add-ons (catalogue, aws_eks_addons)",),
)
def aws_eks_addon_name(addon: View) -> Verdict:
    """The name of an EKS add-on is a known one, or does not resemble a known one."""
    name = addon.text("addonName")
    if name is None:
        return NOT_APPLICABLE
    names = eks_addons.addon_names()
    near = "" if name in names else did_you_mean(name, names)
    return allow(not near, f"{name!r} is not an add-on that Penstock knows", hint=near, path="addonName")


@RULES.rule(
    on=EKS_ADDON,
    severity=HIGH,
    rationale="CreateAddon rejects a version that is not an EKS build of the add-on.",
    fix="Set addonVersion to an EKS build, or leave addonVersion out to get the default version.",
    sources=("EKS API, DescribeAddonVersions",),
)
def aws_eks_addon_version(addon: View) -> Verdict:
    """The version of an AWS add-on is an EKS build, such as v1.20.4-eksbuild.1."""
    version = addon.text("addonVersion")
    if version is None or addon.text("addonName") not in eks_addons.addon_names():
        return NOT_APPLICABLE
    message = f"EKS has no version {version!r} of {addon.text('addonName')}"
    hint = "Such as v1.20.4-eksbuild.1; left out, EKS takes its default."
    return allow(_VERSION.fullmatch(version), message, hint=hint, path="addonVersion")


RULES.row(
    "aws-eks-addon-conflicts",
    "Conflicts of an EKS add-on are resolved by NONE or OVERWRITE, and on update also by PRESERVE.",
    on=EKS_ADDON,
    check=All(
        Where(Given("resolveConflictsOnCreate"), Matches("resolveConflictsOnCreate", "NONE|OVERWRITE")),
        Where(Given("resolveConflictsOnUpdate"), Matches("resolveConflictsOnUpdate", "NONE|OVERWRITE|PRESERVE")),
    ),
    severity=HIGH,
    rationale="CreateAddon and UpdateAddon reject any other value.",
    fix="Set resolveConflictsOnCreate to NONE or OVERWRITE, and resolveConflictsOnUpdate to NONE, OVERWRITE or "
    "PRESERVE.",
    sources=("EKS API model in botocore 1.44, ResolveConflicts", "documentation of pulumi-aws 7"),
)


@RULES.rule(
    on=(EKS_ADDON, EKS_POD_IDENTITY_ASSOCIATION),
    severity=HIGH,
    rationale="The associations are created, but without the agent the pods get no credentials.",
    fix="Add an Addon with addonName eks-pod-identity-agent.",
    joins=True,
    sources=("EKS user guide, Pod Identity", "awsome-distributed-ai issue 1075"),
)
def aws_eks_pod_identity_agent(holder: View) -> Verdict:
    """A cluster with Pod Identity associations has the add-on eks-pod-identity-agent."""
    if holder.type == EKS_ADDON and not holder.count("podIdentityAssociations"):
        return NOT_APPLICABLE
    cluster = holder.one("clusterName", EKS_CLUSTER)
    if cluster is None or _is_automatic(inside(cluster)):
        return NOT_APPLICABLE
    message = f"pods get no credentials: the cluster {cluster.name} has no {_AGENT}"
    path = "podIdentityAssociations" if holder.type == EKS_ADDON else "clusterName"
    return allow(_AGENT in _names(cluster), message, hint=f"Add the add-on {_AGENT}.", path=path)


RULES.row(
    "aws-eks-pod-identity-session-policy",
    "A Pod Identity association with a session policy disables session tags.",
    on=EKS_POD_IDENTITY_ASSOCIATION,
    check=Where(Given("policy"), Is("disableSessionTags", True)),
    severity=HIGH,
    rationale="CreatePodIdentityAssociation refuses a session policy beside session tags.",
    fix="Set disableSessionTags to true.",
    sources=("EKS API model in botocore 1.44, CreatePodIdentityAssociation",),
)


@RULES.rule(
    on=EKS_CLUSTER,
    severity=HIGH,
    rationale="EKS refuses further associations, and the quota cannot be raised.",
    fix="Let several workloads share a service account, or use another cluster.",
    joins=True,
    sources=("EKS user guide, Pod Identity: 1,000 associations, a fixed quota",),
)
def aws_eks_pod_identity_limit(cluster: View) -> Verdict:
    """A cluster has at most 1,000 Pod Identity associations."""
    most = limits.find_limit("pod_identity_associations", "aws").most
    count = len(cluster.referrers(EKS_POD_IDENTITY_ASSOCIATION, "clusterName"))
    if not count:
        return NOT_APPLICABLE
    message = f"{count} pod identity associations; EKS allows {most} for each cluster"
    return allow(count <= most, message, hint="Let service accounts share them, or use another cluster.")


@RULES.rule(
    on=EKS_ADDON,
    severity=HIGH,
    rationale="An older CNI does not recognize EFA interfaces and tries to manage them, so nodes and pods do not work.",
    fix=(
        "Set addonVersion of vpc-cni to v1.7.10 or newer for efa interfaces, and to v1.18.5 or newer for efa-only "
        "interfaces."
    ),
    joins=True,
    sources=("EKS user guide, node-efa",),
)
def aws_eks_cni_efa_version(addon: View) -> Verdict:
    """The vpc-cni add-on of a program with EFA nodes is new enough to leave their EFA interfaces alone."""
    form = _VERSION.fullmatch(addon.text("addonVersion") or "")
    if addon.text("addonName") != _CNI or form is None:
        return NOT_APPLICABLE
    kinds = {
        kind: starter
        for starter in nodes.with_fabric(addon.site)
        if (template := template_of(starter)) is not None
        for kind in {interface.text("interfaceType") or "" for interface in efa_interfaces(template)}
    }
    if not kinds:
        return NOT_APPLICABLE
    has = tuple(map(int, form.groups()))
    kind, starter = max(kinds.items(), key=lambda item: _FOR_EFA[item[0]])
    needs = ".".join(map(str, _FOR_EFA[kind]))
    message = f"{form[0]} of the CNI does not support {kind} interfaces, which {starter.name} has"
    return allow(has >= _FOR_EFA[kind], message, hint=f"Use {needs} or newer.", path="addonVersion")


@RULES.rule(
    on=EKS_CLUSTER,
    severity=HIGH,
    rationale="CreateAddon rejects the second one with ResourceInUseException.",
    fix="Leave one of the two add-ons out.",
    joins=True,
    sources=("EKS API, CreateAddon: ResourceInUseException",),
)
def aws_eks_addon_once(cluster: View) -> Verdict:
    """No two add-ons of a cluster have the same name."""
    names = _names(cluster)
    if not names:
        return NOT_APPLICABLE
    twice = sorted(name for name, count in names.items() if count > 1)
    return allow(not twice, f"{listed(twice)} is declared twice for {cluster.name}")


@RULES.rule(
    on=EKS_CLUSTER,
    severity=MEDIUM,
    rationale="The cluster is created, but no node becomes ready without a CNI.",
    fix="Add an Addon with addonName vpc-cni, or install another CNI.",
    joins=True,
    sources=("EKS user guide, networking add-ons", "EKS API, bootstrapSelfManagedAddons"),
)
def aws_eks_bare_cluster_cni(cluster: View) -> Verdict:
    """A cluster created without the default add-ons has the vpc-cni add-on."""
    if cluster.flag("bootstrapSelfManagedAddons") is not False or _is_automatic(cluster):
        return NOT_APPLICABLE
    message = f"no node of {cluster.name} becomes ready: it starts without the CNI, and no add-on brings {_CNI}"
    hint = f"Add the add-on {_CNI}, or another CNI."
    return allow(_CNI in _names(cluster), message, hint=hint, path="bootstrapSelfManagedAddons")


def _names(cluster: View) -> Counter[str]:
    return Counter(addon.text("addonName") or "" for addon in cluster.referrers(EKS_ADDON, "clusterName"))


def _is_automatic(cluster: View) -> bool:
    """Return whether EKS runs the nodes, with all that add-ons would bring."""
    compute = cluster.block("computeConfig")
    return compute is not None and compute.flag("enabled") is True
