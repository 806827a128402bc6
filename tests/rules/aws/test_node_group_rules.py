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
    Case("aws-eks-ami-type-fits", Outcome.PASS, group(amiType=NVIDIA, instanceTypes=[P5, "g6.xlarge"])),
    Case(
        "aws-eks-ami-type-fits", Outcome.PASS, from_template(amiType=NVIDIA) | template(instanceType=P5), preview=True
    ),
    Case(
        "aws-eks-ami-type-fits",
        Outcome.PASS,
        group(amiType="AL2023_ARM_64_STANDARD", instanceTypes=["m7g.large", "t4g.small"]),
    ),
    Case("aws-eks-ami-type-fits", Outcome.PASS, group(amiType="AL2_x86_64_GPU", instanceTypes=["trn1.32xlarge"])),
    Case(
        "aws-eks-ami-type-fits",
        Outcome.FAIL,
        group(amiType="AL2023_x86_64_STANDARD", instanceTypes=[P5]),
        "amiType",
        NVIDIA,
    ),
    Case(
        "aws-eks-ami-type-fits", Outcome.FAIL, group(amiType=NVIDIA, instanceTypes=["m5.large"]), "amiType", "STANDARD"
    ),
    Case(
        "aws-eks-ami-type-fits",
        Outcome.FAIL,
        group(amiType=NVIDIA, instanceTypes=["trn2.48xlarge"]),
        "amiType",
        "NEURON",
    ),
    Case(
        "aws-eks-ami-type-fits",
        Outcome.FAIL,
        group(amiType="AL2023_x86_64_STANDARD", instanceTypes=["t4g.large"]),
        "amiType",
    ),
    Case("aws-eks-ami-type-fits", Outcome.FAIL, group(amiType=NVIDIA), "amiType", "t3.medium"),
    Case(
        "aws-eks-ami-type-fits",
        Outcome.FAIL,
        from_template(amiType="AL2023_x86_64_STANDARD") | template(instanceType=P5),
        "amiType",
        preview=True,
    ),
    Case("aws-eks-ami-type-fits", Outcome.UNKNOWN, OUTSIDE),
    Case("aws-eks-ami-type-fits", Outcome.NOT_APPLICABLE, group(amiType="CUSTOM", instanceTypes=[P5])),
    Case("aws-eks-ami-type-fits", Outcome.NOT_APPLICABLE, group(amiType=NVIDIA, instanceTypes=["not.known"])),
    Case("aws-eks-ami-type-set", Outcome.PASS, group(instanceTypes=["m5.large"])),
    Case("aws-eks-ami-type-set", Outcome.FAIL, group(instanceTypes=[P5]), "amiType", NVIDIA),
    Case("aws-eks-ami-type-set", Outcome.FAIL, group(instanceTypes=["m7g.large"]), "amiType", "ARM_64"),
    Case("aws-eks-ami-type-set", Outcome.UNKNOWN, group(instanceTypes=[UNKNOWN])),
    Case("aws-eks-ami-type-set", Outcome.NOT_APPLICABLE, group(amiType=NVIDIA, instanceTypes=[P5])),
    Case("aws-eks-ami-type-set", Outcome.NOT_APPLICABLE, from_template() | template(imageId="ami-1", instanceType=P5)),
    Case("aws-eks-ami-type-published", Outcome.PASS, joined("1.32", amiType="AL2_x86_64")),
    Case("aws-eks-ami-type-published", Outcome.FAIL, joined("1.33", amiType="AL2_x86_64_GPU"), "amiType", NVIDIA),
    Case("aws-eks-ami-type-published", Outcome.FAIL, joined(amiType="AL2_x86_64"), "amiType", "1.35", preview=True),
    Case("aws-eks-ami-type-published", Outcome.UNKNOWN, joined(clusters=UNKNOWN, amiType="AL2_x86_64")),
    Case("aws-eks-ami-type-published", Outcome.NOT_APPLICABLE, group()),
    Case("aws-eks-scaling-order", Outcome.PASS, sized(0, 0, 1)),
    Case("aws-eks-scaling-order", Outcome.FAIL, sized(3, 3, 2), "scalingConfig.minSize", "Use 2 or less"),
    Case("aws-eks-scaling-order", Outcome.FAIL, sized(0, 5, 4), "scalingConfig.desiredSize", "Use 4"),
    Case("aws-eks-scaling-order", Outcome.FAIL, sized(0, 0, 0), "scalingConfig.maxSize"),
    Case("aws-eks-scaling-order", Outcome.UNKNOWN, sized(0, UNKNOWN, 4)),
    Case("aws-eks-scaling-order", Outcome.NOT_APPLICABLE, group(scalingConfig=None)),
    Case("aws-eks-instance-types-one-place", Outcome.PASS, from_template(instanceTypes=[P5]) | template()),
    Case(
        "aws-eks-instance-types-one-place",
        Outcome.FAIL,
        from_template(instanceTypes=[P5]) | template(instanceType=P5),
        "instanceTypes",
        preview=True,
    ),
    Case("aws-eks-instance-types-one-place", Outcome.UNKNOWN, group(launchTemplate={"id": "lt-1"}, instanceTypes=[P5])),
    Case("aws-eks-instance-types-one-place", Outcome.NOT_APPLICABLE, from_template() | template(instanceType=P5)),
    Case("aws-eks-instance-types-one-place", Outcome.NOT_APPLICABLE, group(instanceTypes=[P5])),
    Case("aws-eks-instance-types-limit", Outcome.PASS, group(instanceTypes=["m5.large", "m5a.large"])),
    Case(
        "aws-eks-instance-types-limit",
        Outcome.FAIL,
        group(instanceTypes=[f"m{n}.large" for n in range(21)]),
        "instanceTypes",
        "21",
    ),
    Case(
        "aws-eks-instance-types-limit",
        Outcome.FAIL,
        group(instanceTypes=["m5.large", "m5.large"]),
        "instanceTypes",
        "twice",
    ),
    Case("aws-eks-instance-types-limit", Outcome.UNKNOWN, group(instanceTypes=UNKNOWN)),
    Case("aws-eks-instance-types-limit", Outcome.NOT_APPLICABLE, group()),
    Case("aws-eks-taints-limit", Outcome.PASS, tainted()),
    Case(
        "aws-eks-taints-limit",
        Outcome.FAIL,
        group(taints=[{"key": f"k{n}", "effect": "NO_SCHEDULE"} for n in range(51)]),
        "taints",
        "51",
    ),
    Case(
        "aws-eks-taints-limit",
        Outcome.FAIL,
        group(taints=[{"key": "a", "value": value, "effect": "NO_SCHEDULE"} for value in "xy"]),
        "taints[1].key",
        "twice",
    ),
    Case("aws-eks-taints-limit", Outcome.UNKNOWN, tainted(effect=UNKNOWN)),
    Case("aws-eks-taints-limit", Outcome.NOT_APPLICABLE, group(taints=[])),
    Case(
        "aws-eks-update-one-bound", Outcome.PASS, group(updateConfig={"maxUnavailable": 1, "updateStrategy": "MINIMAL"})
    ),
    Case(
        "aws-eks-update-one-bound",
        Outcome.FAIL,
        group(updateConfig={"maxUnavailable": 1, "maxUnavailablePercentage": 10}),
        "updateConfig",
    ),
    Case(
        "aws-eks-update-one-bound",
        Outcome.FAIL,
        group(updateConfig={"maxUnavailable": 0}),
        "updateConfig.maxUnavailable",
    ),
    Case("aws-eks-update-one-bound", Outcome.UNKNOWN, group(updateConfig={"maxUnavailable": UNKNOWN})),
    Case("aws-eks-update-one-bound", Outcome.NOT_APPLICABLE, group()),
    Case("aws-eks-repair-one-bound", Outcome.PASS, group(nodeRepairConfig={"enabled": True})),
    Case(
        "aws-eks-repair-one-bound",
        Outcome.FAIL,
        group(nodeRepairConfig={"maxParallelNodesRepairedCount": 1, "maxParallelNodesRepairedPercentage": 5}),
        "nodeRepairConfig.maxParallelNodesRepairedCount",
    ),
    Case("aws-eks-repair-one-bound", Outcome.UNKNOWN, group(nodeRepairConfig=UNKNOWN)),
    Case("aws-eks-repair-one-bound", Outcome.NOT_APPLICABLE, group()),
    Case("aws-instance-type-exists", Outcome.PASS, group(instanceTypes=["m5.large"])),
    Case("aws-instance-type-exists", Outcome.PASS, {"it": (INSTANCE, {"instanceType": "t3.micro"})}),
    Case(
        "aws-instance-type-exists",
        Outcome.FAIL,
        group(instanceTypes=[P5, "p5.48xlarg"]),
        "instanceTypes[1]",
        "p5.48xlarge",
    ),
    Case(
        "aws-instance-type-exists",
        Outcome.FAIL,
        scaled() | template(instanceType="m5.huge"),
        "instanceType",
        preview=True,
    ),
    Case("aws-instance-type-exists", Outcome.FAIL, {"it": (INSTANCE, {"instanceType": "t3.middle"})}, "instanceType"),
    Case("aws-instance-type-exists", Outcome.UNKNOWN, OUTSIDE),
    Case("aws-instance-type-exists", Outcome.UNKNOWN, scaled(launchTemplate=None, launchConfiguration="lc")),
    Case("aws-instance-type-exists", Outcome.NOT_APPLICABLE, group(instanceTypes=["h100.48xlarge"])),
    Case("aws-instance-family-known", Outcome.PASS, group()),
    Case(
        "aws-instance-family-known",
        Outcome.FAIL,
        group(instanceTypes=["p5f.48xlarge"]),
        "instanceTypes[0]",
        "p5.48xlarge",
    ),
    Case(
        "aws-instance-family-known",
        Outcome.UNKNOWN,
        from_template() | template(instanceRequirements={"vcpuCount": {"min": 1}}),
    ),
    Case("aws-instance-family-known", Outcome.NOT_APPLICABLE, scaled() | template()),
    Case("aws-instance-type-in-region", Outcome.PASS, group(instanceTypes=[P5])),
    Case("aws-instance-type-in-region", Outcome.PASS, group(instanceTypes=[P5]) | network("zz-nowhere-1a")),
    Case(
        "aws-instance-type-in-region",
        Outcome.FAIL,
        group(instanceTypes=[P5]) | network("af-south-1a"),
        "instanceTypes[0]",
        "us-east-1",
    ),
    Case(
        "aws-instance-type-in-region",
        Outcome.FAIL,
        from_template() | template(instanceType=P5) | network("af-south-1a"),
        "instanceType",
        preview=True,
    ),
    Case("aws-instance-type-in-region", Outcome.UNKNOWN, group(instanceTypes=[P5], subnetIds=["subnet-1"])),
    Case("aws-instance-type-in-region", Outcome.NOT_APPLICABLE, group(instanceTypes=["m5.large"])),
    Case("aws-eks-node-version-skew", Outcome.PASS, joined("1.35")),
    Case("aws-eks-node-version-skew", Outcome.PASS, joined("1.32"), preview=True),
    Case("aws-eks-node-version-skew", Outcome.FAIL, joined("1.36"), "version", "newer than"),
    Case("aws-eks-node-version-skew", Outcome.FAIL, joined("1.31"), "version", "behind", preview=True),
    Case("aws-eks-node-version-skew", Outcome.FAIL, joined("latest"), "version"),
    Case("aws-eks-node-version-skew", Outcome.UNKNOWN, group(clusterName="another", version="1.35")),
    Case("aws-eks-node-version-skew", Outcome.NOT_APPLICABLE, joined()),
    Case("aws-eks-nodes-in-cluster-vpc", Outcome.PASS, joined()),
    Case("aws-eks-nodes-in-cluster-vpc", Outcome.PASS, joined(), preview=True),
    Case(
        "aws-eks-nodes-in-cluster-vpc",
        Outcome.FAIL,
        joined(subnetIds=[Ref("away")]) | ELSEWHERE,
        "subnetIds",
        "another VPC",
    ),
    Case(
        "aws-eks-nodes-in-cluster-vpc",
        Outcome.FAIL,
        joined(subnetIds=[Ref("away")]) | ELSEWHERE,
        "subnetIds",
        preview=True,
    ),
    Case("aws-eks-nodes-in-cluster-vpc", Outcome.UNKNOWN, joined(subnetIds=["subnet-1"])),
    Case(
        "aws-eks-nodes-in-cluster-vpc",
        Outcome.NOT_APPLICABLE,
        joined() | {"cluster": ("aws:eks/cluster:Cluster", {"name": "prod"})},
    ),
    Case("aws-eks-node-group-name", Outcome.PASS, group(nodeGroupName="train-1_a")),
    Case("aws-eks-node-group-name", Outcome.FAIL, group(nodeGroupName="n" * 64), "nodeGroupName"),
    Case("aws-eks-node-group-name", Outcome.FAIL, group(nodeGroupName="-a"), "nodeGroupName"),
    Case("aws-eks-node-group-name", Outcome.UNKNOWN, group(nodeGroupName=UNKNOWN)),
    Case("aws-eks-node-group-name", Outcome.NOT_APPLICABLE, group()),
    Case(
        "aws-eks-node-labels",
        Outcome.PASS,
        group(labels={"node.kubernetes.io/role": "a", "nvidia.com/gpu.present": "true"}),
    ),
    Case(
        "aws-eks-node-labels",
        Outcome.FAIL,
        group(labels={"node-role.kubernetes.io/worker": "a"}),
        "labels.node-role.kubernetes.io/worker",
    ),
    Case("aws-eks-node-labels", Outcome.FAIL, group(labels={"pool": ""}), "labels.pool"),
    Case("aws-eks-node-labels", Outcome.FAIL, group(labels={"pool": "train set"}), "labels.pool", "'train set'"),
    Case("aws-eks-node-labels", Outcome.UNKNOWN, group(labels=UNKNOWN)),
    Case("aws-eks-node-labels", Outcome.NOT_APPLICABLE, group(labels={})),
    Case("aws-eks-machine-support", Outcome.PASS, joined("1.33", instanceTypes=["p6e-gb200.36xlarge"])),
    Case(
        "aws-eks-machine-support", Outcome.FAIL, joined("1.32", instanceTypes=["p6e-gb200.36xlarge"]), "version", "1.33"
    ),
    Case("aws-eks-machine-support", Outcome.FAIL, group(instanceTypes=["g7.2xlarge"]), "amiType", "595"),
    Case("aws-eks-machine-support", Outcome.UNKNOWN, group(instanceTypes=["p6e-gb200.36xlarge"], clusterName="other")),
    Case("aws-eks-machine-support", Outcome.NOT_APPLICABLE, group(instanceTypes=["g7.2xlarge"], amiType="CUSTOM")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_node_group_rule_says_what_eks_would(case: Case) -> None:
    check(case)
