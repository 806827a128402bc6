"""How Azure lets the internet in or keeps it out: by rules for ports, and by what services say of public access."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import NETWORK_PRIVATE_ENDPOINT, WEB_APP
from penstock.policies.open_world import FewAddresses, NotOpen
from penstock.rules.checks import All, Check, Either, Is, IsNot, Joined, OneOf

OFF: Final = ("Disabled", "SecuredByPerimeter")
"""Values of publicNetworkAccess that keep the internet out; a perimeter refuses what none of its rules names."""

HAS_ENDPOINT: Final = Joined(
    (
        (NETWORK_PRIVATE_ENDPOINT, "privateLinkServiceConnections[].privateLinkServiceId"),
        (NETWORK_PRIVATE_ENDPOINT, "manualPrivateLinkServiceConnections[].privateLinkServiceId"),
    ),
    "no private endpoint leads to it",
)
"""A private endpoint of the program connects to the resource."""


def _signs_in(slot: str) -> Check:
    """The authentication settings of an app or of a slot, old or new, refuse callers without a login."""
    return Either(
        Joined(
            ((f"{WEB_APP}AuthSettingsV2{slot}", "name"),),
            "no authentication is configured",
            All(
                Is("platform.enabled", value=True),
                IsNot("globalValidation.unauthenticatedClientAction", "AllowAnonymous"),
            ),
        ),
        Joined(
            ((f"{WEB_APP}AuthSettings{slot}", "name"),), "no authentication is configured", Is("enabled", value=True)
        ),
    )


SIGN_IN: Final = {WEB_APP: _signs_in(""), f"{WEB_APP}Slot": _signs_in("Slot")}
"""Web apps and their slots, with the check that App Service signs their callers in."""

OWNER: Final = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
CONTRIBUTOR: Final = "b24988ac-6180-42a0-ab88-20f7382dd24c"
ACCESS_ADMINISTRATOR: Final = "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9"
BUILT_IN_ROLES: Final = {
    OWNER: "Owner",
    CONTRIBUTOR: "Contributor",
    ACCESS_ADMINISTRATOR: "User Access Administrator",
    "f58310d9-a9f6-439a-9e8d-f62e7b41a168": "Role Based Access Control Administrator",
}
"""Privileged built-in roles by their ids, which are the same everywhere (Azure built-in roles, privileged)."""


def refuses_networks(access: str, rules: str, address: str = "value") -> Check:
    """The internet is kept out, as a whole (`access`) or but for addresses that are named (`rules`)."""
    named = All(Is(f"{rules}.defaultAction", "Deny"), NotOpen(f"{rules}.ipRules[].{address}"))
    return Either(named, OneOf(access, OFF))


def is_closed(access: str, rules: str, address: str) -> Check:
    """Only private endpoints, named networks and a few addresses get in."""
    named = All(Is(f"{rules}.defaultAction", "Deny"), FewAddresses(f"{rules}.ipRules[].{address}"))
    return Either(named, OneOf(access, OFF))
