"""Misconfigurations in networks, their security groups, ways out and private endpoints."""

from __future__ import annotations

from typing import Any

from tests.nd_platform.networks import rule
from tests.nd_platform.program import Misconfiguration
from tests.simulate.azure_misconfigurations.misconfigurations import Misconfigurations


def doors(*rules: dict[str, Any]) -> Misconfiguration:
    """The rules of the security group."""
    needed = [rule("lustre", 200, "988"), rule("clients", 210, "1019-1023"), rule("ssh", 220, "22")]
    return {"doors": {"security_rules": [*needed, *rules]}}


def connected(endpoint: str, target: str, *parts: str) -> Misconfiguration:
    """An endpoint of parts of a resource."""
    return {
        f"{endpoint}-endpoint": {
            "private_link_service_connections": [
                {
                    "name": "c",
                    "private_link_service_id": lambda made: made[target].id,
                    **({"group_ids": [*parts]} if parts else {}),
                }
            ]
        }
    }


MISCONFIGURATIONS: Misconfigurations = {
    "a subnet outside its network": (
        "private",
        {"private": {"address_prefix": "10.61.17.0/24"}},
        "refuses the subnet; virtual-network/virtual-networks-faq",
    ),
    "subnets that overlap": (
        "private fast",
        {"private": {"address_prefix": "10.60.16.0/24"}},
        "refuses the second; virtual-network/virtual-networks-faq",
    ),
    "a subnet that does not begin at its range": (
        "private",
        {"private": {"address_prefix": "10.60.17.5/24"}},
        "refuses the prefix; virtual-network/virtual-networks-faq",
    ),
    "a subnet smaller than Azure has": (
        "private",
        {"private": {"address_prefix": "10.60.17.0/30"}},
        "has none below /29; virtual-network/virtual-networks-faq",
    ),
    "a network without the length of its range": (
        "vnet",
        {"vnet": {"address_space": {"address_prefixes": ["10.60.0.0-10.60.255.255"]}}},
        "takes prefixes alone; virtual-network/manage-virtual-network",
    ),
    "a network that does not begin at its range": (
        "vnet",
        {"vnet": {"address_space": {"address_prefixes": ["10.60.0.1/16"]}}},
        "refuses the prefix; virtual-network/manage-virtual-network",
    ),
    "a network over InfiniBand's addresses": (
        "vnet train legacy amd slurm-nodes",
        {"vnet": {"address_space": {"address_prefixes": ["10.60.0.0/16", "172.16.0.0/16"]}}},
        "keeps 172.16.0.0/16 for RDMA, and routes collide; virtual-machines/setup-infiniband",
    ),
    "a rule of too low a priority": (
        "doors",
        doors(rule("early", 50, "443")),
        "takes 100 to 4096; virtual-network/network-security-groups-overview",
    ),
    "a rule of too high a priority": (
        "doors",
        doors(rule("late", 5000, "443")),
        "takes 100 to 4096; virtual-network/network-security-groups-overview",
    ),
    "rules of one priority": (
        "doors",
        doors(rule("same", 200, "443")),
        "refuses two in one direction; virtual-network/network-security-groups-overview",
    ),
    "rules of one name": (
        "doors",
        doors(rule("ssh", 300, "443")),
        "wants a name of its own for each; virtual-network/network-security-groups-overview",
    ),
    "a protocol of another layer": (
        "doors",
        doors(rule("web", 300, "443", protocol="Https")),
        "takes Tcp, Udp, Icmp, Esp, Ah and *; virtual-network/network-security-groups-overview",
    ),
    "ports from high to low": (
        "doors",
        doors(rule("back", 300, "1023-1019")),
        "refuses the range; virtual-network/network-security-groups-overview",
    ),
    "a port beyond the last": (
        "doors",
        doors(rule("far", 300, "70000")),
        "refuses the port; virtual-network/network-security-groups-overview",
    ),
    "ports in one text": (
        "doors",
        doors(rule("list", 300, "80,443")),
        "takes one port or range in it; virtual-network/network-security-groups-overview",
    ),
    "one source and several": (
        "doors",
        doors(rule("both", 300, "443", source_address_prefixes=["10.0.0.0/8"])),
        "takes one of the two; virtual-network/network-security-groups-overview",
    ),
    "a rule without a source": (
        "doors",
        doors(rule("none", 300, "443", source_address_prefix=None)),
        "wants a source; virtual-network/network-security-groups-overview",
    ),
    "a service tag that is none": (
        "doors",
        doors(rule("tag", 300, "443", source_address_prefix="TheInternet")),
        "refuses the prefix; virtual-network/service-tags-overview",
    ),
    "a direction in AWS' word": (
        "doors",
        doors(rule("in", 300, "443", direction="Ingress")),
        "takes Inbound and Outbound; virtual-network/network-security-groups-overview",
    ),
    "Lustre behind a closed door": (
        "doors scratch",
        {
            "doors": {
                "security_rules": [
                    rule("ssh", 200, "22"),
                    rule("closed", 300, "*", access="Deny", protocol="*", source_address_prefix="*"),
                ]
            }
        },
        "the file system fails to deploy; azure-managed-lustre/configure-network-security-group",
    ),
    "a door in another region": (
        "doors fast",
        {"doors": {"location": "westeurope"}},
        "refuses the subnet; virtual-network/virtual-network-network-security-group",
    ),
    "a way out in another region": (
        "nat nodes slurm",
        {"nat": {"location": "westeurope"}},
        "refuses subnet or address; nat-gateway/nat-overview",
    ),
    "a basic address before a NAT gateway": (
        "address nat",
        {"address": {"sku": {"name": "Basic"}, "zones": None}},
        "takes standard addresses alone; nat-gateway/nat-overview",
    ),
    "an address that changes": (
        "address",
        {"address": {"public_ip_allocation_method": "Dynamic"}},
        "has standard addresses that stay alone; virtual-network/ip-services/public-ip-addresses",
    ),
    "an address that waits too long": (
        "address",
        {"address": {"idle_timeout_in_minutes": 60}},
        "waits 4 to 30 minutes; virtual-network/ip-services/public-ip-addresses",
    ),
    "a NAT gateway that waits too long": (
        "nat",
        {"nat": {"idle_timeout_in_minutes": 200}},
        "waits 4 to 120 minutes; nat-gateway/nat-gateway-resource",
    ),
    "a NAT gateway in another zone than its address": (
        "nat address",
        {"nat": {"zones": ["1"]}, "address": {"zones": ["2"]}},
        "refuses the address; nat-gateway/nat-availability-zones",
    ),
    "a NAT gateway in two zones": (
        "nat",
        {"nat": {"zones": ["1", "2"]}},
        "takes one zone or none; nat-gateway/nat-availability-zones",
    ),
    "a way to an appliance without its address": (
        "routes",
        {
            "routes": {
                "routes": [{"name": "r", "address_prefix": "203.0.113.0/24", "next_hop_type": "VirtualAppliance"}]
            }
        },
        "wants the address; virtual-network/virtual-networks-udr-overview",
    ),
    "a way to nowhere known": (
        "routes",
        {"routes": {"routes": [{"name": "r", "address_prefix": "203.0.113.0/24", "next_hop_type": "NatGateway"}]}},
        "knows five kinds of next hops; virtual-network/virtual-networks-udr-overview",
    ),
    "a service endpoint of no service": (
        "private",
        {"private": {"service_endpoints": [{"service": "Microsoft.Storages"}]}},
        "refuses the subnet; virtual-network/virtual-network-service-endpoints-overview",
    ),
    "a subnet delegated to nobody": (
        "databases",
        {"databases": {"delegations": [{"name": "d", "service_name": "Microsoft.PostgreSQL/flexibleServers"}]}},
        "refuses the delegation; virtual-network/subnet-delegation-overview",
    ),
    "an endpoint for a part that storage has not": (
        "blob-endpoint",
        connected("blob", "data", "blobs"),
        "refuses the group; private-link/private-endpoint-overview",
    ),
    "an endpoint for the part of another service": (
        "blob-endpoint",
        connected("blob", "data", "vault"),
        "refuses the group; private-link/private-endpoint-overview",
    ),
    "an endpoint for no part": (
        "blob-endpoint",
        connected("blob", "data"),
        "wants the group of an account; private-link/private-endpoint-overview",
    ),
    "an endpoint for two parts": (
        "blob-endpoint",
        connected("blob", "data", "blob", "dfs"),
        "takes one part for an endpoint; private-link/private-endpoint-overview",
    ),
    "an endpoint in a delegated subnet": (
        "blob-endpoint",
        {"blob-endpoint": {"subnet": {"id": lambda made: made["databases"].id}}},
        "refuses the subnet; private-link/disable-private-endpoint-network-policy",
    ),
    "an endpoint in another region than its subnet": (
        "blob-endpoint",
        {"blob-endpoint": {"location": "westeurope"}},
        "refuses the subnet; private-link/private-endpoint-overview",
    ),
    "names of another part": (
        "dfs-names",
        {
            "dfs-names": {
                "private_dns_zone_configs": [{"name": "z", "private_dns_zone_id": lambda made: made["blob-zone"].id}]
            }
        },
        "writes no record that a client asks for; private-link/private-endpoint-dns",
    ),
    "a zone by a name that no client asks for": (
        "blob-zone blob-names blob-endpoint",
        {"blob-zone": {"private_zone_name": "privatelink.blob.windows.net"}},
        "names resolve to public addresses; private-link/private-endpoint-dns",
    ),
    "a zone in a region": (
        "blob-zone",
        {"blob-zone": {"location": "eastus"}},
        "has private zones in `global` alone; dns/private-dns-privatednszone",
    ),
    "a link in a region": (
        "blob-link",
        {"blob-link": {"location": "eastus"}},
        "has links in `global` alone; dns/private-dns-virtual-network-links",
    ),
    "two zones that name one network's machines": (
        "blob-link dfs-link",
        {"blob-link": {"registration_enabled": True}, "dfs-link": {"registration_enabled": True}},
        "lets a network register in one zone; dns/private-dns-autoregistration",
    ),
    "a network with room for none of its subnets": (
        "vnet nodes fast private databases slurm",
        {"vnet": {"address_space": {"address_prefixes": ["10.0.0.0/24"]}}},
        "refuses the subnets; virtual-network/virtual-networks-faq",
    ),
}
