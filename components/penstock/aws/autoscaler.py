"""The cluster autoscaler: starts machines for pods that wait, and stops those that nothing runs on."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_aws import eks, iam

from penstock.aws.handles import ClusterHandle
from penstock.aws.policy_documents import document
from penstock.aws.roles import pod_role
from penstock.catalog.kubernetes import charts
from penstock.kubernetes.release import image, release

_CHART = "cluster-autoscaler"

_LONGEST_START = "25m0s"
"""A machine with accelerators may take 20 minutes to join; by default the autoscaler gives it up after 15."""

_NODES_JOIN_S = 1200
"""Its pod waits for the first node that takes any pod, which EKS starts at the same time."""

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


class Autoscaler(pulumi.ComponentResource):
    """Moves each pool of a cluster between its bounds, from and to zero.

    It finds the groups that EKS has tagged for it. Labels and taints of an empty pool it reads from EKS, its devices
    from the tags of `scheduling.unseen`. It keeps nodes whose pods are alone in what they do, have local data, or say
    `cluster-autoscaler.kubernetes.io/safe-to-evict: "false"`.
    """

    def __init__(
        self,
        name: str,
        *,
        cluster: ClusterHandle,
        region: str,
        partition: str,
        tags: Mapping[str, str],
        in_cluster: pulumi.ResourceOptions,
        image_mirror: pulumi.Input[str] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Install the autoscaler.

        Args:
            name: The start of every name in it.
            cluster: The cluster that it scales and runs in.
            region: The cluster's.
            partition: The cluster's, such as aws.
            tags: On every resource.
            in_cluster: The options of what goes into the cluster.
            image_mirror: The registry that a network without a way out pulls from.
            opts: Pulumi's options.
        """
        super().__init__("penstock:aws:Autoscaler", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        namespace = charts.find_chart(_CHART).namespace

        role = pod_role(
            name,
            (_CHART,),
            namespace=namespace,
            cluster_name=cluster.name,
            partition=partition,
            policies=(),
            tags=tags,
            opts=child,
        )
        policy = iam.RolePolicy(
            name,
            role=role.name,
            policy=document(
                {"Effect": "Allow", "Action": list(_READ), "Resource": "*"},
                {
                    "Effect": "Allow",
                    "Action": list(_SCALE),
                    "Resource": "*",
                    # EKS puts it on the Auto Scaling groups of its node groups.
                    "Condition": {"StringEquals": {"aws:ResourceTag/eks:cluster-name": cluster.name}},
                },
            ),
            opts=child,
        )
        bound = eks.PodIdentityAssociation(
            name,
            cluster_name=cluster.name,
            namespace=namespace,
            service_account=_CHART,
            role_arn=role.arn,
            tags=tags,
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[policy])),
        )
        release(
            name,
            _CHART,
            values={
                "autoDiscovery": {"clusterName": cluster.name},
                "awsRegion": region,
                "image": {"repository": image(_CHART, image_mirror)},
                "rbac": {"serviceAccount": {"name": _CHART}},
                "extraArgs": {"expander": "least-waste", "max-node-provision-time": _LONGEST_START},
            },
            mirrored=image_mirror is not None,
            timeout_s=_NODES_JOIN_S,
            opts=pulumi.ResourceOptions.merge(in_cluster, pulumi.ResourceOptions(parent=self, depends_on=[bound])),
        )
        self.register_outputs({})
