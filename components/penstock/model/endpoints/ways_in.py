"""What a program itself builds as a way into a network: connectors such as VPNs, and machines that people get on to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from penstock.catalog.ways_in import connector_kinds
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.endpoints.clusters import cloud_readers
from penstock.model.endpoints.machines import surely


@dataclass(frozen=True, slots=True)
class WayIn:
    """A way into a network: what it is, and the resource."""

    what: str
    view: View


def ways_in(network: View) -> list[WayIn]:
    """Return the ways into a network that its own program builds; a resource whose network is not known is left out."""
    return [way for way, reached in network.site.once(_all_ways) if reached == network.urn]


def _all_ways(site: Site) -> list[tuple[WayIn, str]]:
    """Every way in of a program, with the URN of the network that it leads to."""
    found = [
        (WayIn(kind.what, view), urn)
        for kind in connector_kinds()
        for view in site.of_type(kind.type)
        for urn in _networks(view, kind.property, kind.of)
    ]
    found += [
        (WayIn(kind.what, view), urn)
        for cloud in cloud_readers()
        for kind in cloud.MACHINES
        for view in site.of_type(kind.type)
        for urn in _networks(view, kind.path, kind.of)
        if surely(kind.is_reached, view)
    ]
    return list({(way.view.urn, urn): (way, urn) for way, urn in found}.values())


def _networks(view: View, path: str, of: str) -> Iterator[str]:
    """The URNs of the networks of the program that a property leads to."""
    try:
        for target in view.found(path, of):
            if of in _holders():
                key, type_ = _holders()[of]
                network = target.one(key, type_)
                if network is not None:
                    yield network.urn
            else:
                yield target.urn
    except (NotKnown, TypeMismatch):
        return


@cache
def _holders() -> Mapping[str, tuple[str, str]]:
    """The property by which something in a network names that network, and the network's type."""
    return {type_: holder for cloud in cloud_readers() for type_, holder in cloud.HOLDERS.items()}
