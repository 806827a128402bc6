"""Address ranges: parsing, containment and overlap."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Final

Network = IPv4Network | IPv6Network

RFC_1918: Final = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
"""The private ranges of IPv4."""


def ipv4_range(text: str | None) -> IPv4Network | None:
    """Return the IPv4 range of a text such as 10.0.0.0/16; None for no text, host bits or any other text."""
    try:
        return None if text is None else IPv4Network(text)
    except ValueError:
        return None


def any_range(text: object) -> Network | None:
    """Return the range of a CIDR or an address, host bits cleared; None for any other value."""
    try:
        return ip_network(text, strict=False) if isinstance(text, str) else None
    except ValueError:
        return None


def is_inside(inner: Network, outer: Iterable[Network]) -> bool:
    """Return whether one of several ranges contains a range."""
    return any(
        inner.subnet_of(each)  # type: ignore[arg-type] # same version
        for each in outer
        if each.version == inner.version
    )


def overlaps(one: Network, other: Network) -> bool:
    """Return whether two ranges share addresses. Ranges of IPv4 and IPv6 share none."""
    return one.version == other.version and one.overlaps(other)


def first_overlap(wanted: IPv4Network, ranges: Iterable[IPv4Network]) -> IPv4Network | None:
    """Return the first range that shares addresses with a wanted one."""
    return next((each for each in ranges if each.overlaps(wanted)), None)


def shared_range(first: Iterable[IPv4Network], second: Iterable[IPv4Network]) -> IPv4Network | None:
    """Return the narrower one of the first two ranges that share addresses."""
    others = tuple(second)
    pairs = ((one, other) for one in first for other in others if one.overlaps(other))
    return next((max(pair, key=lambda each: each.prefixlen) for pair in pairs), None)
