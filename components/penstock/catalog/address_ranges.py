"""Address ranges that clouds reserve, and the addresses that a subnet has left."""

from __future__ import annotations

from functools import cache
from ipaddress import IPv4Network

from penstock.catalog import limits
from penstock.catalog.tables import rows


@cache
def ranges_for(use: str, cloud: str) -> tuple[IPv4Network, ...]:
    """The ranges that a cloud keeps for one use, in the order of its table."""
    return tuple(IPv4Network(row["cidr"]) for row in rows(f"{cloud}/address_ranges") if row["use"] == use)


def usable_addresses(cidr: IPv4Network, cloud: str) -> int:
    """The addresses that machines in a subnet can take, without those that the cloud reserves in each subnet."""
    return cidr.num_addresses - reserved_addresses(cloud)


def reserved_addresses(cloud: str) -> int:
    """The addresses that a cloud reserves in each subnet."""
    return limits.find_limit("reserved_subnet_addresses", cloud).most
