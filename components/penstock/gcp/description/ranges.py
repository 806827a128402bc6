"""Where nodes, pods, services and fabrics have their addresses in a network on Google Cloud.

A network has one subnetwork in a region, whatever its zones. Pods take half of the range; the other half holds, in
quarters, nodes, services, the services that Google runs for us, and nothing yet. The networks of a fabric are not
connected with it, and each has its place in a range of their own: no pool that comes or goes renumbers another.
"""

from __future__ import annotations

from ipaddress import IPv4Network
from string import ascii_lowercase

SHORTEST_PREFIX = 8
"""The largest network: the largest of the private ranges (RFC 1918)."""

LONGEST_PREFIX = 18
"""The smallest network: its private services have a /21, of which Lustre asks a /22, its pods room for 64 nodes."""

FABRICS = IPv4Network("172.16.0.0/12")
"""What the fabrics' own networks lie in."""

_PARTS = 3
"""Bits of an eighth of the network."""

_SERVICES_PREFIX = 20
"""As many services as GKE itself provides for: 4096."""

_PEERED_PREFIX = 16
"""What Google recommends to set aside for services that are reached by peering."""

_FABRIC_PREFIX = 21
_RANGES_OF_A_FABRIC = 16
_ACROSS_ZONES = ("tcpx", "tcpxo", "dual-nic")
_IN_ONE_ZONE = ("rdma", "rdma-nvl72", "rdma-metal")
_LETTERS = ascii_lowercase[:8]


def nodes(cidr: IPv4Network) -> IPv4Network:
    """The range of nodes: an eighth of the network."""
    return _eighth(cidr, 0)


def services(cidr: IPv4Network) -> IPv4Network:
    """The range of Kubernetes services: an eighth of the network, or 4096 addresses of it."""
    return _narrowed(_eighth(cidr, 1), _SERVICES_PREFIX)


def private_services(cidr: IPv4Network) -> IPv4Network:
    """The range of Lustre, Filestore and Cloud SQL: an eighth of the network, or a /16 of it."""
    return _narrowed(_eighth(cidr, 2), _PEERED_PREFIX)


def pods(cidr: IPv4Network) -> IPv4Network:
    """The range of pods: half of the network."""
    return list(cidr.subnets())[1]


def fabric(index: int) -> IPv4Network:
    """A range for one subnetwork of a fabric; `first_of_fabric` says where those of a fabric begin."""
    size = 2 ** (FABRICS.max_prefixlen - _FABRIC_PREFIX)
    return IPv4Network((int(FABRICS.network_address) + index * size, _FABRIC_PREFIX))


def first_of_fabric(name: str, zone: str | None) -> int:
    """The index of the first range of a fabric, given with its zone where its networks lie in one."""
    if name in _ACROSS_ZONES:
        return _ACROSS_ZONES.index(name) * _RANGES_OF_A_FABRIC
    place = _IN_ONE_ZONE.index(name) * len(_LETTERS) + _LETTERS.index((zone or "a")[-1])
    return (len(_ACROSS_ZONES) + place) * _RANGES_OF_A_FABRIC


def addresses_for_pods(max_pods: int) -> int:
    """The addresses that a node takes from the range of pods: a power of two, at least twice its most pods."""
    return 1 << (2 * max_pods - 1).bit_length()


def _eighth(cidr: IPv4Network, place: int) -> IPv4Network:
    return list(cidr.subnets(prefixlen_diff=_PARTS))[place]


def _narrowed(cidr: IPv4Network, prefix: int) -> IPv4Network:
    return next(cidr.subnets(new_prefix=max(cidr.prefixlen, prefix)))
