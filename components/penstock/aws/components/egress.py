"""The way out of a private network."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_aws import ec2

from penstock.aws.components.handles import NetworkHandle
from penstock.aws.description import subnets
from penstock.description.network import NetworkSpec

_ANYWHERE = "0.0.0.0/0"


class Egress(pulumi.ComponentResource):
    """An internet gateway, and a NAT gateway in each zone, or a single one for all with `nat: single`.

    `ready` holds the routes of the private subnets: machines that start before them cannot fetch what they need.
    """

    ready: tuple[ec2.Route, ...]

    def __init__(
        self,
        name: str,
        spec: NetworkSpec,
        *,
        network: NetworkHandle,
        private_tables: Mapping[str, ec2.RouteTable],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Open the network outward; `private_tables` is the route table of each zone's private subnet."""
        super().__init__("penstock:aws:Egress", name, None, opts)
        self._prefix, self._spec, self._vpc_id = name, spec, network.vpc_id
        self._child = pulumi.ResourceOptions(parent=self)

        table, route = self._public_side()
        zones = list(private_tables)
        served = zones[:1] if spec.nat == "single" else zones
        gateways = {zone: self._gateway(zone, table, route) for zone in served}
        self.ready = tuple(
            ec2.Route(
                f"{name}-{zone}",
                route_table_id=private.id,
                destination_cidr_block=_ANYWHERE,
                nat_gateway_id=gateways.get(zone, gateways[served[0]]).id,
                opts=self._child,
            )
            for zone, private in private_tables.items()
        )
        self.register_outputs({})

    def _public_side(self) -> tuple[ec2.RouteTable, ec2.Route]:
        internet = ec2.InternetGateway(self._prefix, vpc_id=self._vpc_id, tags=self._tags(), opts=self._child)
        table = ec2.RouteTable(
            f"{self._prefix}-public", vpc_id=self._vpc_id, tags=self._tags("public"), opts=self._child
        )
        route = ec2.Route(
            f"{self._prefix}-public",
            route_table_id=table.id,
            destination_cidr_block=_ANYWHERE,
            gateway_id=internet.id,
            opts=self._child,
        )
        return table, route

    def _gateway(self, zone: str, table: ec2.RouteTable, route: ec2.Route) -> ec2.NatGateway:
        name = f"{self._prefix}-{zone}"
        subnet = ec2.Subnet(
            name,
            vpc_id=self._vpc_id,
            availability_zone=zone,
            cidr_block=str(subnets.public(self._spec.cidr, zone)),
            map_public_ip_on_launch=False,
            tags={**self._tags(zone), "kubernetes.io/role/elb": "1"},
            opts=self._child,
        )
        ec2.RouteTableAssociation(name, subnet_id=subnet.id, route_table_id=table.id, opts=self._child)
        address = ec2.Eip(name, domain="vpc", tags=self._tags(zone), opts=self._child)
        return ec2.NatGateway(
            name,
            subnet_id=subnet.id,
            allocation_id=address.id,
            tags=self._tags(zone),
            opts=pulumi.ResourceOptions.merge(self._child, pulumi.ResourceOptions(depends_on=[route])),
        )

    def _tags(self, *what: str) -> dict[str, str]:
        return {**self._spec.tags, "Name": "-".join((self._prefix, *what))}
