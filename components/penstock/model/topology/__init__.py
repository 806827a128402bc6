"""The topology of a program: its subnets, what stands where, and the fabric of its pools.

What is not known yet, or lies outside the program, is left out: a drawing shows what there is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import TypeVar

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools.pool import MachinePool
from penstock.model.topology.records import PlacedSubnet, PoolFabric, Standing
from penstock.providers import all_providers, provider_named, provider_of

__all__ = [
    "PlacedSubnet",
    "PoolFabric",
    "Standing",
    "fabric_of",
    "readable",
    "standing_of",
    "subnets",
    "subnets_of_pool",
]

Found = TypeVar("Found")
Other = TypeVar("Other")


def readable(read: Callable[[], Found], otherwise: Other) -> Found | Other:
    """Return what a reader reads, and something else where that is not known or has not its form."""
    try:
        return read()
    except (NotKnown, TypeMismatch):
        return otherwise


def subnets(site: Site) -> list[PlacedSubnet]:
    """Return every subnet of a program, those among them that it only looks up."""
    found: list[PlacedSubnet] = []
    for provider in all_providers():
        reader = provider.module("topology")
        if reader is not None:
            for resource in site.graph.of_type(*reader.SUBNETS):
                found += readable(partial(reader.placed_subnets, View(resource, site)), [])
    return found


def subnets_of_pool(pool: MachinePool) -> list[str]:
    """Return the URNs of the subnets that a pool's machines start in; none where that is not known."""
    reader = _reader(pool)
    found: list[View] = readable(lambda: reader.pool_subnets(pool), []) if reader is not None else []
    return [view.urn for view in found]


def fabric_of(pool: MachinePool) -> PoolFabric | None:
    """Return the fabric of a pool as its resources ask for it; None where they do not, or where it is not known."""
    reader = _reader(pool)
    found: PoolFabric | None = readable(lambda: reader.pool_fabric(pool), None) if reader is not None else None
    return found


def standing_of(view: View) -> Standing | None:
    """Return where a resource of a cloud stands; None where that is not known."""
    provider = provider_of(view.type)
    reader = provider.module("topology") if provider is not None else None
    found: Standing | None = readable(lambda: reader.standing(view), None) if reader is not None else None
    return found


def _reader(pool: MachinePool) -> ModuleType | None:
    provider = provider_named(readable(lambda: pool.cloud, ""))
    return provider.module("topology") if provider is not None else None
