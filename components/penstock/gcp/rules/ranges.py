"""Ranges of addresses as networks hold them: of subnetworks, their secondary ranges, and what is kept for services."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Network

from penstock.core.cidr import ipv4_range
from penstock.gcp.types import COMPUTE_GLOBAL_ADDRESS, COMPUTE_NETWORK, COMPUTE_SUBNETWORK
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, View


@dataclass(frozen=True, slots=True)
class Range:
    """A range of a network, and where it is written."""

    cidr: IPv4Network
    holder: View
    path: str


def of_subnetwork(subnetwork: View) -> Iterator[Range]:
    """The primary range of a subnetwork and its secondary ones, as far as they are written and right."""
    for block in (subnetwork, *subnetwork.blocks("secondaryIpRanges")):
        cidr = ipv4_range(block.text("ipCidrRange"))
        if cidr is not None:
            yield Range(cidr, subnetwork, block.at("ipCidrRange"))


def reserved(address: View) -> Range | None:
    """The range that an address keeps for services of Google; None where Google chooses it, or it is one address."""
    start, length = address.text("address"), address.integer("prefixLength")
    cidr = None if start is None or length is None else ipv4_range(f"{start}/{length}")
    return None if cidr is None else Range(cidr, address, "address")


def of_network(network: View) -> list[Range]:
    """Every range of a network that its program writes, in the order of the program.

    Raises:
        NotKnown: one of them is not known yet.
    """
    found = [
        each for subnetwork in network.referrers(COMPUTE_SUBNETWORK, "network") for each in of_subnetwork(subnetwork)
    ]
    kept = (reserved(address) for address in network.referrers(COMPUTE_GLOBAL_ADDRESS, "network"))
    return [*found, *(each for each in kept if each is not None)]


def secondary(subnetwork: View, name: str) -> Block | None:
    """The secondary range of that name."""
    return next((block for block in subnetwork.blocks("secondaryIpRanges") if block.text("rangeName") == name), None)


def home(view: View) -> View | None:
    """The network of the program that a resource is in; None where it names none or one outside.

    A resource that names only its subnetwork is in the network of that.
    """
    for holder in (view, _inside(view, "subnetwork", COMPUTE_SUBNETWORK)):
        if holder is not None:
            found = _inside(holder, "network", COMPUTE_NETWORK)
            if found is not None:
                return found
    return None


def _inside(view: View, key: str, type_: str) -> View | None:
    try:
        found = view.one(key, type_)
    except (NotKnown, TypeMismatch):
        return None
    return None if found is None or found.resource.external else found
