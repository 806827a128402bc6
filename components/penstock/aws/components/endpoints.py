"""Ways to AWS services that never leave the network."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi
from pulumi_aws import ec2

from penstock.aws.components import firewall
from penstock.aws.components.handles import NetworkHandle
from penstock.aws.facts import endpoints
from penstock.description.network import NetworkSpec


class Endpoints(pulumi.ComponentResource):
    """A gateway to S3, which is free, and with `private_endpoints` an interface for each service that nodes call.

    The services are those of `penstock.aws.facts.endpoints`; each costs by the hour and zone. S3 keeps its public
    addresses behind the gateway: a security group must let them out by `s3_prefix_list_id`.
    """

    ready: tuple[pulumi.Resource, ...]
    s3_prefix_list_id: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: NetworkSpec,
        *,
        network: NetworkHandle,
        region: str,
        route_tables: Sequence[ec2.RouteTable],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Make the endpoints; those who use `route_tables` go to S3 through the gateway."""
        super().__init__("penstock:aws:Endpoints", name, None, opts)

        gateway = ec2.VpcEndpoint(
            f"{name}-s3",
            vpc_id=network.vpc_id,
            service_name=f"com.amazonaws.{region}.s3",
            vpc_endpoint_type="Gateway",
            route_table_ids=[table.id for table in route_tables],
            tags={**spec.tags, "Name": f"{name}-s3"},
            opts=pulumi.ResourceOptions(parent=self),
        )
        interfaces = self._interfaces(name, spec, network, region) if spec.private_endpoints else []

        self.ready, self.s3_prefix_list_id = (gateway, *interfaces), gateway.prefix_list_id
        self.register_outputs({})

    def _interfaces(self, name: str, spec: NetworkSpec, network: NetworkHandle, region: str) -> list[ec2.VpcEndpoint]:
        child = pulumi.ResourceOptions(parent=self)
        https = firewall.admit(name, 443, network=network, tags=spec.tags, opts=child)
        return [
            ec2.VpcEndpoint(
                f"{name}-{service.replace('.', '-')}",
                vpc_id=network.vpc_id,
                service_name=f"com.amazonaws.{region}.{service}",
                vpc_endpoint_type="Interface",
                private_dns_enabled=True,
                subnet_ids=network.subnets_in(None),
                security_group_ids=[https.id],
                tags={**spec.tags, "Name": f"{name}-{service}"},
                opts=child,
            )
            for service in endpoints.for_nodes()
        ]
