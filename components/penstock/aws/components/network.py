"""The private network: a subnet in each zone, closed from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import pulumi
from pulumi_aws import ec2, vpc

from penstock.aws.components.adoption import lookups
from penstock.aws.components.egress import Egress
from penstock.aws.components.endpoints import Endpoints
from penstock.aws.components.fabric import FabricGroup
from penstock.aws.components.flow_logs import FlowLogs
from penstock.aws.components.handles import KeyHandle, NetworkHandle
from penstock.aws.components.logs import RETENTION_DAYS
from penstock.aws.description import subnets
from penstock.catalog import regions
from penstock.description.network import ExistingNetwork, NetworkSpec

_DECIDED_BY: Final = {
    "cidrBlock cidrIpv4": ".cidr",
    "natGatewayId NatGateway": ".nat .egress",
    "Egress SecurityGroupEgressRule": ".egress",
    "Endpoints": ".private_endpoints",
}


class Network(pulumi.ComponentResource):
    """A VPC with private subnets, a record of every flow, and no public address on any machine.

    With `egress: none` nothing leads to the internet. Address ranges follow from the zones' letters
    (`penstock.aws.description.subnets`).
    """

    handle: NetworkHandle

    def __init__(
        self,
        name: str,
        spec: NetworkSpec,
        *,
        zones: Sequence[str],
        region: str,
        key: KeyHandle,
        log_days: int = RETENTION_DAYS,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the network.

        Args:
            name: The start of every name in it.
            spec: What to build.
            zones: Full names, such as us-east-1a.
            region: The region of those zones.
            key: Encrypts the flow logs; its policy admits CloudWatch Logs (`Keys.logs`).
            log_days: How long flows are kept.
            opts: Pulumi's options.
        """
        super().__init__("penstock:aws:Network", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)

        network = ec2.Vpc(
            name,
            cidr_block=str(spec.cidr),
            enable_dns_support=True,
            enable_dns_hostnames=True,  # EKS and private endpoints resolve through it
            tags={**spec.tags, "Name": name},
            opts=child,
        )
        # The members of the group that AWS makes may reach each other; emptied, whatever lands in it reaches nothing.
        ec2.DefaultSecurityGroup(
            f"{name}-default",
            vpc_id=network.id,
            ingress=[],
            egress=[],
            tags={**spec.tags, "Name": f"{name}-default"},
            opts=child,
        )
        FlowLogs(
            f"{name}-flows",
            vpc_id=network.id,
            account=network.owner_id,
            key=key,
            days=log_days,
            tags=spec.tags,
            opts=child,
        )

        private = {zone: self._private_subnet(name, spec, network, zone) for zone in zones}
        tables = {zone: self._route_table(name, spec, network, zone, subnet) for zone, subnet in private.items()}
        open_outward = spec.egress == "nat"
        fabric = FabricGroup(
            f"{name}-fabric",
            vpc_id=network.id,
            cidr=str(spec.cidr),
            internet=open_outward,
            tags=spec.tags,
            opts=child,
        )
        handle = NetworkHandle(
            vpc_id=network.id,
            subnets={zone: subnet.id for zone, subnet in private.items()},
            fabric_group_id=fabric.group_id,
            cidr=str(spec.cidr),
            partition=regions.find_region(region, "aws").partition,
        )

        endpoints = Endpoints(
            f"{name}-endpoints", spec, network=handle, region=region, route_tables=list(tables.values()), opts=child
        )
        ways = endpoints.ready
        if open_outward:
            ways += Egress(f"{name}-egress", spec, network=handle, private_tables=tables, opts=child).ready
        else:
            ways += (self._way_to_s3(name, spec, fabric, endpoints),)
        self.handle = replace(handle, ready=ways)
        self.register_outputs({"vpc_id": network.id, "subnets": self.handle.subnets})

    def _private_subnet(self, name: str, spec: NetworkSpec, network: ec2.Vpc, zone: str) -> ec2.Subnet:
        return ec2.Subnet(
            f"{name}-{zone}",
            vpc_id=network.id,
            availability_zone=zone,
            cidr_block=str(subnets.private(spec.cidr, zone)),
            map_public_ip_on_launch=False,  # EC2 refuses it for machines with several interfaces
            tags={**spec.tags, "Name": f"{name}-{zone}", "kubernetes.io/role/internal-elb": "1"},
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _route_table(
        self, name: str, spec: NetworkSpec, network: ec2.Vpc, zone: str, subnet: ec2.Subnet
    ) -> ec2.RouteTable:
        child = pulumi.ResourceOptions(parent=self)
        table = ec2.RouteTable(
            f"{name}-{zone}", vpc_id=network.id, tags={**spec.tags, "Name": f"{name}-{zone}"}, opts=child
        )
        ec2.RouteTableAssociation(f"{name}-{zone}", subnet_id=subnet.id, route_table_id=table.id, opts=child)
        return table

    def _way_to_s3(
        self, name: str, spec: NetworkSpec, fabric: FabricGroup, endpoints: Endpoints
    ) -> vpc.SecurityGroupEgressRule:
        """Where no rule lets the internet be reached, S3 needs one: the layers of images come from there, too."""
        return vpc.SecurityGroupEgressRule(
            f"{name}-fabric-s3",
            security_group_id=fabric.group_id,
            prefix_list_id=endpoints.s3_prefix_list_id,
            ip_protocol="tcp",
            from_port=443,
            to_port=443,
            description="S3 through its gateway",
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )


def adopt(
    name: str,
    existing: ExistingNetwork,
    *,
    region: str,
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions | None = None,
) -> NetworkHandle:
    """A handle on a network that is already there; the one thing made is the fabric's group, when none is named.

    Its subnets must not assign public addresses: EC2 refuses that for machines with several interfaces.
    """
    found = ec2.get_vpc_output(id=existing.id, opts=lookups(opts))
    group_id: pulumi.Input[str] | None = existing.fabric_security_group
    if group_id is None:
        # Whether the network leads anywhere is for its routes to say.
        group_id = FabricGroup(
            f"{name}-fabric", vpc_id=existing.id, cidr=found.cidr_block, internet=True, tags=tags, opts=opts
        ).group_id
    return NetworkHandle(
        vpc_id=existing.id,
        subnets=existing.subnets,
        fabric_group_id=group_id,
        cidr=found.cidr_block,
        partition=regions.find_region(region, "aws").partition,
    )
