"""The network, its way out and its doors, and addresses in it for what lives outside."""

from __future__ import annotations

from typing import Any

import pulumi
import pulumi_azure_native as azure
from tests.nd_platform.program import Program


def rule(name: str, priority: int, ports: str, **more: Any) -> dict[str, Any]:
    """A rule of a security group that lets the network in."""
    return {
        "name": name,
        "priority": priority,
        "direction": "Inbound",
        "access": "Allow",
        "protocol": "Tcp",
        "source_address_prefix": "VirtualNetwork",
        "source_port_range": "*",
        "destination_address_prefix": "VirtualNetwork",
        "destination_port_range": ports,
        **more,
    }


def network(program: Program) -> None:
    """The network, its way out, and a subnet for each thing that lives in it."""
    vnet = program.make(
        azure.network.VirtualNetwork,
        "vnet",
        virtual_network_name="training",
        address_space={"address_prefixes": ["10.60.0.0/16"]},
    )
    address = program.make(
        azure.network.PublicIPAddress,
        "address",
        sku={"name": "Standard"},
        public_ip_allocation_method="Static",
        idle_timeout_in_minutes=10,
        zones=["1", "2", "3"],
    )
    nat = program.make(
        azure.network.NatGateway,
        "nat",
        sku={"name": "Standard"},
        idle_timeout_in_minutes=10,
        public_ip_addresses=[{"id": address.id}],
    )
    routes = program.make(
        azure.network.RouteTable,
        "routes",
        routes=[
            {
                "name": "inspected",
                "address_prefix": "203.0.113.0/24",
                "next_hop_type": "VirtualAppliance",
                "next_hop_ip_address": "10.60.30.4",
            }
        ],
    )
    doors = program.make(
        azure.network.NetworkSecurityGroup,
        "doors",
        security_rules=[rule("lustre", 200, "988"), rule("clients", 210, "1019-1023"), rule("ssh", 220, "22")],
    )
    delegated = [{"name": "database", "service_name": "Microsoft.DBforPostgreSQL/flexibleServers"}]
    subnets: dict[str, dict[str, Any]] = {
        "nodes": {"address_prefix": "10.60.0.0/22", "nat_gateway": {"id": nat.id}},
        "fast": {"address_prefix": "10.60.16.0/25", "network_security_group": {"id": doors.id}},
        "private": {
            "address_prefix": "10.60.17.0/24",
            "private_endpoint_network_policies": "Disabled",
            "service_endpoints": [{"service": "Microsoft.Storage"}],
        },
        "databases": {"address_prefix": "10.60.18.0/28", "delegations": delegated},
        "slurm": {
            "address_prefix": "10.60.20.0/23",
            "nat_gateway": {"id": nat.id},
            "route_table": {"id": routes.id},
        },
    }
    before: list[Any] = []
    for title, arguments in subnets.items():
        after = pulumi.ResourceOptions(depends_on=before)
        made = program.make(
            azure.network.Subnet,
            title,
            after,
            subnet_name=title,
            virtual_network_name=vnet.name,
            default_outbound_access=False,
            **arguments,
        )
        before = [made]
    other = program.make(azure.network.VirtualNetwork, "office", address_space={"address_prefixes": ["192.168.0.0/20"]})
    program.make(azure.network.Subnet, "desks", virtual_network_name=other.name, address_prefix="192.168.0.0/24")


def endpoints(program: Program) -> None:
    """Addresses in the network for what lives outside it, with their names."""
    targets = {
        "blob": ("data", "blob", "privatelink.blob.core.windows.net"),
        "dfs": ("data", "dfs", "privatelink.dfs.core.windows.net"),
        "vaults": ("vault", "vault", "privatelink.vaultcore.azure.net"),
        "registries": ("images", "registry", "privatelink.azurecr.io"),
    }
    for title, (target, part, domain) in targets.items():
        zone = private_zone(program, title, domain)
        endpoint = program.make(
            azure.network.PrivateEndpoint,
            f"{title}-endpoint",
            private_endpoint_name=f"{title}-endpoint",
            subnet={"id": program.made["private"].id},
            private_link_service_connections=[
                {"name": title, "private_link_service_id": program.made[target].id, "group_ids": [part]}
            ],
        )
        program.make(
            azure.network.PrivateDnsZoneGroup,
            f"{title}-names",
            private_endpoint_name=endpoint.name,
            private_dns_zone_group_name="default",
            private_dns_zone_configs=[{"name": title, "private_dns_zone_id": zone.id}],
        )


def private_zone(program: Program, title: str, domain: str) -> Any:
    """A private zone that the network reads."""
    zone = program.make(azure.privatedns.PrivateZone, f"{title}-zone", private_zone_name=domain, location="global")
    program.make(
        azure.privatedns.VirtualNetworkLink,
        f"{title}-link",
        private_zone_name=zone.name,
        virtual_network_link_name="training",
        location="global",
        registration_enabled=False,
        virtual_network={"id": program.made["vnet"].id},
    )
    return zone
