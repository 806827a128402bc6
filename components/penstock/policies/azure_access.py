"""How Azure lets the internet in or keeps it out: by rules for ports, and by what services say of public access."""

from __future__ import annotations

from typing import Final

from penstock.policies.open_world import NotOpen
from penstock.rules.checks import All, Check, Either, Is, Joined, OneOf

OFF: Final = ("Disabled", "SecuredByPerimeter")
"""Values of publicNetworkAccess that keep the internet out; a perimeter refuses what none of its rules names."""

_ENDPOINT: Final = "azure-native:network:PrivateEndpoint"
HAS_ENDPOINT: Final = Joined(
    (
        (_ENDPOINT, "privateLinkServiceConnections[].privateLinkServiceId"),
        (_ENDPOINT, "manualPrivateLinkServiceConnections[].privateLinkServiceId"),
    ),
    "no private endpoint leads to it",
)
"""A private endpoint of the program connects to the resource."""


def refuses_networks(access: str, rules: str, address: str = "value") -> Check:
    """The internet is kept out, as a whole (`access`) or but for addresses that are named (`rules`)."""
    named = All(Is(f"{rules}.defaultAction", "Deny"), NotOpen(f"{rules}.ipRules[].{address}"))
    return Either(named, OneOf(access, OFF))
