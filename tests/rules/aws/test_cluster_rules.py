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
    Case("aws-eks-subnets-one-vpc", Outcome.PASS, it()),
    Case("aws-eks-subnets-one-vpc", Outcome.PASS, it(), preview=True),
    Case("aws-eks-subnets-one-vpc", Outcome.FAIL, TWO_NETWORKS, "vpcConfig.subnetIds", "2 VPCs"),
    Case("aws-eks-subnets-one-vpc", Outcome.FAIL, TWO_NETWORKS, "vpcConfig.subnetIds", preview=True),
    Case("aws-eks-subnets-one-vpc", Outcome.UNKNOWN, placed(**ELSEWHERE)),
    Case("aws-eks-subnets-one-vpc", Outcome.NOT_APPLICABLE, HARDWARE),
    Case("aws-eks-subnets-two-zones", Outcome.PASS, it()),
    Case("aws-eks-subnets-two-zones", Outcome.PASS, it(), preview=True),
    Case("aws-eks-subnets-two-zones", Outcome.FAIL, placed(subnetIds=[Ref("a")]), "vpcConfig.subnetIds", "1 subnet"),
    Case(
        "aws-eks-subnets-two-zones",
        Outcome.FAIL,
        it() | network("us-east-1a", "us-west-2b", availabilityZone="us-east-1a"),
        "vpcConfig.subnetIds",
    ),
    Case("aws-eks-subnets-two-zones", Outcome.UNKNOWN, placed(**ELSEWHERE)),
    Case("aws-eks-subnets-two-zones", Outcome.NOT_APPLICABLE, HARDWARE),
    Case("aws-eks-unsupported-zones", Outcome.PASS, it() | network("x-a", "x-b", availabilityZoneId="use1-az1")),
    Case(
        "aws-eks-unsupported-zones",
        Outcome.FAIL,
        it() | network("x-a", "x-b", availabilityZoneId="use1-az3"),
        "vpcConfig.subnetIds",
    ),
    Case("aws-eks-unsupported-zones", Outcome.UNKNOWN, it()),
    Case("aws-eks-unsupported-zones", Outcome.NOT_APPLICABLE, HARDWARE),
    Case("aws-eks-service-cidr", Outcome.PASS, serviced("172.20.0.0/16")),
    Case(
        "aws-eks-service-cidr",
        Outcome.FAIL,
        serviced("10.0.128.0/20"),
        "kubernetesNetworkConfig.serviceIpv4Cidr",
        "overlaps",
    ),
    Case(
        "aws-eks-service-cidr",
        Outcome.FAIL,
        serviced("10.0.128.0/20"),
        "kubernetesNetworkConfig.serviceIpv4Cidr",
        preview=True,
    ),
    Case(
        "aws-eks-service-cidr",
        Outcome.FAIL,
        serviced("100.64.0.0/16"),
        "kubernetesNetworkConfig.serviceIpv4Cidr",
        "RFC 1918",
    ),
    Case(
        "aws-eks-service-cidr", Outcome.FAIL, serviced("10.8.0.0/25"), "kubernetesNetworkConfig.serviceIpv4Cidr", "/24"
    ),
    Case("aws-eks-service-cidr", Outcome.FAIL, serviced("all"), "kubernetesNetworkConfig.serviceIpv4Cidr"),
    Case("aws-eks-service-cidr", Outcome.UNKNOWN, serviced(UNKNOWN)),
    Case("aws-eks-service-cidr", Outcome.NOT_APPLICABLE, it()),
    Case("aws-eks-version-offered", Outcome.PASS, it()),
    Case("aws-eks-version-offered", Outcome.FAIL, it(version="1.24"), "version", "no longer"),
    Case("aws-eks-version-offered", Outcome.FAIL, it(version="1.99"), "version", "yet"),
    Case("aws-eks-version-offered", Outcome.FAIL, it(version="1.35.2"), "version", "minor version"),
    Case("aws-eks-version-offered", Outcome.UNKNOWN, it(version=UNKNOWN)),
    Case("aws-eks-version-offered", Outcome.NOT_APPLICABLE, it(version=None)),
    Case("aws-eks-version-standard-support", Outcome.PASS, it()),
    Case("aws-eks-version-standard-support", Outcome.FAIL, it(version="1.31"), "version", "2025-11-26"),
    Case("aws-eks-version-standard-support", Outcome.FAIL, it(version="1.37"), "version", "does not know"),
    Case("aws-eks-version-standard-support", Outcome.UNKNOWN, it(version=UNKNOWN)),
    Case("aws-eks-version-standard-support", Outcome.NOT_APPLICABLE, it(version="1.24")),
    Case("aws-eks-version-standard-support", Outcome.NOT_APPLICABLE, it(version=None)),
    Case(
        "aws-eks-encryption-resources",
        Outcome.PASS,
        it(encryptionConfig={"provider": {"keyArn": UNKNOWN}, "resources": ["secrets"]}),
    ),
    Case(
        "aws-eks-encryption-resources",
        Outcome.FAIL,
        it(encryptionConfig={"resources": ["configmaps"]}),
        "encryptionConfig.resources",
    ),
    Case("aws-eks-encryption-resources", Outcome.UNKNOWN, it(encryptionConfig={"resources": [UNKNOWN]})),
    Case("aws-eks-encryption-resources", Outcome.NOT_APPLICABLE, it()),
    Case("aws-eks-endpoint-enabled", Outcome.PASS, placed(endpointPublicAccess=False)),
    Case(
        "aws-eks-endpoint-enabled",
        Outcome.FAIL,
        placed(endpointPublicAccess=False, endpointPrivateAccess=False),
        "vpcConfig.endpointPublicAccess",
    ),
    Case(
        "aws-eks-endpoint-enabled",
        Outcome.FAIL,
        placed(endpointPublicAccess=False, endpointPrivateAccess=None),
        "vpcConfig.endpointPublicAccess",
    ),
    Case("aws-eks-endpoint-enabled", Outcome.UNKNOWN, placed(endpointPublicAccess=UNKNOWN)),
    Case("aws-eks-endpoint-enabled", Outcome.NOT_APPLICABLE, it()),
    Case("aws-eks-public-access-ranges", Outcome.PASS, placed(publicAccessCidrs=["203.0.113.0/24"])),
    Case(
        "aws-eks-public-access-ranges",
        Outcome.FAIL,
        placed(publicAccessCidrs=["10.1.0.0/16"]),
        "vpcConfig.publicAccessCidrs[0]",
    ),
    Case(
        "aws-eks-public-access-ranges",
        Outcome.FAIL,
        placed(publicAccessCidrs=["office"]),
        "vpcConfig.publicAccessCidrs[0]",
    ),
    Case("aws-eks-public-access-ranges", Outcome.UNKNOWN, placed(publicAccessCidrs=[UNKNOWN])),
    Case("aws-eks-public-access-ranges", Outcome.NOT_APPLICABLE, it()),
    Case("aws-eks-restricted-private-endpoint", Outcome.PASS, placed(publicAccessCidrs=["203.0.113.0/24"])),
    Case(
        "aws-eks-restricted-private-endpoint",
        Outcome.PASS,
        placed(publicAccessCidrs=["0.0.0.0/0"], endpointPrivateAccess=False),
    ),
    Case(
        "aws-eks-restricted-private-endpoint",
        Outcome.FAIL,
        placed(publicAccessCidrs=["203.0.113.0/24"], endpointPrivateAccess=None),
        "vpcConfig.endpointPrivateAccess",
    ),
    Case("aws-eks-restricted-private-endpoint", Outcome.UNKNOWN, placed(publicAccessCidrs=UNKNOWN)),
    Case("aws-eks-restricted-private-endpoint", Outcome.NOT_APPLICABLE, it()),
    Case("aws-eks-log-types", Outcome.PASS, it(enabledClusterLogTypes=["api", "audit"])),
    Case("aws-eks-log-types", Outcome.FAIL, it(enabledClusterLogTypes=["api", "kubelet"]), "enabledClusterLogTypes[1]"),
    Case("aws-eks-log-types", Outcome.UNKNOWN, it(enabledClusterLogTypes=[UNKNOWN])),
    Case("aws-eks-log-types", Outcome.NOT_APPLICABLE, it()),
    Case("aws-eks-access-entry-mode", Outcome.PASS, entered(authenticationMode="API_AND_CONFIG_MAP"), preview=True),
    Case("aws-eks-access-entry-mode", Outcome.FAIL, entered(), "accessConfig.authenticationMode", "CONFIG_MAP"),
    Case(
        "aws-eks-access-entry-mode",
        Outcome.FAIL,
        entered(authenticationMode="CONFIG_MAP"),
        "accessConfig.authenticationMode",
        preview=True,
    ),
    Case("aws-eks-access-entry-mode", Outcome.UNKNOWN, {"it": (ACCESS_ENTRY, {"clusterName": "another"})}),
    Case("aws-eks-access-entry-mode", Outcome.NOT_APPLICABLE, {"it": (ACCESS_ENTRY, {})}),
    Case("aws-eks-cluster-admin", Outcome.PASS, it(accessConfig=BARE) | ENTRY, preview=True),
    Case(
        "aws-eks-cluster-admin",
        Outcome.FAIL,
        it(accessConfig=BARE),
        "accessConfig.bootstrapClusterCreatorAdminPermissions",
    ),
    Case(
        "aws-eks-cluster-admin",
        Outcome.UNKNOWN,
        it(accessConfig=BARE) | {"entry": (ACCESS_ENTRY, {"clusterName": UNKNOWN})},
    ),
    Case("aws-eks-cluster-admin", Outcome.NOT_APPLICABLE, it(accessConfig={"authenticationMode": "API"})),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_cluster_rule_says_what_eks_would(case: Case) -> None:
    check(case)
