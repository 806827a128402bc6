"""Ranges of addresses that Google keeps for a use of its own."""

from __future__ import annotations

from ipaddress import IPv4Network

from penstock.catalog.address_ranges import ranges_for


def reserved() -> tuple[IPv4Network, ...]:
    """The ranges that no subnetwork may touch."""
    return ranges_for("reserved", "gcp")


def auto_subnetworks() -> IPv4Network:
    """The range that Google takes subnetworks from in a network of auto mode."""
    (found,) = ranges_for("auto_subnetworks", "gcp")
    return found


def private_apis() -> IPv4Network:
    """The range in which private.googleapis.com answers, which no router outside Google's network leads to."""
    (found,) = ranges_for("private_apis", "gcp")
    return found


def iap() -> IPv4Network:
    """The range from which Identity-Aware Proxy forwards TCP."""
    (found,) = ranges_for("iap", "gcp")
    return found
