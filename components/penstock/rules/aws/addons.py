"""Add-ons of EKS and the identities of pods."""

from __future__ import annotations

import re
from collections import Counter

from penstock.catalog import limits
from penstock.catalog.aws import eks_addons
from penstock.findings import Severity
from penstock.resources.invented import may_be_invented
from penstock.resources.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, together
from penstock.resources.view import View
from penstock.rules.aws import nodes
from penstock.rules.aws.types import ADDON, CLUSTER, POD_IDENTITY
from penstock.rules.rule import rule
from penstock.wording import did_you_mean, listed

_AGENT = "eks-pod-identity-agent"
_CNI = "vpc-cni"
_VERSION = re.compile(r"v(\d+)\.(\d+)\.(\d+)-eksbuild\.\d+")
_FOR_EFA = {"efa": (1, 7, 10), "efa-only": (1, 18, 5)}
"""The oldest CNI that leaves interfaces of each type alone (EKS user guide, node-efa)."""


@rule(
    "AWS-ADDON-001",
    on=ADDON,
    severity=Severity.WARNING,
    source="EKS user guide, AWS add-ons (catalogue, aws_eks_addons)",
)
def an_addon_is_spelled_as_eks_spells_it(addon: View) -> Verdict:
    """The name of an add-on is not one that looks like a known one and is none."""
    name = addon.text("addonName")
    if name is None:
        return NOT_APPLICABLE
    names = eks_addons.addon_names()
    near = "" if name in names else did_you_mean(name, names)
    return allow(not near, f"{name!r} is no add-on that Penstock knows", hint=near, path="addonName")


@rule("AWS-ADDON-002", on=ADDON, source="EKS API, DescribeAddonVersions")
def an_addon_version_is_a_build_of_eks(addon: View) -> Verdict:
    """The version of an add-on of AWS is that of a build, such as v1.20.4-eksbuild.1."""
    version = addon.text("addonVersion")
    if version is None or addon.text("addonName") not in eks_addons.addon_names():
        return NOT_APPLICABLE
    if may_be_invented(version):
        raise NotKnown  # the simulated cloud said so, not AWS
    message = f"EKS has no version {version!r} of {addon.text('addonName')}"
    hint = "Such as v1.20.4-eksbuild.1; left out, EKS takes its default."
    return allow(_VERSION.fullmatch(version), message, hint=hint, path="addonVersion")


@rule(
    "AWS-ADDON-003", on=ADDON, source="EKS API model in botocore 1.44, ResolveConflicts; documentation of pulumi-aws 7"
)
def conflicts_are_resolved_in_a_known_way(addon: View) -> Verdict:
    """Conflicts are resolved by NONE or OVERWRITE, on update also by PRESERVE."""
    words = {
        "resolveConflictsOnCreate": ("NONE", "OVERWRITE"),
        "resolveConflictsOnUpdate": ("NONE", "OVERWRITE", "PRESERVE"),
    }
    verdicts = []
    for key, known in words.items():
        value = addon.text(key)
        if value is not None:
            message = f"{value!r} is no way to resolve conflicts there"
            verdicts.append(allow(value in known, message, hint=f"One of {listed(known)}.", path=key))
    return together(verdicts)


@rule(
    "AWS-ADDON-004", on=(ADDON, POD_IDENTITY), source="EKS user guide, Pod Identity; awsome-distributed-ai issue 1075"
)
def pod_identities_have_their_agent(holder: View) -> Verdict:
    """A cluster whose pods have identities has the agent that hands them out."""
    if holder.type == ADDON and not holder.count("podIdentityAssociations"):
        return NOT_APPLICABLE
    cluster = holder.one("clusterName", CLUSTER)
    if cluster is None or _is_automatic(nodes.inside(cluster)):
        return NOT_APPLICABLE
    message = f"pods get no rights: the cluster {cluster.name} has no {_AGENT}"
    path = "podIdentityAssociations" if holder.type == ADDON else "clusterName"
    return allow(_AGENT in _names(cluster), message, hint=f"Add the add-on {_AGENT}.", path=path)


