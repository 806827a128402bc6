"""How Azure lets the internet in or keeps it out: by rules for ports, and by what services say of public access."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from penstock.policies.open_world import NotOpen, Reach, ports_of
from penstock.rules.checks import All, Check, Either, Is, OneOf

OFF: Final = ("Disabled", "SecuredByPerimeter")
"""Values of publicNetworkAccess that keep the internet out; a perimeter refuses what none of its rules names."""


def refuses_networks(access: str, rules: str, address: str = "value") -> Check:
    """The internet is kept out, as a whole (`access`) or but for addresses that are named (`rules`)."""
    named = All(Is(f"{rules}.defaultAction", "Deny"), NotOpen(f"{rules}.ipRules[].{address}"))
    return Either(named, OneOf(access, OFF))


def reach(protocol: str | None, ports: Sequence[Any]) -> Reach:
    """What a rule lets through: unlike other clouds Azure keeps to the ports where a rule is for every protocol."""
    ranges = [ports_of(port) for port in ports]
    every, of_tcp = Reach.of(protocol, ranges), Reach.of("tcp", ranges)
    return of_tcp if every.protocol == "all" and not of_tcp.is_everything else every
