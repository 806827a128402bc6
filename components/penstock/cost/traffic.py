"""Traffic that is paid for, by declared usage: to the internet, between zones and regions, through gateways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from penstock.catalog import prices
from penstock.catalog.prices import Price
from penstock.cost.amounts import Amount
from penstock.cost.bill import Line, Unpriced, by_use, line
from penstock.cost.declared import BilledSite, amount, usage_of
from penstock.cost.tiers import Tier, parts_of
from penstock.graph.view import View
from penstock.model.endpoints import cluster_types, network_types


def egress_items(view: View, cloud: str, tiers: Sequence[Tier], region: str) -> Iterator[Line | Unpriced]:
    """Yield the cost of traffic to the internet, tier by tier."""
    given = _given(view, "network", "egress_gb")
    if given is None:
        first = prices.service(cloud, "egress", tiers[0].item, region)
        yield by_use(view.resource, "traffic to the internet, by use", "network.egress_gb", first)
        return
    for tier, part in parts_of(given, tiers):
        if part.high:
            price = prices.service(cloud, "egress", tier.item, region)
            what = f"traffic to the internet, {tier.item.removeprefix('internet ')}"
            yield line(view.resource, what, part, price, assumes="penstock:usage.network.egress_gb")


def flow_items(
    view: View, field: str, what: str, price: Price | None, *, factor: float = 1
) -> Iterator[Line | Unpriced]:
    """Yield the cost of one kind of traffic; `factor` is 2 where both ends are billed."""
    given = _given(view, "network", field)
    if given is None:
        yield by_use(view.resource, f"{what}, by use", f"network.{field}", price)
    else:
        yield line(view.resource, what, given * factor, price, assumes=f"penstock:usage.network.{field}")


def shared_flow(
    view: View, among: Sequence[View], field: str, what: str, price: Price | None
) -> Iterator[Line | Unpriced]:
    """Yield the part of a resource in traffic that all of `among` carry alike; unpriced for the first of them only."""
    given = _given(view, "network", field)
    if given is not None:
        assumes = f"penstock:usage.network.{field}, shared alike"
        yield line(view.resource, what, given * (1 / max(1, len(among))), price, assumes=assumes)
    elif not among or among[0].urn == view.urn:
        yield by_use(view.resource, f"{what}, by use", f"network.{field}", price)


def cluster_volumes(view: View, volumes: Price | None, snapshots: Price | None) -> Iterator[Line | Unpriced]:
    """Yield the cost of what pods claim, once for a program: volumes of the default class, and their snapshots."""
    if not _is_first(view, cluster_types()):
        return
    for what, field, price in (("volumes of pods", "volumes_gb", volumes), ("snapshots", "snapshots_gb", snapshots)):
        given = _given(view, field)
        if given is not None:
            yield line(view.resource, what, given, price, assumes=f"penstock:usage.{field}")
        elif field == "volumes_gb":
            yield by_use(view.resource, f"{what}, by use", field, price)


def is_first_network(view: View) -> bool:
    """Return whether a network is the first of the program, which stands for all of its traffic."""
    return _is_first(view, network_types())


def _is_first(view: View, types: Sequence[str]) -> bool:
    """Return whether a resource is the first of its kinds in the program: it stands for what is declared once."""
    first = next(iter(view.site.of_type(*types)), view)
    return first.urn == view.urn


def _given(view: View, *path: str) -> Amount | None:
    """The amount that is declared at a path, noted as counted; None where none is."""
    found: Any = usage_of(view)
    for step in path:
        found = getattr(found, step, None)
    if isinstance(view.site, BilledSite):
        view.site.found.add(("", ".".join(path)))
    return amount(found)
