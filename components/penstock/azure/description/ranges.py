"""Where nodes, services and pods have their addresses on Azure.

A virtual network has one subnet for all nodes, whatever their zones, in its first half. The other half holds file
systems, in slots of one size, then private endpoints and the API of the cluster. Pods have their addresses outside of
it, in an overlay: nobody but their cluster sees them, and each node takes a /24.
"""

from __future__ import annotations

from ipaddress import IPv4Network

from penstock.description.cluster import SERVICE_CIDR

SHORTEST_PREFIX = 9
"""The largest network: half of the largest private range (RFC 1918), whose other half is for pods."""

LONGEST_PREFIX = 20
"""The smallest network: it has two slots for file systems."""

LUSTRE_PREFIX = 23
"""The subnet of a file system of up to 400 TiB (`penstock.azure.facts.lustre`)."""

_ENDPOINTS_PREFIX = 24
_API_SERVER_PREFIX = 28
"""AKS takes no smaller one (AKS documentation, API Server VNet Integration)."""

_OTHER_SERVICES = IPv4Network("172.24.0.0/16")
"""A network that reached both this and the usual range would reach 172.16.0.0/16, too, which no network may."""

_PODS_PREFIX = 11
"""Room for the most nodes of a cluster, 5000."""


def nodes(cidr: IPv4Network) -> IPv4Network:
    """The subnet of nodes: half of the network."""
    return next(cidr.subnets())


def lustre(cidr: IPv4Network, index: int) -> IPv4Network:
    """The subnet of one file system, in a quarter of the network.

    Raises:
        IndexError: the network has no room for so many.
    """
    quarter = list(cidr.subnets(prefixlen_diff=2))[2]
    return IPv4Network((quarter[index << (quarter.max_prefixlen - LUSTRE_PREFIX)], LUSTRE_PREFIX))


def lustre_slots(cidr: IPv4Network) -> int:
    """How many file systems a network has room for."""
    return 1 << (LUSTRE_PREFIX - cidr.prefixlen - 2)


def endpoints(cidr: IPv4Network) -> IPv4Network:
    """The subnet of private endpoints."""
    return next(_eighth(cidr, 6).subnets(new_prefix=_ENDPOINTS_PREFIX))


def api_server(cidr: IPv4Network) -> IPv4Network:
    """The subnet of the cluster's API."""
    return next(_eighth(cidr, 7).subnets(new_prefix=_API_SERVER_PREFIX))


def pods(cidr: IPv4Network) -> IPv4Network:
    """The range of pods: the last private one that is not the network's, so that it never changes with anything else.

    Raises:
        ValueError: the network takes all of them; never one that a description may have.
    """
    for candidate in reversed(list(IPv4Network("10.0.0.0/8").subnets(new_prefix=_PODS_PREFIX))):
        if not candidate.overlaps(cidr):
            return candidate
    raise ValueError(f"{cidr} leaves no range for pods")


def services(cidr: IPv4Network) -> IPv4Network:
    """The range of the cluster's services: the usual one, unless it is the network's."""
    return _OTHER_SERVICES if SERVICE_CIDR.overlaps(cidr) else SERVICE_CIDR


def _eighth(cidr: IPv4Network, place: int) -> IPv4Network:
    return list(cidr.subnets(prefixlen_diff=3))[place]
