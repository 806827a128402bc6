"""Where each zone's subnets lie in the address range of the network.

A zone's place follows from its letter alone, so adding, removing or reordering zones never renumbers another zone,
which would replace its subnets and everything in them.
"""

from __future__ import annotations

from ipaddress import IPv4Network
from string import ascii_lowercase

from penstock.catalog import address_ranges

_SHARES = 8
"""Equal shares: one for the nodes of each of seven zones (no region goes beyond f), the last for public subnets."""

LONGEST_PREFIX = 22
"""The smallest network: a public subnet is a sixty-fourth of it, and AWS takes none smaller than /28."""


def private(cidr: IPv4Network, zone: str) -> IPv4Network:
    """The range of a zone's nodes and pods: an eighth of the network. `zone` is a full name, such as us-east-1a."""
    return _share(cidr, _place(zone))


def public(cidr: IPv4Network, zone: str) -> IPv4Network:
    """The range of a zone's NAT gateway: a sixty-fourth of the network."""
    return _share(_share(cidr, _SHARES - 1), _place(zone))


def usable_addresses(cidr: IPv4Network, zone: str) -> int:
    """The addresses that nodes and pods of a zone can take."""
    return address_ranges.usable_addresses(private(cidr, zone), "aws")


def _share(cidr: IPv4Network, place: int) -> IPv4Network:
    return list(cidr.subnets(prefixlen_diff=_SHARES.bit_length() - 1))[place]


def _place(zone: str) -> int:
    return ascii_lowercase.index(zone[-1])
