"""Node groups: what EKS takes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.awsprograms import Parts, cluster, from_template, group, network, scaled, template
from tests.rulecases import Case, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import INSTANCE, SUBNET, VPC

P5 = "p5.48xlarge"
NVIDIA = "AL2023_x86_64_NVIDIA"
OUTSIDE = group(launchTemplate={"id": "lt-0123456789abcdef0"}, amiType=NVIDIA)


def sized(low: Any, wanted: Any, high: Any) -> Parts:
    """A node group with these numbers of nodes."""
    return group(scalingConfig={"minSize": low, "desiredSize": wanted, "maxSize": high})


def joined(version: Any = None, *, clusters: Any = "1.35", **inputs: Any) -> Parts:
    """A node group of a version in a cluster of another."""
    return cluster(version=clusters) | group(clusterName=Ref("cluster", "name"), version=version, **inputs)


def tainted(**taint: Any) -> Parts:
    """A node group with one taint."""
    return group(taints=[{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE", **taint}])


ELSEWHERE: Parts = {
    "other": (VPC, {"cidrBlock": "10.1.0.0/16"}),
    "away": (SUBNET, {"vpcId": Ref("other"), "availabilityZone": "us-east-1a"}),
}

CASES = [
    Case("AWS-NODES-001", Outcome.PASS, group(amiType=NVIDIA, instanceTypes=[P5, "g6.xlarge"])),
    Case("AWS-NODES-001", Outcome.PASS, from_template(amiType=NVIDIA) | template(instanceType=P5), preview=True),
    Case(
        "AWS-NODES-001", Outcome.PASS, group(amiType="AL2023_ARM_64_STANDARD", instanceTypes=["m7g.large", "t4g.small"])
    ),
    Case("AWS-NODES-001", Outcome.PASS, group(amiType="AL2_x86_64_GPU", instanceTypes=["trn1.32xlarge"])),
    Case("AWS-NODES-001", Outcome.FAIL, group(amiType="AL2023_x86_64_STANDARD", instanceTypes=[P5]), "amiType", NVIDIA),
    Case("AWS-NODES-001", Outcome.FAIL, group(amiType=NVIDIA, instanceTypes=["m5.large"]), "amiType", "STANDARD"),
    Case("AWS-NODES-001", Outcome.FAIL, group(amiType=NVIDIA, instanceTypes=["trn2.48xlarge"]), "amiType", "NEURON"),
    Case(
        "AWS-NODES-001", Outcome.FAIL, group(amiType="AL2023_x86_64_STANDARD", instanceTypes=["t4g.large"]), "amiType"
    ),
    Case("AWS-NODES-001", Outcome.FAIL, group(amiType=NVIDIA), "amiType", "t3.medium"),
    Case(
        "AWS-NODES-001",
        Outcome.FAIL,
        from_template(amiType="AL2023_x86_64_STANDARD") | template(instanceType=P5),
        "amiType",
        preview=True,
    ),
    Case("AWS-NODES-001", Outcome.UNKNOWN, OUTSIDE),
    Case("AWS-NODES-001", Outcome.NOT_APPLICABLE, group(amiType="CUSTOM", instanceTypes=[P5])),
    Case("AWS-NODES-001", Outcome.NOT_APPLICABLE, group(amiType=NVIDIA, instanceTypes=["not.known"])),
    Case("AWS-NODES-002", Outcome.PASS, group(instanceTypes=["m5.large"])),
    Case("AWS-NODES-002", Outcome.FAIL, group(instanceTypes=[P5]), "amiType", NVIDIA),
    Case("AWS-NODES-002", Outcome.FAIL, group(instanceTypes=["m7g.large"]), "amiType", "ARM_64"),
    Case("AWS-NODES-002", Outcome.UNKNOWN, group(instanceTypes=[UNKNOWN])),
    Case("AWS-NODES-002", Outcome.NOT_APPLICABLE, group(amiType=NVIDIA, instanceTypes=[P5])),
    Case("AWS-NODES-002", Outcome.NOT_APPLICABLE, from_template() | template(imageId="ami-1", instanceType=P5)),
    Case("AWS-NODES-003", Outcome.PASS, joined("1.32", amiType="AL2_x86_64")),
    Case("AWS-NODES-003", Outcome.FAIL, joined("1.33", amiType="AL2_x86_64_GPU"), "amiType", NVIDIA),
    Case("AWS-NODES-003", Outcome.FAIL, joined(amiType="AL2_x86_64"), "amiType", "1.35", preview=True),
    Case("AWS-NODES-003", Outcome.UNKNOWN, joined(clusters=UNKNOWN, amiType="AL2_x86_64")),
    Case("AWS-NODES-003", Outcome.NOT_APPLICABLE, group()),
    Case("AWS-NODES-004", Outcome.PASS, sized(0, 0, 1)),
    Case("AWS-NODES-004", Outcome.FAIL, sized(3, 3, 2), "scalingConfig.minSize", "Use 2 or less"),
    Case("AWS-NODES-004", Outcome.FAIL, sized(0, 5, 4), "scalingConfig.desiredSize", "Use 4"),
    Case("AWS-NODES-004", Outcome.FAIL, sized(0, 0, 0), "scalingConfig.maxSize"),
    Case("AWS-NODES-004", Outcome.UNKNOWN, sized(0, UNKNOWN, 4)),
    Case("AWS-NODES-004", Outcome.NOT_APPLICABLE, group(scalingConfig=None)),
    Case("AWS-NODES-005", Outcome.PASS, from_template(instanceTypes=[P5]) | template()),
    Case(
        "AWS-NODES-005",
        Outcome.FAIL,
        from_template(instanceTypes=[P5]) | template(instanceType=P5),
        "instanceTypes",
        preview=True,
    ),
    Case("AWS-NODES-005", Outcome.UNKNOWN, group(launchTemplate={"id": "lt-1"}, instanceTypes=[P5])),
    Case("AWS-NODES-005", Outcome.NOT_APPLICABLE, from_template() | template(instanceType=P5)),
    Case("AWS-NODES-005", Outcome.NOT_APPLICABLE, group(instanceTypes=[P5])),
    Case("AWS-NODES-006", Outcome.PASS, group(instanceTypes=["m5.large", "m5a.large"])),
    Case("AWS-NODES-006", Outcome.FAIL, group(instanceTypes=[f"m{n}.large" for n in range(21)]), "instanceTypes", "21"),
    Case("AWS-NODES-006", Outcome.FAIL, group(instanceTypes=["m5.large", "m5.large"]), "instanceTypes", "twice"),
    Case("AWS-NODES-006", Outcome.UNKNOWN, group(instanceTypes=UNKNOWN)),
    Case("AWS-NODES-006", Outcome.NOT_APPLICABLE, group()),
    Case("AWS-NODES-007", Outcome.PASS, tainted()),
    Case(
        "AWS-NODES-007",
        Outcome.FAIL,
        group(taints=[{"key": f"k{n}", "effect": "NO_SCHEDULE"} for n in range(51)]),
        "taints",
        "51",
    ),
    Case(
        "AWS-NODES-007",
        Outcome.FAIL,
        group(taints=[{"key": "a", "value": value, "effect": "NO_SCHEDULE"} for value in "xy"]),
        "taints[1].key",
        "twice",
    ),
    Case("AWS-NODES-007", Outcome.UNKNOWN, tainted(effect=UNKNOWN)),
    Case("AWS-NODES-007", Outcome.NOT_APPLICABLE, group(taints=[])),
    Case("AWS-NODES-008", Outcome.PASS, group(updateConfig={"maxUnavailable": 1, "updateStrategy": "MINIMAL"})),
    Case(
        "AWS-NODES-008",
        Outcome.FAIL,
        group(updateConfig={"maxUnavailable": 1, "maxUnavailablePercentage": 10}),
        "updateConfig",
    ),
    Case("AWS-NODES-008", Outcome.FAIL, group(updateConfig={"maxUnavailable": 0}), "updateConfig.maxUnavailable"),
    Case("AWS-NODES-008", Outcome.UNKNOWN, group(updateConfig={"maxUnavailable": UNKNOWN})),
    Case("AWS-NODES-008", Outcome.NOT_APPLICABLE, group()),
    Case("AWS-NODES-009", Outcome.PASS, group(nodeRepairConfig={"enabled": True})),
    Case(
        "AWS-NODES-009",
        Outcome.FAIL,
        group(nodeRepairConfig={"maxParallelNodesRepairedCount": 1, "maxParallelNodesRepairedPercentage": 5}),
        "nodeRepairConfig.maxParallelNodesRepairedCount",
    ),
    Case("AWS-NODES-009", Outcome.UNKNOWN, group(nodeRepairConfig=UNKNOWN)),
    Case("AWS-NODES-009", Outcome.NOT_APPLICABLE, group()),
    Case("AWS-NODES-010", Outcome.PASS, group(instanceTypes=["m5.large"])),
    Case("AWS-NODES-010", Outcome.PASS, {"it": (INSTANCE, {"instanceType": "t3.micro"})}),
    Case("AWS-NODES-010", Outcome.FAIL, group(instanceTypes=[P5, "p5.48xlarg"]), "instanceTypes[1]", "p5.48xlarge"),
    Case("AWS-NODES-010", Outcome.FAIL, scaled() | template(instanceType="m5.huge"), "instanceType", preview=True),
    Case("AWS-NODES-010", Outcome.FAIL, {"it": (INSTANCE, {"instanceType": "t3.middle"})}, "instanceType"),
    Case("AWS-NODES-010", Outcome.UNKNOWN, OUTSIDE),
    Case("AWS-NODES-010", Outcome.UNKNOWN, scaled(launchTemplate=None, launchConfiguration="lc")),
    Case("AWS-NODES-010", Outcome.NOT_APPLICABLE, group(instanceTypes=["h100.48xlarge"])),
    Case("AWS-NODES-011", Outcome.PASS, group()),
    Case("AWS-NODES-011", Outcome.FAIL, group(instanceTypes=["p5f.48xlarge"]), "instanceTypes[0]", "p5.48xlarge"),
    Case("AWS-NODES-011", Outcome.UNKNOWN, from_template() | template(instanceRequirements={"vcpuCount": {"min": 1}})),
    Case("AWS-NODES-011", Outcome.NOT_APPLICABLE, scaled() | template()),
    Case("AWS-NODES-012", Outcome.PASS, group(instanceTypes=[P5])),
    Case("AWS-NODES-012", Outcome.PASS, group(instanceTypes=[P5]) | network("zz-nowhere-1a")),
    Case(
        "AWS-NODES-012",
        Outcome.FAIL,
        group(instanceTypes=[P5]) | network("af-south-1a"),
        "instanceTypes[0]",
        "us-east-1",
    ),
    Case(
        "AWS-NODES-012",
        Outcome.FAIL,
        from_template() | template(instanceType=P5) | network("af-south-1a"),
        "instanceType",
        preview=True,
    ),
    Case("AWS-NODES-012", Outcome.UNKNOWN, group(instanceTypes=[P5], subnetIds=["subnet-1"])),
    Case("AWS-NODES-012", Outcome.NOT_APPLICABLE, group(instanceTypes=["m5.large"])),
    Case("AWS-NODES-013", Outcome.PASS, joined("1.35")),
    Case("AWS-NODES-013", Outcome.PASS, joined("1.32"), preview=True),
    Case("AWS-NODES-013", Outcome.FAIL, joined("1.36"), "version", "newer than"),
    Case("AWS-NODES-013", Outcome.FAIL, joined("1.31"), "version", "behind", preview=True),
    Case("AWS-NODES-013", Outcome.FAIL, joined("latest"), "version"),
    Case("AWS-NODES-013", Outcome.UNKNOWN, group(clusterName="another", version="1.35")),
    Case("AWS-NODES-013", Outcome.NOT_APPLICABLE, joined()),
    Case("AWS-NODES-014", Outcome.PASS, joined()),
    Case("AWS-NODES-014", Outcome.PASS, joined(), preview=True),
    Case("AWS-NODES-014", Outcome.FAIL, joined(subnetIds=[Ref("away")]) | ELSEWHERE, "subnetIds", "another VPC"),
    Case("AWS-NODES-014", Outcome.FAIL, joined(subnetIds=[Ref("away")]) | ELSEWHERE, "subnetIds", preview=True),
    Case("AWS-NODES-014", Outcome.UNKNOWN, joined(subnetIds=["subnet-1"])),
    Case(
        "AWS-NODES-014", Outcome.NOT_APPLICABLE, joined() | {"cluster": ("aws:eks/cluster:Cluster", {"name": "prod"})}
    ),
    Case("AWS-NODES-015", Outcome.PASS, group(nodeGroupName="train-1_a")),
    Case("AWS-NODES-015", Outcome.FAIL, group(nodeGroupName="n" * 64), "nodeGroupName"),
    Case("AWS-NODES-015", Outcome.FAIL, group(nodeGroupName="-a"), "nodeGroupName"),
    Case("AWS-NODES-015", Outcome.UNKNOWN, group(nodeGroupName=UNKNOWN)),
    Case("AWS-NODES-015", Outcome.NOT_APPLICABLE, group()),
    Case(
        "AWS-NODES-016", Outcome.PASS, group(labels={"node.kubernetes.io/role": "a", "nvidia.com/gpu.present": "true"})
    ),
    Case(
        "AWS-NODES-016",
        Outcome.FAIL,
        group(labels={"node-role.kubernetes.io/worker": "a"}),
        "labels.node-role.kubernetes.io/worker",
    ),
    Case("AWS-NODES-016", Outcome.FAIL, group(labels={"pool": ""}), "labels.pool"),
    Case("AWS-NODES-016", Outcome.FAIL, group(labels={"pool": "train set"}), "labels.pool", "'train set'"),
    Case("AWS-NODES-016", Outcome.UNKNOWN, group(labels=UNKNOWN)),
    Case("AWS-NODES-016", Outcome.NOT_APPLICABLE, group(labels={})),
    Case("AWS-NODES-017", Outcome.PASS, joined("1.33", instanceTypes=["p6e-gb200.36xlarge"])),
    Case("AWS-NODES-017", Outcome.FAIL, joined("1.32", instanceTypes=["p6e-gb200.36xlarge"]), "version", "1.33"),
    Case("AWS-NODES-017", Outcome.FAIL, group(instanceTypes=["g7.2xlarge"]), "amiType", "595"),
    Case("AWS-NODES-017", Outcome.UNKNOWN, group(instanceTypes=["p6e-gb200.36xlarge"], clusterName="other")),
    Case("AWS-NODES-017", Outcome.NOT_APPLICABLE, group(instanceTypes=["g7.2xlarge"], amiType="CUSTOM")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_node_group_rule_says_what_eks_would(case: Case) -> None:
    check(case)
