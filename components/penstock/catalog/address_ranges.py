"""Ranges of addresses that clouds keep for a use of their own."""

from __future__ import annotations

from functools import cache
from ipaddress import IPv4Network

from penstock.catalog.tables import rows


@cache
def ranges_for(use: str, cloud: str) -> tuple[IPv4Network, ...]:
    """The ranges that a cloud keeps for one use, in the order of its table."""
    return tuple(IPv4Network(row["cidr"]) for row in rows(f"{cloud}/address_ranges") if row["use"] == use)
