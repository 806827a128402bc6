"""Networks, VLANs and addresses of machines of one's own: one subnet for each rail, and those that every site needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Network, ip_network
from math import ceil, log2

_FIRST_VLAN = 100
_SPARE = 16
"""Addresses of a subnet for gateways, switches, storage heads and a few more machines."""
_SPACE = ip_network("10.128.0.0/9")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNetwork:
    """One network: what it is for, its VLAN, and its addresses."""

    purpose: str
    vlan: int
    cidr: str
    hosts: int


def own_networks(nodes: int, rails: int) -> tuple[OwnNetwork, ...]:
    """The networks of a site: consoles, hosts, storage, and one for each rail, as RoCE with several cards needs."""
    purposes = ("consoles (BMC)", "hosts and Kubernetes", "storage", *(f"rail {rail}" for rail in range(rails)))
    subnets = _subnets(nodes + _SPARE)
    return tuple(
        OwnNetwork(purpose=purpose, vlan=_FIRST_VLAN + number, cidr=str(next(subnets)), hosts=nodes)
        for number, purpose in enumerate(purposes)
    )


def _subnets(hosts: int) -> Iterator[IPv4Network]:
    prefix = 32 - max(5, ceil(log2(hosts + 2)))
    yield from (each for each in _SPACE.subnets(new_prefix=prefix) if isinstance(each, IPv4Network))
