"""Ranges of addresses as networks of Azure hold them: of virtual networks, and of subnets inside and beside them."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network

from penstock.azure.types import NETWORK_SUBNET
from penstock.core.cidr import ipv4_range
from penstock.graph.view import Block, View


@dataclass(frozen=True, slots=True)
class SubnetRange:
    """An IPv4 range of a subnet, and where it is written."""

    cidr: IPv4Network
    holder: View
    path: str


def ranges_of_network(network: View) -> list[IPv4Network]:
    """The IPv4 ranges of a virtual network; empty where an address manager chooses them.

    Raises:
        NotKnown: one of them is not known yet.
    """
    space = network.block("addressSpace")
    texts = space.texts("addressPrefixes") if space is not None else []
    return [cidr for text in texts if (cidr := ipv4_range(text)) is not None]


def ranges_of_subnet(subnet: Block) -> list[SubnetRange]:
    """The IPv4 ranges of a subnet, be it a resource or a part of its virtual network.

    Raises:
        NotKnown: one of them is not known yet.
    """
    texts = [(text, subnet.at(f"addressPrefixes[{at}]")) for at, text in enumerate(subnet.texts("addressPrefixes"))]
    single = subnet.text("addressPrefix")
    if single is not None:
        texts = [(single, subnet.at("addressPrefix"))]
    return [SubnetRange(cidr, subnet.owner, path) for text, path in texts if (cidr := ipv4_range(text)) is not None]


def ranges_of_all_subnets(network: View) -> list[SubnetRange]:
    """The IPv4 ranges of all subnets of a virtual network that the program describes, each subnet once.

    One that is described inside its network and as a resource, too, is one subnet.

    Raises:
        NotKnown: one of them is not known yet, or it is not known of which network a subnet is.
    """
    beside = network.referrers(NETWORK_SUBNET, "virtualNetworkName")
    names = {name for subnet in beside if (name := subnet.given("subnetName")) is not None}
    inside = [subnet for subnet in network.blocks("subnets") if subnet.given("name") not in names]
    return [found for subnet in (*inside, *beside) for found in ranges_of_subnet(subnet)]
