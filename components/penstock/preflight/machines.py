"""The machines that a program may start: which types in which zones, and how many of each reservation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site
from penstock.model.pools import MachinePool, program_pools
from penstock.preconditions import Precondition
from penstock.preconditions.need import NamedNeed, named

OFFER: Final = "offer"
"""The kind of the preconditions that machine types are offered."""


@dataclass(frozen=True, slots=True)
class PoolOffer:
    """A machine type of a pool, and the zones that must offer it; none where the cloud chooses in the region."""

    pool: str
    urn: str
    machine_type: str
    zones: tuple[str, ...]
    region: str


def offers_needed(site: Site, provider: str) -> Iterator[PoolOffer]:
    """Yield each machine type of each pool of a provider; what is not known yet is left out."""
    for pool in program_pools(site, provider):
        try:
            types = [] if pool.service else pool.machine_types()
            zones, region = pool.zones() or [], pool.region()
            name = pool.name
        except (NotKnown, TypeMismatch):
            continue
        for each in types:
            yield PoolOffer(name, pool.view.urn, each.name, tuple(zones), region)


def offered(site: Site, provider: str, how: str, owner: str = "") -> Iterator[Precondition]:
    """Yield that zones offer the machine types of pools; `owner` is the project or subscription to offer them to."""
    for offer in offers_needed(site, provider):
        place = ", ".join(offer.zones) or f"some zone of {offer.region}"
        words = {
            "machine_type": offer.machine_type,
            "zones": " ".join(offer.zones),
            "region": offer.region,
            "owner": owner,
        }
        yield Precondition(
            f"{offer.machine_type} offered in {place}",
            "A pool in a zone without its machine type is refused, or stays empty.",
            how.format_map(words),
            offer.urn,
            named(OFFER, words),
            OFFER,
        )


def zones_of(need: NamedNeed) -> list[str]:
    """Return the zones that must offer a machine type."""
    return need.word("zones").split()


def pools_of(site: Site, provider: str, text: str) -> list[MachinePool]:
    """Return the pools that name something, such as a reservation, or take it from a template that does."""
    form = re.compile(rf"(?<![\w-]){re.escape(text)}(?![\w-])")
    givers = {resource.urn for resource in site.graph if resource.custom and form.search(str(resource.inputs))}
    return [
        pool
        for pool in program_pools(site, provider)
        if not givers.isdisjoint((pool.view.urn, *pool.view.resource.dependencies))
    ]


def most_machines(pools: list[MachinePool]) -> int | None:
    """Return the most machines of pools together; None where that is not known."""
    try:
        return sum(pool.most() for pool in pools)
    except (NotKnown, TypeMismatch):
        return None
