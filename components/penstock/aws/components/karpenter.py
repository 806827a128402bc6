"""What Karpenter needs of AWS: its rights, news of machines that will stop, and the role of its machines."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pulumi
from pulumi_aws import cloudwatch, eks, iam, sqs

from penstock.aws.components.handles import ClusterHandle
from penstock.aws.components.karpenter_rights import rights
from penstock.aws.components.node_pool import NODE_POLICIES
from penstock.aws.components.policy_documents import deny_without_tls, document
from penstock.aws.components.roles import bound_role, service_role
from penstock.catalog import regions
from penstock.kubernetes.facts import charts

_CHART = "karpenter"

_NEWS = {
    "health": ("aws.health", "AWS Health Event"),
    "spot": ("aws.ec2", "EC2 Spot Instance Interruption Warning"),
    "rebalance": ("aws.ec2", "EC2 Instance Rebalance Recommendation"),
    "state": ("aws.ec2", "EC2 Instance State-change Notification"),
    "reservation": ("aws.ec2", "EC2 Capacity Reservation Instance Interruption Warning"),
}
"""Events by source and kind (aws/karpenter-provider-aws v1.14.1, getting started, cloudformation.yaml)."""

_NEWS_S = 300
"""News of an interruption are worthless later than that."""


class KarpenterAccess(pulumi.ComponentResource):
    """Lets Karpenter's pods, and no others, start and stop machines of their own cluster.

    `queue` is the name of what it reads interruptions from, `instance_profile` that of its machines. `ready` is what it
    waits for: pods get their rights as they start, and machines join once their role is let in.
    """

    queue: pulumi.Output[str]
    instance_profile: pulumi.Output[str]
    ready: tuple[pulumi.Resource, ...]

    def __init__(
        self,
        name: str,
        *,
        cluster: ClusterHandle,
        cluster_name: str,
        region: str,
        account: pulumi.Input[str],
        tags: Mapping[str, str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Make roles, queue and rules; policies name the cluster, so `cluster_name` is its name in full."""
        super().__init__("penstock:aws:KarpenterAccess", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        place = regions.find_region(region, "aws")

        nodes = service_role(
            f"{name}-nodes",
            "ec2.amazonaws.com",
            partition=place.partition,
            policies=NODE_POLICIES,
            tags=tags,
            opts=child,
        )
        profile = iam.InstanceProfile(f"{name}-nodes", role=nodes.name, tags=tags, opts=child)
        # EKS lets the roles of node groups in by itself, and no others.
        joins = eks.AccessEntry(
            f"{name}-nodes",
            cluster_name=cluster.name,
            principal_arn=nodes.arn,
            type="EC2_LINUX",
            tags=tags,
            opts=child,
        )
        queue, heard = self._news(name, tags)
        role = bound_role(
            name,
            _CHART,
            rights(place, account=account, cluster_name=cluster_name, node_role=nodes.arn, queue=queue.arn),
            namespace=charts.find_chart(_CHART).namespace,
            cluster_name=cluster.name,
            partition=place.partition,
            tags=tags,
            opts=child,
        )

        self.queue, self.instance_profile = queue.name, profile.name
        self.ready = (role, joins, *nodes.rights, *heard)
        self.register_outputs({"queue": self.queue})

    def _news(self, name: str, tags: Mapping[str, str]) -> tuple[sqs.Queue, list[pulumi.Resource]]:
        """A queue into which EventBridge, and nobody else, puts what happens to machines."""
        child = pulumi.ResourceOptions(parent=self)
        queue = sqs.Queue(
            name,
            name=name,
            message_retention_seconds=_NEWS_S,
            sqs_managed_sse_enabled=True,
            tags=tags,
            opts=child,
        )
        events = {
            event: cloudwatch.EventRule(
                f"{name}-{event}",
                description=f"{kind}, for Karpenter",
                event_pattern=json.dumps({"source": [source], "detail-type": [kind]}),
                tags=tags,
                opts=child,
            )
            for event, (source, kind) in _NEWS.items()
        }
        policy = sqs.QueuePolicy(
            name,
            queue_url=queue.url,
            policy=document(
                {
                    "Sid": "NewsFromItsRules",
                    "Effect": "Allow",
                    "Principal": {"Service": "events.amazonaws.com"},
                    "Action": "sqs:SendMessage",
                    "Resource": queue.arn,
                    "Condition": {"ArnEquals": {"aws:SourceArn": [rule.arn for rule in events.values()]}},
                },
                deny_without_tls("sqs:*", queue.arn),
            ),
            opts=child,
        )
        targets = [
            cloudwatch.EventTarget(f"{name}-{event}", rule=rule.name, arn=queue.arn, opts=child)
            for event, rule in events.items()
        ]
        return queue, [policy, *targets]
