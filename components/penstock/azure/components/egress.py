"""The way out of a private network."""

from __future__ import annotations

from math import ceil

import pulumi
from pulumi_azure_native import network

from penstock.azure.components.handles import GroupHandle
from penstock.catalog import limits
from penstock.description.network import NetworkSpec

MACHINES_OF_AN_ADDRESS = 32
"""Of the 64,512 ports of an address each gets some 2000, as many connections as it can have to one place at a time."""


class Egress(pulumi.ComponentResource):
    """A NAT gateway with addresses of its own, which others can admit by name, for all nodes and pods."""

    gateway: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: NetworkSpec,
        *,
        group: GroupHandle,
        machines: int,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build it for so many `machines` at most."""
        super().__init__("penstock:azure:Egress", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        most = limits.find_limit("nat_addresses", "azure").most
        addresses = [
            network.PublicIPAddress(
                # One more address leaves the others as they are.
                name if number == 1 else f"{name}-{number}",
                resource_group_name=group.name,
                location=group.region,
                sku={"name": "Standard"},
                public_ip_allocation_method="Static",
                tags=spec.tags,
                opts=child,
            )
            for number in range(1, min(most, max(1, ceil(machines / MACHINES_OF_AN_ADDRESS))) + 1)
        ]
        gateway = network.NatGateway(
            name,
            resource_group_name=group.name,
            location=group.region,
            sku={"name": "Standard"},
            public_ip_addresses=[{"id": address.id} for address in addresses],
            tags=spec.tags,
            opts=child,
        )
        self.gateway = gateway.id
        self.register_outputs({"addresses": [address.ip_address for address in addresses]})
