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
    Case("AWS-ADDON-001", Outcome.PASS, it("coredns")),
    Case("AWS-ADDON-001", Outcome.PASS, it("datadog_operator")),
    Case("AWS-ADDON-001", Outcome.FAIL, it("core-dns"), "addonName", "coredns"),
    Case("AWS-ADDON-001", Outcome.UNKNOWN, it(UNKNOWN)),
    Case("AWS-ADDON-001", Outcome.NOT_APPLICABLE, it(None)),
    Case("AWS-ADDON-002", Outcome.PASS, it(addonVersion="v1.20.4-eksbuild.1")),
    Case("AWS-ADDON-002", Outcome.FAIL, it(addonVersion="latest"), "addonVersion", "eksbuild"),
    Case("AWS-ADDON-002", Outcome.UNKNOWN, it(addonVersion=UNKNOWN)),
    Case("AWS-ADDON-002", Outcome.UNKNOWN, it(addonVersion="version-9a47f6e5")),
    Case("AWS-ADDON-002", Outcome.NOT_APPLICABLE, it("datadog_operator", addonVersion="1.0")),
    Case("AWS-ADDON-003", Outcome.PASS, it(resolveConflictsOnUpdate="PRESERVE")),
    Case("AWS-ADDON-003", Outcome.FAIL, it(resolveConflictsOnCreate="PRESERVE"), "resolveConflictsOnCreate"),
    Case(
        "AWS-ADDON-003", Outcome.FAIL, it(resolveConflictsOnUpdate="overwrite"), "resolveConflictsOnUpdate", "OVERWRITE"
    ),
    Case("AWS-ADDON-003", Outcome.UNKNOWN, it(resolveConflictsOnCreate=UNKNOWN)),
    Case("AWS-ADDON-003", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-ADDON-004", Outcome.PASS, it(**IDENTITIES) | AGENT, preview=True),
    Case("AWS-ADDON-004", Outcome.FAIL, it(**IDENTITIES), "podIdentityAssociations", "eks-pod-identity-agent"),
    Case("AWS-ADDON-004", Outcome.FAIL, identity(), "clusterName", preview=True),
    Case("AWS-ADDON-004", Outcome.UNKNOWN, identity(clusterName="another")),
    Case("AWS-ADDON-004", Outcome.NOT_APPLICABLE, identity() | cluster(**AUTO)),
    Case("AWS-ADDON-004", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-ADDON-005", Outcome.PASS, identity(policy="{}", disableSessionTags=True)),
    Case("AWS-ADDON-005", Outcome.FAIL, identity(policy="{}"), "disableSessionTags", "true"),
    Case("AWS-ADDON-005", Outcome.UNKNOWN, identity(policy="{}", disableSessionTags=UNKNOWN)),
    Case("AWS-ADDON-005", Outcome.NOT_APPLICABLE, identity()),
    Case("AWS-ADDON-006", Outcome.PASS, identities(1000)),
    Case("AWS-ADDON-006", Outcome.FAIL, identities(1001), says="1001"),
    Case("AWS-ADDON-006", Outcome.UNKNOWN, cluster("it") | {"one": (POD_IDENTITY, {"clusterName": UNKNOWN})}),
    Case("AWS-ADDON-006", Outcome.NOT_APPLICABLE, cluster("it")),
    Case("AWS-ADDON-007", Outcome.PASS, it(addonVersion="v1.18.5-eksbuild.1") | with_efa("efa-only"), preview=True),
    Case(
        "AWS-ADDON-007",
        Outcome.PASS,
        it(addonVersion="v1.9.0-eksbuild.1")
        | with_efa("interface")
        | it(addonVersion="v1.7.10-eksbuild.1")
        | with_efa("efa"),
    ),
    Case(
        "AWS-ADDON-007",
        Outcome.FAIL,
        it(addonVersion="v1.18.4-eksbuild.1") | with_efa("efa-only"),
        "addonVersion",
        "1.18.5",
    ),
    Case(
        "AWS-ADDON-007", Outcome.FAIL, it(addonVersion="v1.7.9-eksbuild.1") | with_efa("efa"), "addonVersion", "1.7.10"
    ),
    Case(
        "AWS-ADDON-007",
        Outcome.UNKNOWN,
        it(addonVersion="v1.18.4-eksbuild.1") | from_template("group", launchTemplate=UNKNOWN),
    ),
    Case("AWS-ADDON-007", Outcome.NOT_APPLICABLE, it(addonVersion="v1.18.4-eksbuild.1")),
    Case("AWS-ADDON-008", Outcome.PASS, cluster("it") | added("vpc-cni", "coredns")),
    Case("AWS-ADDON-008", Outcome.FAIL, cluster("it") | added("vpc-cni", "vpc-cni"), says="vpc-cni"),
    Case("AWS-ADDON-008", Outcome.UNKNOWN, cluster("it") | HIDDEN),
    Case("AWS-ADDON-008", Outcome.NOT_APPLICABLE, cluster("it")),
    Case("AWS-ADDON-009", Outcome.PASS, cluster("it", **BARE) | added("vpc-cni")),
    Case(
        "AWS-ADDON-009", Outcome.FAIL, cluster("it", **BARE) | added("coredns"), "bootstrapSelfManagedAddons", "vpc-cni"
    ),
    Case("AWS-ADDON-009", Outcome.UNKNOWN, cluster("it", **BARE) | HIDDEN),
    Case("AWS-ADDON-009", Outcome.NOT_APPLICABLE, cluster("it", **BARE, **AUTO)),
    Case("AWS-ADDON-009", Outcome.NOT_APPLICABLE, cluster("it")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_addon_rule_says_what_eks_would(case: Case) -> None:
    check(case)
