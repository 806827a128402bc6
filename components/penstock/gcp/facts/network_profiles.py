"""Network profiles: what a VPC network for RDMA between accelerators may hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, keyed, record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkProfile:
    """A kind of network; its profile in a zone is called ZONE-NAME, such as us-central1-b-vpc-roce.

    Attributes:
        interface: the type of network interface that it takes, and no other.
        own_subnetworks: whether one makes its subnetworks oneself; Google makes them otherwise.
        secondary_ranges: whether subnetworks have secondary ranges; None is "not known", as for the rest.
        stack_type: the only kind of addresses that subnetworks have.
        firewall_rules: whether it takes firewall rules of its own, beside those of a policy.
    """

    name: Annotated[str, Column("profile")]
    interface: str
    own_subnetworks: bool
    secondary_ranges: bool | None
    stack_type: str | None
    firewall_rules: bool | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_network_profile(name: str) -> NetworkProfile:
    """The profile of that name, such as vpc-roce.

    Raises:
        UnknownFact: the catalogue has no such profile; the text names the nearest ones.
    """
    return record_of(NetworkProfile, "gcp/network_profiles", name, "network profile")


def network_profile_names() -> tuple[str, ...]:
    """Every profile, in the order of the table."""
    return tuple(keyed(NetworkProfile, "gcp/network_profiles"))
