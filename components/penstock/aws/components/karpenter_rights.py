"""The rights of Karpenter's controller: it starts, tags and stops machines of its own cluster, and no others.

Source: aws/karpenter-provider-aws v1.14.1, getting started, cloudformation.yaml. The instance profile exists already
here, so Karpenter needs no right to create or change one, and it may hand machines one role only.
"""

from __future__ import annotations

from typing import Any

import pulumi

from penstock.aws.components.policy_documents import Statement
from penstock.catalog.regions import Region

_READ = (
    "ec2:DescribeCapacityReservations",
    "ec2:DescribeImages",
    "ec2:DescribeInstances",
    "ec2:DescribeInstanceStatus",
    "ec2:DescribeInstanceTypeOfferings",
    "ec2:DescribeInstanceTypes",
    "ec2:DescribeLaunchTemplates",
    "ec2:DescribePlacementGroups",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeSpotPriceHistory",
    "ec2:DescribeSubnets",
)
_PUBLIC = ("image", "snapshot")
"""What machines are started with and no account owns, as ARNs have it; `_USED` is of the account."""

_USED = ("capacity-reservation", "placement-group", "security-group", "subnet")
_STARTED = ("fleet", "instance", "launch-template", "network-interface", "spot-instances-request", "volume")


def rights(
    place: Region,
    *,
    account: pulumi.Input[str],
    cluster_name: str,
    node_role: pulumi.Input[str],
    queue: pulumi.Input[str],
) -> list[Statement]:
    """The statements of the controller's policy.

    Args:
        place: The region of the cluster.
        account: The id of its account.
        cluster_name: By this name Karpenter tags what it creates.
        node_role: The ARN of the role of its machines.
        queue: The ARN of the queue that it reads interruptions from.
    """
    return [
        *_starting(place, cluster_name),
        *_tagging_and_stopping(place, cluster_name),
        {
            "Sid": "PassTheRoleOfNodes",
            "Effect": "Allow",
            "Action": "iam:PassRole",
            "Resource": node_role,
            "Condition": {"StringEquals": {"iam:PassedToService": ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"]}},
        },
        {
            "Sid": "ReadInterruptions",
            "Effect": "Allow",
            "Action": ["sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"],
            "Resource": queue,
        },
        {
            "Sid": "ReadTheCluster",
            "Effect": "Allow",
            "Action": "eks:DescribeCluster",
            "Resource": pulumi.Output.concat(
                f"arn:{place.partition}:eks:{place.name}:", account, f":cluster/{cluster_name}"
            ),
        },
        *_reading(place, account),
    ]


def _starting(place: Region, cluster_name: str) -> list[Statement]:
    start = ["ec2:RunInstances", "ec2:CreateFleet"]
    return [
        {
            "Sid": "StartWithWhatExists",
            "Effect": "Allow",
            "Action": start,
            "Resource": [
                *(f"arn:{place.partition}:ec2:{place.name}::{kind}/*" for kind in _PUBLIC),
                *_of_kinds(place, *_USED),
            ],
        },
        {
            "Sid": "StartFromItsOwnTemplates",
            "Effect": "Allow",
            "Action": start,
            "Resource": _of_kinds(place, "launch-template"),
            "Condition": _has(cluster_name),
        },
        {
            "Sid": "StartWithItsTags",
            "Effect": "Allow",
            "Action": [*start, "ec2:CreateLaunchTemplate"],
            "Resource": _of_kinds(place, *_STARTED),
            "Condition": _gives(cluster_name),
        },
    ]


def _tagging_and_stopping(place: Region, cluster_name: str) -> list[Statement]:
    created = {"ec2:CreateAction": ["RunInstances", "CreateFleet", "CreateLaunchTemplate"]}
    gives = _gives(cluster_name)
    return [
        {
            "Sid": "TagWhatItStarts",
            "Effect": "Allow",
            "Action": "ec2:CreateTags",
            "Resource": _of_kinds(place, *_STARTED),
            "Condition": {**gives, "StringEquals": {**gives["StringEquals"], **created}},
        },
        {
            "Sid": "NameItsMachines",
            "Effect": "Allow",
            "Action": "ec2:CreateTags",
            "Resource": _of_kinds(place, "instance"),
            "Condition": {
                **_has(cluster_name),
                "StringEqualsIfExists": {"aws:RequestTag/eks:eks-cluster-name": cluster_name},
                "ForAllValues:StringEquals": {
                    "aws:TagKeys": ["eks:eks-cluster-name", "karpenter.sh/nodeclaim", "Name"]
                },
            },
        },
        {
            "Sid": "StopItsMachines",
            "Effect": "Allow",
            "Action": ["ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"],
            "Resource": _of_kinds(place, "instance", "launch-template"),
            "Condition": _has(cluster_name),
        },
    ]


def _reading(place: Region, account: pulumi.Input[str]) -> list[Statement]:
    return [
        {
            "Sid": "ReadTheRegion",
            "Effect": "Allow",
            "Action": list(_READ),
            "Resource": "*",
            "Condition": {"StringEquals": {"aws:RequestedRegion": place.name}},
        },
        {
            "Sid": "ReadImagesOfEks",
            "Effect": "Allow",
            "Action": "ssm:GetParameter",
            "Resource": f"arn:{place.partition}:ssm:{place.name}::parameter/aws/service/*",
        },
        # Neither action takes a resource.
        {
            "Sid": "ReadPricesAndProfiles",
            "Effect": "Allow",
            "Action": ["pricing:GetProducts", "iam:ListInstanceProfiles"],
            "Resource": "*",
        },
        {
            "Sid": "ReadItsProfile",
            "Effect": "Allow",
            "Action": "iam:GetInstanceProfile",
            "Resource": pulumi.Output.concat(f"arn:{place.partition}:iam::", account, ":instance-profile/*"),
        },
    ]


def _of_kinds(place: Region, *kinds: str) -> list[str]:
    return [f"arn:{place.partition}:ec2:{place.name}:*:{kind}/*" for kind in kinds]


def _has(cluster_name: str) -> dict[str, Any]:
    """A resource that Karpenter started for this cluster."""
    return {
        "StringEquals": {f"aws:ResourceTag/kubernetes.io/cluster/{cluster_name}": "owned"},
        "StringLike": {"aws:ResourceTag/karpenter.sh/nodepool": "*"},
    }


def _gives(cluster_name: str) -> dict[str, Any]:
    """A request that tags what it starts as Karpenter's for this cluster."""
    return {
        "StringEquals": {
            f"aws:RequestTag/kubernetes.io/cluster/{cluster_name}": "owned",
            "aws:RequestTag/eks:eks-cluster-name": cluster_name,
        },
        "StringLike": {"aws:RequestTag/karpenter.sh/nodepool": "*"},
    }
