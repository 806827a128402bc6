"""The licence that an image brings, such as that of Windows: it is paid for beside the machine, by its processors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from penstock.catalog import prices
from penstock.catalog.licences import licence_terms
from penstock.cost.amounts import Amount
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.cost.machine_terms import MachineTerms
from penstock.graph.verdict import NotKnown
from penstock.model.pools import MachinePool
from penstock.model.pools.images import licence_of_pool

_Item = Line | Unpriced
_DEPENDS: Final = "the image's licence, and how many vCPU it is for"


def with_licence(
    pool: MachinePool, items: Iterable[_Item], terms: MachineTerms, running: Callable[[MachinePool], Amount | None]
) -> Iterator[_Item]:
    """Yield what the machines of a pool cost, said to be without the licence of their image, and that licence.

    `running` counts the machines that run all month; None where that is not known.
    """
    found = list(items)
    licence = licence_of_pool(pool, terms.image_marks)
    if licence is None:
        yield from found
        return
    for item in found:
        yield _without(item, licence)
    if found or not terms.reservations_have_licences:
        yield _licence(pool, licence, terms, running(pool))


def _without(item: _Item, licence: str) -> _Item:
    if not isinstance(item, Line):
        return item
    note = f"as with Linux: the licence of {licence} is apart"
    return replace(item, assumes="; ".join(part for part in (item.assumes, note) if part))


def _licence(pool: MachinePool, licence: str, of_cloud: MachineTerms, months: Amount | None) -> _Item:
    view = pool.view
    try:
        types, ways = pool.machine_types(), pool.ways()
        named = types[0].name if types else ""
        terms = licence_terms(pool.cloud, licence, named, ways[0]) if len(ways) == 1 else None
    except NotKnown:
        why = f"licence of {licence}: its machines are not known yet"
        return Unpriced(view.urn, why, _DEPENDS, missing="amount")
    vcpu = of_cloud.vcpu(named)
    price = prices.service(pool.cloud, "licence", terms.item) if terms is not None else None
    if terms is None or price is None or (vcpu is None and terms.billed_by == "vcpu"):
        return Unpriced(view.urn, f"licence of {licence} for {named or 'its machines'}: no price known", _DEPENDS)
    each = vcpu if terms.billed_by == "vcpu" and vcpu is not None else 1
    if months is None:
        return line(view.resource, f"licence of {licence}", None, price)
    shown = f"{months.expected * each:g} {'vCPU' if terms.billed_by == 'vcpu' else 'machines'}"
    span = f"{months.low:g} to {months.high:g} machines" if months.low != months.high else ""
    return line(view.resource, f"licence of {licence}, {shown}", months * each * HOURS_A_MONTH, price, assumes=span)
