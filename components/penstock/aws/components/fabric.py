"""The security group that EFA traffic needs."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_aws import ec2, vpc

from penstock.aws.components import firewall

_WEB = {"https": 443, "http": 80}


class FabricGroup(pulumi.ComponentResource):
    """A group whose members may send each other anything, named by id in both directions.

    EFA ignores rules that name addresses, even 0.0.0.0/0: without the two rules by id the fabric comes up and its
    handshakes fail (EC2 user guide, "Get started with EFA"). Beside that, members reach all of their network and, with
    `internet`, HTTPS and HTTP beyond it. The Amazon resolver, time and instance metadata need no rule.

    Groups add up: that which EKS puts on nodes lets everything out, until somebody takes that rule away from it (EKS
    user guide, "View Amazon EKS security group requirements for clusters").
    """

    group_id: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        *,
        vpc_id: pulumi.Input[str],
        cidr: pulumi.Input[str],
        internet: bool,
        tags: Mapping[str, str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Make the group in the network `vpc_id`, whose range is `cidr`."""
        super().__init__("penstock:aws:FabricGroup", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        group = ec2.SecurityGroup(
            name,
            description="Nodes that share a fabric: everything between members",
            vpc_id=vpc_id,
            tags={**tags, "Name": name},
            opts=child,
        )
        firewall.both_ways(f"{name}-members", group.id, group.id, ports=None, tags=tags, opts=child)
        vpc.SecurityGroupEgressRule(
            f"{name}-network",
            security_group_id=group.id,
            cidr_ipv4=cidr,
            ip_protocol="-1",
            description="Storage, databases and private endpoints",
            tags=tags,
            opts=child,
        )
        for protocol, port in _WEB.items() if internet else ():
            vpc.SecurityGroupEgressRule(
                f"{name}-{protocol}",
                security_group_id=group.id,
                cidr_ipv4="0.0.0.0/0",
                ip_protocol="tcp",
                from_port=port,
                to_port=port,
                description="Images, data and APIs",
                tags=tags,
                opts=child,
            )

        self.group_id = group.id
        self.register_outputs({"group_id": self.group_id})
