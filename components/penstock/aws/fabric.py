"""The security group that EFA traffic needs."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_aws import ec2, vpc

from penstock.aws import firewall


class FabricGroup(pulumi.ComponentResource):
    """A group whose members may send each other anything, named by id in both directions.

    EFA ignores rules that name addresses, even 0.0.0.0/0: without the two rules by id the fabric comes up and its
    handshakes fail (EC2 user guide, "Get started with EFA").
    """

    group_id: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        *,
        vpc_id: pulumi.Input[str],
        tags: Mapping[str, str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:aws:FabricGroup", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        group = ec2.SecurityGroup(
            name,
            description="Nodes that share a fabric: everything between members, anything outward",
            vpc_id=vpc_id,
            tags={**tags, "Name": name},
            opts=child,
        )
        firewall.both_ways(f"{name}-members", group.id, group.id, ports=None, tags=tags, opts=child)
        vpc.SecurityGroupEgressRule(
            f"{name}-outward",
            security_group_id=group.id,
            cidr_ipv4="0.0.0.0/0",
            ip_protocol="-1",
            description="Images, data and APIs",
            tags=tags,
            opts=child,
        )

        self.group_id = group.id
        self.register_outputs({"group_id": self.group_id})
