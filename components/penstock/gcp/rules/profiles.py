"""The profile of a network: which kind of network it makes, and in which zone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from penstock.core.errors import UnknownFact
from penstock.gcp.facts import network_profiles
from penstock.gcp.facts.network_profiles import NetworkProfile
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_FORM = re.compile(
    r"(?:https?://[^/]+/compute/\w+/)?projects/[^/]+/global/networkProfiles/(?P<zone>[a-z]+-[a-z]+\d+-[a-z0-9]+)-(?P<name>vpc-.+)"
)


@dataclass(frozen=True, slots=True)
class Profile:
    """The profile that a network names: a zone, and a kind of network."""

    zone: str
    name: str

    @property
    def facts(self) -> NetworkProfile | None:
        """The row of the catalogue on the kind; None for an unknown one."""
        try:
            return network_profiles.find_network_profile(self.name)
        except UnknownFact:
            return None


def read(text: str) -> Profile | None:
    """A profile as it is written; None for what is not a path of one."""
    found = _FORM.fullmatch(text)
    return None if found is None else Profile(found["zone"], found["name"])


def of_network(network: View | None) -> Profile | None:
    """The profile of a network; None where it has none, or one that is written wrong.

    Raises:
        NotKnown: the network lies outside the program.
    """
    if network is None:
        return None
    if network.resource.external:
        raise NotKnown
    text = network.text("networkProfile")
    return None if not text else read(text)