@rule("AWS-ADDON-005", on=POD_IDENTITY, source="EKS API model in botocore 1.44, CreatePodIdentityAssociation")
def a_session_policy_goes_without_session_tags(identity: View) -> Verdict:
    """An association with a session policy turns session tags off."""
    if "policy" not in identity:
        return NOT_APPLICABLE
    message = "EKS refuses a session policy beside session tags"
    return allow(identity.flag("disableSessionTags"), message, hint="Set it to true.", path="disableSessionTags")


@rule("AWS-ADDON-006", on=CLUSTER, source="EKS user guide, Pod Identity: 1,000 associations, a fixed quota")
def a_cluster_has_so_many_pod_identities(cluster: View) -> Verdict:
    """A cluster has 1,000 Pod Identity associations at most."""
    most = limits.find_limit("pod_identity_associations", "aws").most
    count = len(cluster.referrers(POD_IDENTITY, "clusterName"))
    if not count:
        return NOT_APPLICABLE
    message = f"{count} associations are made, and a cluster has {most}"
    return allow(count <= most, message, hint="Let service accounts share them, or use another cluster.")


@rule("AWS-ADDON-007", on=ADDON, source="EKS user guide, node-efa")
def the_cni_knows_efa(addon: View) -> Verdict:
    """Where nodes have EFA interfaces, the CNI is new enough to leave these alone."""
    form = _VERSION.fullmatch(addon.text("addonVersion") or "")
    if addon.text("addonName") != _CNI or form is None:
        return NOT_APPLICABLE
    kinds = {
        kind: starter
        for starter in nodes.with_fabric(addon.site)
        if (template := nodes.template(starter)) is not None
        for kind in {interface.text("interfaceType") or "" for interface in nodes.fabric(template)}
    }
    if not kinds:
        return NOT_APPLICABLE
    has = tuple(map(int, form.groups()))
    kind, starter = max(kinds.items(), key=lambda item: _FOR_EFA[item[0]])
    needs = ".".join(map(str, _FOR_EFA[kind]))
    message = f"{form[0]} of the CNI knows no {kind} interfaces, which {starter.name} has"
    return allow(has >= _FOR_EFA[kind], message, hint=f"Use {needs} or newer.", path="addonVersion")


@rule("AWS-ADDON-008", on=CLUSTER, source="EKS API, CreateAddon: ResourceInUseException")
def a_cluster_has_an_addon_once(cluster: View) -> Verdict:
    """No two add-ons of a cluster have the same name."""
    names = _names(cluster)
    if not names:
        return NOT_APPLICABLE
    twice = sorted(name for name, count in names.items() if count > 1)
    return allow(not twice, f"{listed(twice)} is made twice in {cluster.name}", hint="Leave one out.")


@rule(
    "AWS-ADDON-009",
    on=CLUSTER,
    severity=Severity.WARNING,
    source="EKS user guide, networking add-ons; EKS API, bootstrapSelfManagedAddons",
)
def a_bare_cluster_is_given_its_network(cluster: View) -> Verdict:
    """A cluster that EKS is told to leave bare is given the CNI, without which no node becomes ready."""
    if cluster.flag("bootstrapSelfManagedAddons") is not False or _is_automatic(cluster):
        return NOT_APPLICABLE
    message = f"no node of {cluster.name} becomes ready: it starts without the CNI, and no add-on brings {_CNI}"
    hint = f"Add the add-on {_CNI}, or another CNI."
    return allow(_CNI in _names(cluster), message, hint=hint, path="bootstrapSelfManagedAddons")


def _names(cluster: View) -> Counter[str]:
    return Counter(addon.text("addonName") or "" for addon in cluster.referrers(ADDON, "clusterName"))


def _is_automatic(cluster: View) -> bool:
    """Whether EKS runs the nodes, with all that add-ons would bring."""
    compute = cluster.block("computeConfig")
    return compute is not None and compute.flag("enabled") is True
