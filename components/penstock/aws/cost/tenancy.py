"""Machines on hardware of their own: they cost more each, and AWS asks a fee of a region that has any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from penstock.aws.model.tenancy import tenancy_of
from penstock.catalog import prices
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.cost.machine_pools import missing_machines
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools import MachinePool, machine_pools

_WHY: Final = {
    "dedicated": ("on dedicated hardware: no price known", "the price of dedicated instances"),
    "host": ("on a dedicated host, which is billed in their place", "the price of the dedicated host"),
}


def by_tenancy(pool: MachinePool, items: Iterable[Line | Unpriced]) -> Iterator[Line | Unpriced]:
    """Yield what the machines of a pool cost, named as unpriced where that is the price of shared hardware."""
    tenancy = tenancy_of(pool)
    if tenancy == "default":
        yield from items
        return
    why, depends = _WHY[tenancy]
    for item in items:
        if not isinstance(item, Line) or not item.quantity:
            yield item
        elif tenancy == "host":
            yield Unpriced(item.urn, f"{item.what}, {why}", depends, missing="elsewhere")
        else:
            named, count = pool.machine_types()[0].name, item.quantity / HOURS_A_MONTH
            missing = missing_machines(pool, named, count)
            yield Unpriced(item.urn, f"{item.what}, {why}", depends, machines=missing)


def region_fee(pool: MachinePool) -> Iterator[Line | Unpriced]:
    """Yield the fee of a region with dedicated instances, at the first resource that starts any there."""
    if tenancy_of(pool) == "dedicated" and pool.view.site.once(_paying).get(_region(pool)) == pool.view.urn:
        fee = prices.service("aws", "dedicated-instances", "region fee")
        what = "fee of a region with dedicated instances"
        yield line(pool.view.resource, what, HOURS_A_MONTH, fee, assumes="once for all of the region")


def _paying(site: Site) -> Mapping[str, str]:
    """The resource that stands for the fee of each region: the first that starts dedicated instances there."""
    found: dict[str, str] = {}
    for view in (View(resource, site) for resource in site.graph if not resource.external):
        for pool in machine_pools(view):
            if tenancy_of(pool) == "dedicated" and _starts(pool):
                found.setdefault(_region(pool), view.urn)
    return found


def _starts(pool: MachinePool) -> bool:
    try:
        return pool.starts_machines()
    except (NotKnown, TypeMismatch):
        return True


def _region(pool: MachinePool) -> str:
    try:
        return pool.region()
    except (NotKnown, TypeMismatch):
        return ""
