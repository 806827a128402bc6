"""The record of every flow in a network."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_aws import ec2, iam

from penstock.aws.components.handles import KeyHandle
from penstock.aws.components.logs import log_group
from penstock.aws.components.policy_documents import Statement, document


class FlowLogs(pulumi.ComponentResource):
    """Accepted and refused flows of one VPC, in an encrypted log group that only this VPC's account writes to."""

    def __init__(
        self,
        name: str,
        *,
        vpc_id: pulumi.Input[str],
        account: pulumi.Input[str],
        key: KeyHandle,
        days: int,
        tags: Mapping[str, str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:aws:FlowLogs", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        logs = log_group(name, path=f"/aws/vpc/{name}", key=key, days=days, tags=tags, opts=child)
        role = iam.Role(name, assume_role_policy=document(_delivery_service(account)), tags=tags, opts=child)
        writing = iam.RolePolicy(name, role=role.name, policy=document(_writing_to(logs.arn)), opts=child)
        ec2.FlowLog(
            name,
            vpc_id=vpc_id,
            traffic_type="ALL",
            log_destination=logs.arn,
            iam_role_arn=role.arn,
            tags={**tags, "Name": name},
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[writing])),
        )
        self.register_outputs({})


def _delivery_service(account: pulumi.Input[str]) -> Statement:
    # The service acts for every customer: without the condition it could be made to act for another one.
    return {
        "Effect": "Allow",
        "Principal": {"Service": "vpc-flow-logs.amazonaws.com"},
        "Action": "sts:AssumeRole",
        "Condition": {"StringEquals": {"aws:SourceAccount": account}},
    }


def _writing_to(group_arn: pulumi.Output[str]) -> Statement:
    return {
        "Effect": "Allow",
        "Action": ["logs:CreateLogStream", "logs:PutLogEvents", "logs:DescribeLogGroups", "logs:DescribeLogStreams"],
        "Resource": [group_arn, pulumi.Output.concat(group_arn, ":*")],
    }
