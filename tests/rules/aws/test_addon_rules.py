"""Add-ons and the identities of pods: what EKS takes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.awsprograms import Parts, cluster, fabric, from_template, template
from tests.rulecases import Case, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import ADDON, POD_IDENTITY


def it(name: Any = "vpc-cni", **inputs: Any) -> Parts:
    """An add-on of `cluster`."""
    return cluster() | {"it": (ADDON, {"clusterName": Ref("cluster", "name"), "addonName": name, **inputs})}


def added(*names: str) -> Parts:
    """Add-ons of the cluster `it`."""
    inputs = ({"clusterName": Ref("it", "name"), "addonName": name} for name in names)
    return {f"addon-{place}": (ADDON, each) for place, each in enumerate(inputs)}


def identity(**inputs: Any) -> Parts:
    """An association of a service account with a role, in `cluster`."""
    return cluster() | {"it": (POD_IDENTITY, {"clusterName": Ref("cluster", "name"), **inputs})}


def identities(count: int) -> Parts:
    """A cluster with so many associations."""
    made = {f"identity-{n}": (POD_IDENTITY, {"clusterName": Ref("it", "name")}) for n in range(count)}
    return cluster("it") | made


def with_efa(kind: str) -> Parts:
    """A node group with EFA interfaces of one type."""
    interfaces = [each | {"interfaceType": kind} for each in fabric("p4d.24xlarge")]
    return from_template("group") | template(instanceType="p4d.24xlarge", networkInterfaces=interfaces)


AGENT: Parts = {"agent": (ADDON, {"clusterName": Ref("cluster", "name"), "addonName": "eks-pod-identity-agent"})}
IDENTITIES = {"podIdentityAssociations": [{"roleArn": UNKNOWN, "serviceAccount": "aws-node"}]}
BARE = {"bootstrapSelfManagedAddons": False}
AUTO = {"computeConfig": {"enabled": True}}
HIDDEN: Parts = {"hidden": (ADDON, {"clusterName": UNKNOWN, "addonName": "vpc-cni"})}

CASES = [
    Case("aws-eks-addon-name", Outcome.PASS, it("coredns")),
    Case("aws-eks-addon-name", Outcome.PASS, it("datadog_operator")),
    Case("aws-eks-addon-name", Outcome.FAIL, it("core-dns"), "addonName", "coredns"),
    Case("aws-eks-addon-name", Outcome.UNKNOWN, it(UNKNOWN)),
    Case("aws-eks-addon-name", Outcome.NOT_APPLICABLE, it(None)),
    Case("aws-eks-addon-version", Outcome.PASS, it(addonVersion="v1.20.4-eksbuild.1")),
    Case("aws-eks-addon-version", Outcome.FAIL, it(addonVersion="latest"), "addonVersion", "eksbuild"),
    Case("aws-eks-addon-version", Outcome.UNKNOWN, it(addonVersion=UNKNOWN)),
    Case("aws-eks-addon-version", Outcome.UNKNOWN, it(addonVersion="version-9a47f6e5")),
    Case("aws-eks-addon-version", Outcome.NOT_APPLICABLE, it("datadog_operator", addonVersion="1.0")),
    Case("aws-eks-addon-conflicts", Outcome.PASS, it(resolveConflictsOnUpdate="PRESERVE")),
    Case("aws-eks-addon-conflicts", Outcome.FAIL, it(resolveConflictsOnCreate="PRESERVE"), "resolveConflictsOnCreate"),
    Case(
        "aws-eks-addon-conflicts",
        Outcome.FAIL,
        it(resolveConflictsOnUpdate="overwrite"),
        "resolveConflictsOnUpdate",
        "OVERWRITE",
    ),
    Case("aws-eks-addon-conflicts", Outcome.UNKNOWN, it(resolveConflictsOnCreate=UNKNOWN)),
    Case("aws-eks-addon-conflicts", Outcome.NOT_APPLICABLE, it()),
    Case("aws-eks-pod-identity-agent", Outcome.PASS, it(**IDENTITIES) | AGENT, preview=True),
    Case(
        "aws-eks-pod-identity-agent",
        Outcome.FAIL,
        it(**IDENTITIES),
        "podIdentityAssociations",
        "eks-pod-identity-agent",
    ),
    Case("aws-eks-pod-identity-agent", Outcome.FAIL, identity(), "clusterName", preview=True),
    Case("aws-eks-pod-identity-agent", Outcome.UNKNOWN, identity(clusterName="another")),
    Case("aws-eks-pod-identity-agent", Outcome.NOT_APPLICABLE, identity() | cluster(**AUTO)),
    Case("aws-eks-pod-identity-agent", Outcome.NOT_APPLICABLE, it()),
    Case("aws-eks-pod-identity-session-policy", Outcome.PASS, identity(policy="{}", disableSessionTags=True)),
    Case("aws-eks-pod-identity-session-policy", Outcome.FAIL, identity(policy="{}"), "disableSessionTags", "true"),
    Case("aws-eks-pod-identity-session-policy", Outcome.UNKNOWN, identity(policy="{}", disableSessionTags=UNKNOWN)),
    Case("aws-eks-pod-identity-session-policy", Outcome.NOT_APPLICABLE, identity()),
    Case("aws-eks-pod-identity-limit", Outcome.PASS, identities(1000)),
    Case("aws-eks-pod-identity-limit", Outcome.FAIL, identities(1001), says="1001"),
    Case(
        "aws-eks-pod-identity-limit", Outcome.UNKNOWN, cluster("it") | {"one": (POD_IDENTITY, {"clusterName": UNKNOWN})}
    ),
    Case("aws-eks-pod-identity-limit", Outcome.NOT_APPLICABLE, cluster("it")),
    Case(
        "aws-eks-cni-efa-version",
        Outcome.PASS,
        it(addonVersion="v1.18.5-eksbuild.1") | with_efa("efa-only"),
        preview=True,
    ),
    Case(
        "aws-eks-cni-efa-version",
        Outcome.PASS,
        it(addonVersion="v1.9.0-eksbuild.1")
        | with_efa("interface")
        | it(addonVersion="v1.7.10-eksbuild.1")
        | with_efa("efa"),
    ),
    Case(
        "aws-eks-cni-efa-version",
        Outcome.FAIL,
        it(addonVersion="v1.18.4-eksbuild.1") | with_efa("efa-only"),
        "addonVersion",
        "1.18.5",
    ),
    Case(
        "aws-eks-cni-efa-version",
        Outcome.FAIL,
        it(addonVersion="v1.7.9-eksbuild.1") | with_efa("efa"),
        "addonVersion",
        "1.7.10",
    ),
    Case(
        "aws-eks-cni-efa-version",
        Outcome.UNKNOWN,
        it(addonVersion="v1.18.4-eksbuild.1") | from_template("group", launchTemplate=UNKNOWN),
    ),
    Case("aws-eks-cni-efa-version", Outcome.NOT_APPLICABLE, it(addonVersion="v1.18.4-eksbuild.1")),
    Case("aws-eks-addon-once", Outcome.PASS, cluster("it") | added("vpc-cni", "coredns")),
    Case("aws-eks-addon-once", Outcome.FAIL, cluster("it") | added("vpc-cni", "vpc-cni"), says="vpc-cni"),
    Case("aws-eks-addon-once", Outcome.UNKNOWN, cluster("it") | HIDDEN),
    Case("aws-eks-addon-once", Outcome.NOT_APPLICABLE, cluster("it")),
    Case("aws-eks-bare-cluster-cni", Outcome.PASS, cluster("it", **BARE) | added("vpc-cni")),
    Case(
        "aws-eks-bare-cluster-cni",
        Outcome.FAIL,
        cluster("it", **BARE) | added("coredns"),
        "bootstrapSelfManagedAddons",
        "vpc-cni",
    ),
    Case("aws-eks-bare-cluster-cni", Outcome.UNKNOWN, cluster("it", **BARE) | HIDDEN),
    Case("aws-eks-bare-cluster-cni", Outcome.NOT_APPLICABLE, cluster("it", **BARE, **AUTO)),
    Case("aws-eks-bare-cluster-cni", Outcome.NOT_APPLICABLE, cluster("it")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_addon_rule_says_what_eks_would(case: Case) -> None:
    check(case)
