"""Ranges of addresses that Google keeps for a use of its own."""

from __future__ import annotations

from functools import cache
from ipaddress import IPv4Network

from penstock.catalog.tables import rows


@cache
def reserved() -> tuple[IPv4Network, ...]:
    """The ranges that no subnetwork may touch."""
    return _of("reserved")


@cache
def auto_subnetworks() -> IPv4Network:
    """The range that Google takes subnetworks from in a network of auto mode."""
    (found,) = _of("auto_subnetworks")
    return found


@cache
def private_apis() -> IPv4Network:
    """The range in which private.googleapis.com answers, which no router outside Google's network leads to."""
    (found,) = _of("private_apis")
    return found


@cache
def iap() -> IPv4Network:
    """The range from which Identity-Aware Proxy forwards TCP."""
    (found,) = _of("iap")
    return found


def _of(use: str) -> tuple[IPv4Network, ...]:
    return tuple(IPv4Network(row["cidr"]) for row in rows("gcp/address_ranges") if row["use"] == use)
