"""Clusters: what EKS takes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.awsprograms import Parts, cluster, network
from tests.rulecases import Case, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import ACCESS_ENTRY, CLUSTER, SUBNET, VPC

ELSEWHERE = {"subnetIds": ["subnet-1", "subnet-2"]}


def it(**inputs: Any) -> Parts:
    """A cluster."""
    return cluster("it", **inputs)


def placed(**place: Any) -> Parts:
    """A cluster with these settings of its place in the network."""
    return it(vpcConfig=place)


def serviced(cidr: Any) -> Parts:
    """A cluster with this range of services."""
    return it(kubernetesNetworkConfig={"serviceIpv4Cidr": cidr})


def entered(**access: Any) -> Parts:
    """An access entry in a cluster with this configuration of access."""
    return cluster(accessConfig=access) | {"it": (ACCESS_ENTRY, {"clusterName": Ref("cluster", "name")})}


BARE = {"bootstrapClusterCreatorAdminPermissions": False, "authenticationMode": "API"}
ENTRY: Parts = {"entry": (ACCESS_ENTRY, {"clusterName": Ref("it", "name")})}
HARDWARE: Parts = {"it": (CLUSTER, {"name": "prod"})}

TWO_NETWORKS: Parts = {**it(), "elsewhere": (VPC, {}), "b": (SUBNET, {"vpcId": Ref("elsewhere")})}

CASES = [
    Case("AWS-EKS-013", Outcome.PASS, it()),
    Case("AWS-EKS-013", Outcome.PASS, it(), preview=True),
    Case("AWS-EKS-013", Outcome.FAIL, TWO_NETWORKS, "vpcConfig.subnetIds", "2 VPCs"),
    Case("AWS-EKS-013", Outcome.FAIL, TWO_NETWORKS, "vpcConfig.subnetIds", preview=True),
    Case("AWS-EKS-013", Outcome.UNKNOWN, placed(**ELSEWHERE)),
    Case("AWS-EKS-013", Outcome.NOT_APPLICABLE, HARDWARE),
    Case("AWS-EKS-001", Outcome.PASS, it()),
    Case("AWS-EKS-001", Outcome.PASS, it(), preview=True),
    Case("AWS-EKS-001", Outcome.FAIL, placed(subnetIds=[Ref("a")]), "vpcConfig.subnetIds", "1 subnet"),
    Case(
        "AWS-EKS-001",
        Outcome.FAIL,
        it() | network("us-east-1a", "us-west-2b", availabilityZone="us-east-1a"),
        "vpcConfig.subnetIds",
    ),
    Case("AWS-EKS-001", Outcome.UNKNOWN, placed(**ELSEWHERE)),
    Case("AWS-EKS-001", Outcome.NOT_APPLICABLE, HARDWARE),
    Case("AWS-EKS-002", Outcome.PASS, it() | network("x-a", "x-b", availabilityZoneId="use1-az1")),
    Case(
        "AWS-EKS-002", Outcome.FAIL, it() | network("x-a", "x-b", availabilityZoneId="use1-az3"), "vpcConfig.subnetIds"
    ),
    Case("AWS-EKS-002", Outcome.UNKNOWN, it()),
    Case("AWS-EKS-002", Outcome.NOT_APPLICABLE, HARDWARE),
    Case("AWS-EKS-003", Outcome.PASS, serviced("172.20.0.0/16")),
    Case("AWS-EKS-003", Outcome.FAIL, serviced("10.0.128.0/20"), "kubernetesNetworkConfig.serviceIpv4Cidr", "overlaps"),
    Case(
        "AWS-EKS-003",
        Outcome.FAIL,
        serviced("10.0.128.0/20"),
        "kubernetesNetworkConfig.serviceIpv4Cidr",
        preview=True,
    ),
    Case("AWS-EKS-003", Outcome.FAIL, serviced("100.64.0.0/16"), "kubernetesNetworkConfig.serviceIpv4Cidr", "RFC 1918"),
    Case("AWS-EKS-003", Outcome.FAIL, serviced("10.8.0.0/25"), "kubernetesNetworkConfig.serviceIpv4Cidr", "/24"),
    Case("AWS-EKS-003", Outcome.FAIL, serviced("all"), "kubernetesNetworkConfig.serviceIpv4Cidr"),
    Case("AWS-EKS-003", Outcome.UNKNOWN, serviced(UNKNOWN)),
    Case("AWS-EKS-003", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-EKS-004", Outcome.PASS, it()),
    Case("AWS-EKS-004", Outcome.FAIL, it(version="1.24"), "version", "no longer"),
    Case("AWS-EKS-004", Outcome.FAIL, it(version="1.99"), "version", "yet"),
    Case("AWS-EKS-004", Outcome.FAIL, it(version="1.35.2"), "version", "minor version"),
    Case("AWS-EKS-004", Outcome.UNKNOWN, it(version=UNKNOWN)),
    Case("AWS-EKS-004", Outcome.NOT_APPLICABLE, it(version=None)),
    Case("AWS-EKS-005", Outcome.PASS, it()),
    Case("AWS-EKS-005", Outcome.FAIL, it(version="1.31"), "version", "2025-11-26"),
    Case("AWS-EKS-005", Outcome.FAIL, it(version="1.37"), "version", "does not know"),
    Case("AWS-EKS-005", Outcome.UNKNOWN, it(version=UNKNOWN)),
    Case("AWS-EKS-005", Outcome.NOT_APPLICABLE, it(version="1.24")),
    Case("AWS-EKS-005", Outcome.NOT_APPLICABLE, it(version=None)),
    Case("AWS-EKS-006", Outcome.PASS, it(encryptionConfig={"provider": {"keyArn": UNKNOWN}, "resources": ["secrets"]})),
    Case("AWS-EKS-006", Outcome.FAIL, it(encryptionConfig={"resources": ["configmaps"]}), "encryptionConfig.resources"),
    Case("AWS-EKS-006", Outcome.UNKNOWN, it(encryptionConfig={"resources": [UNKNOWN]})),
    Case("AWS-EKS-006", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-EKS-007", Outcome.PASS, placed(endpointPublicAccess=False)),
    Case(
        "AWS-EKS-007",
        Outcome.FAIL,
        placed(endpointPublicAccess=False, endpointPrivateAccess=False),
        "vpcConfig.endpointPublicAccess",
    ),
    Case(
        "AWS-EKS-007",
        Outcome.FAIL,
        placed(endpointPublicAccess=False, endpointPrivateAccess=None),
        "vpcConfig.endpointPublicAccess",
    ),
    Case("AWS-EKS-007", Outcome.UNKNOWN, placed(endpointPublicAccess=UNKNOWN)),
    Case("AWS-EKS-007", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-EKS-008", Outcome.PASS, placed(publicAccessCidrs=["203.0.113.0/24"])),
    Case("AWS-EKS-008", Outcome.FAIL, placed(publicAccessCidrs=["10.1.0.0/16"]), "vpcConfig.publicAccessCidrs[0]"),
    Case("AWS-EKS-008", Outcome.FAIL, placed(publicAccessCidrs=["office"]), "vpcConfig.publicAccessCidrs[0]"),
    Case("AWS-EKS-008", Outcome.UNKNOWN, placed(publicAccessCidrs=[UNKNOWN])),
    Case("AWS-EKS-008", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-EKS-009", Outcome.PASS, placed(publicAccessCidrs=["203.0.113.0/24"])),
    Case("AWS-EKS-009", Outcome.PASS, placed(publicAccessCidrs=["0.0.0.0/0"], endpointPrivateAccess=False)),
    Case(
        "AWS-EKS-009",
        Outcome.FAIL,
        placed(publicAccessCidrs=["203.0.113.0/24"], endpointPrivateAccess=None),
        "vpcConfig.endpointPrivateAccess",
    ),
    Case("AWS-EKS-009", Outcome.UNKNOWN, placed(publicAccessCidrs=UNKNOWN)),
    Case("AWS-EKS-009", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-EKS-010", Outcome.PASS, it(enabledClusterLogTypes=["api", "audit"])),
    Case("AWS-EKS-010", Outcome.FAIL, it(enabledClusterLogTypes=["api", "kubelet"]), "enabledClusterLogTypes[1]"),
    Case("AWS-EKS-010", Outcome.UNKNOWN, it(enabledClusterLogTypes=[UNKNOWN])),
    Case("AWS-EKS-010", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-EKS-011", Outcome.PASS, entered(authenticationMode="API_AND_CONFIG_MAP"), preview=True),
    Case("AWS-EKS-011", Outcome.FAIL, entered(), "accessConfig.authenticationMode", "CONFIG_MAP"),
    Case(
        "AWS-EKS-011",
        Outcome.FAIL,
        entered(authenticationMode="CONFIG_MAP"),
        "accessConfig.authenticationMode",
        preview=True,
    ),
    Case("AWS-EKS-011", Outcome.UNKNOWN, {"it": (ACCESS_ENTRY, {"clusterName": "another"})}),
    Case("AWS-EKS-011", Outcome.NOT_APPLICABLE, {"it": (ACCESS_ENTRY, {})}),
    Case("AWS-EKS-012", Outcome.PASS, it(accessConfig=BARE) | ENTRY, preview=True),
    Case("AWS-EKS-012", Outcome.FAIL, it(accessConfig=BARE), "accessConfig.bootstrapClusterCreatorAdminPermissions"),
    Case("AWS-EKS-012", Outcome.UNKNOWN, it(accessConfig=BARE) | {"entry": (ACCESS_ENTRY, {"clusterName": UNKNOWN})}),
    Case("AWS-EKS-012", Outcome.NOT_APPLICABLE, it(accessConfig={"authenticationMode": "API"})),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_cluster_rule_says_what_eks_would(case: Case) -> None:
    check(case)
