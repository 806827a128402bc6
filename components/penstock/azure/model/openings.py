"""Openings of Azure: rules of network security groups, and of a network manager's administrators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from penstock.azure.types import NETWORK_ADMIN_RULE
from penstock.graph.values import listed
from penstock.graph.view import Block
from penstock.model.openings.reach import ALL, Reach, ports_of


@dataclass(frozen=True, slots=True)
class AzureOpening:
    """One security rule: what it lets through, and from or to whom; raises as blocks do."""

    rule: Block

    @property
    def allows(self) -> bool:
        """Say whether it lets traffic through."""
        return (self.rule.text("access") or "").casefold() in ("allow", "alwaysallow")

    @property
    def direction(self) -> str:
        """The direction of traffic: inbound or outbound."""
        return (self.rule.text("direction") or "").casefold()

    @property
    def reach(self) -> Reach:
        """The protocol and ports that it lets through."""
        keys = ("destinationPortRange", "destinationPortRanges")
        return azure_reach(self.rule.text("protocol"), [port for key in keys for port in listed(self.rule.value(key))])

    @property
    def sources(self) -> tuple[str, list[Any]]:
        """The path of its sources, and the sources; what is not known stays in the list as unknown."""
        if self.rule.owner.type == NETWORK_ADMIN_RULE:
            return self.rule.at("sources"), self._at("sources[].addressPrefix")
        return self._both("sourceAddressPrefix")

    @property
    def destinations(self) -> tuple[str, list[Any]]:
        """The path of its destinations, and the destinations."""
        return self._both("destinationAddressPrefix")

    def _both(self, key: str) -> tuple[str, list[Any]]:
        """The path and values of a property that Azure has in singular and in plural."""
        one, many = self._at(key), self._at(f"{key}es")
        return self.rule.at(key if one or not many else f"{key}es"), one + many

    def _at(self, path: str) -> list[Any]:
        return [item for place in self.rule.locations(path) for item in listed(place.value)]


def azure_reach(protocol: str | None, ports: Sequence[Any]) -> Reach:
    """The reach of a rule: unlike other clouds Azure keeps to the ports where a rule is for every protocol."""
    ranges = [ports_of(port) for port in ports]
    every, of_tcp = Reach.of(protocol, ranges), Reach.of("tcp", ranges)
    return of_tcp if every.protocol == ALL and not of_tcp.is_everything else every
