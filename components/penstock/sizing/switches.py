"""The switches of a non-blocking network that joins accelerators: a fat tree, or one whose leaves follow the rails."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from penstock.core.errors import UnknownFact


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchCount:
    """Switches by tier, and the links between switches and to machines.

    Attributes:
        tiers: 1, 2 or 3.
        leaves: switches that machines are attached to.
        spines: switches above them, of all further tiers; of three tiers the leaves are not counted apart.
        links: cables, to machines and between switches.
    """

    tiers: int
    leaves: int
    spines: int
    links: int

    @property
    def switches(self) -> int:
        """All of them."""
        return self.leaves + self.spines


def fat_tree(endpoints: int, ports: int) -> SwitchCount:
    """The switches of a fat tree: up to `ports` endpoints one switch, up to p²/2 two tiers, up to p³/4 three.

    Raises:
        UnknownFact: three tiers do not reach so many endpoints.
    """
    half = ports // 2
    if endpoints <= ports:
        return SwitchCount(tiers=1, leaves=1, spines=0, links=endpoints)
    if endpoints <= ports * half:
        leaves = ceil(endpoints / half)
        return SwitchCount(tiers=2, leaves=leaves, spines=ceil(leaves / 2), links=2 * endpoints)
    if endpoints > ports**3 // 4:
        raise UnknownFact(f"{endpoints} endpoints are more than three tiers of {ports}-port switches join")
    leaves = ceil(endpoints / half)
    return SwitchCount(tiers=3, leaves=leaves, spines=ceil(5 * endpoints / ports) - leaves, links=3 * endpoints)


def rail_optimised(nodes: int, rails: int, ports: int) -> SwitchCount:
    """The same with a leaf for each rail of every p/2 machines: accelerators of the same number are one hop apart."""
    half = ports // 2
    if nodes * rails <= ports or nodes * rails > ports * half:
        return fat_tree(nodes * rails, ports)
    leaves = rails * ceil(nodes / half)
    return SwitchCount(tiers=2, leaves=leaves, spines=ceil(leaves / 2), links=2 * nodes * rails)
