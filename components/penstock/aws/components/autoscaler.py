"""What the cluster autoscaler may do."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi

from penstock.aws.components.handles import ClusterHandle
from penstock.aws.components.roles import bound_role
from penstock.kubernetes.facts import charts

_CHART = "cluster-autoscaler"

_READ = (
    "autoscaling:DescribeAutoScalingGroups",
    "autoscaling:DescribeAutoScalingInstances",
    "autoscaling:DescribeLaunchConfigurations",
    "autoscaling:DescribeScalingActivities",
    "autoscaling:DescribeTags",
    "ec2:DescribeImages",
    "ec2:DescribeInstanceTypes",
    "ec2:DescribeLaunchTemplateVersions",
    "ec2:GetInstanceTypesFromInstanceRequirements",
    "eks:DescribeNodegroup",
)
_SCALE = ("autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup")
"""Source of both: kubernetes/autoscaler, cloudprovider/aws README, "Full Cluster Autoscaler Features Policy"."""


class AutoscalerRole(pulumi.ComponentResource):
    """Lets the pods of the cluster autoscaler, and no others, move the groups of their own cluster.

    `ready` is what the autoscaler waits for: pods get their rights as they start.
    """

    ready: pulumi.Resource

    def __init__(
        self,
        name: str,
        *,
        cluster: ClusterHandle,
        partition: str,
        tags: Mapping[str, str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Make the role; the service account has the chart's name and namespace."""
        super().__init__("penstock:aws:AutoscalerRole", name, None, opts)
        self.ready = bound_role(
            name,
            _CHART,
            (
                {"Effect": "Allow", "Action": list(_READ), "Resource": "*"},
                {
                    "Effect": "Allow",
                    "Action": list(_SCALE),
                    "Resource": "*",
                    # EKS puts it on the Auto Scaling groups of its node groups.
                    "Condition": {"StringEquals": {"aws:ResourceTag/eks:cluster-name": cluster.name}},
                },
            ),
            namespace=charts.find_chart(_CHART).namespace,
            cluster_name=cluster.name,
            partition=partition,
            tags=tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})
