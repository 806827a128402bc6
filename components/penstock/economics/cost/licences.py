"""The licence that an image brings, such as that of Windows: it is paid for beside the machine, by its processors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from penstock.catalog import prices
from penstock.catalog.aws.instance_types import find_instance_type
from penstock.catalog.azure.size_names import read_size
from penstock.catalog.licences import licence_terms
from penstock.catalog.machines import find_machine
from penstock.economics.cost.amounts import Amount
from penstock.economics.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.errors import UnknownFact
from penstock.model.pools import MachinePool
from penstock.model.pools.images import licence_of_pool
from penstock.resources.verdict import NotKnown

_Item = Line | Unpriced
_DEPENDS: Final = "the image's licence, and how many vCPU it is for"


def with_licence(
    pool: MachinePool, items: Iterable[_Item], running: Callable[[MachinePool], Amount | None]
) -> Iterator[_Item]:
    """Yield what the machines of a pool cost, said to be without the licence of their image, and that licence.

    `running` counts the machines that run all month; None where that is not known. On AWS a reservation of the program
    that holds the machines is paid for with the licence, used or not.
    """
    found = list(items)
    licence = licence_of_pool(pool)
    if licence is None:
        yield from found
        return
    for item in found:
        yield _without(item, licence)
    if found or pool.cloud != "aws":
        yield _licence(pool, licence, running(pool))


def _without(item: _Item, licence: str) -> _Item:
    if not isinstance(item, Line):
        return item
    note = f"as with Linux: the licence of {licence} is apart"
    return replace(item, assumes="; ".join(part for part in (item.assumes, note) if part))


def _licence(pool: MachinePool, licence: str, months: Amount | None) -> _Item:
    view = pool.view
    try:
        types, ways = pool.machine_types(), pool.ways()
        named = types[0].name if types else ""
        terms = licence_terms(pool.cloud, licence, named, ways[0]) if len(ways) == 1 else None
    except NotKnown:
        return Unpriced(view.urn, f"licence of {licence}: its machines are not known yet", _DEPENDS)
    vcpu = _vcpu(pool.cloud, named)
    price = prices.service(pool.cloud, "licence", terms.item) if terms is not None else None
    if terms is None or price is None or (vcpu is None and terms.billed_by == "vcpu"):
        return Unpriced(view.urn, f"licence of {licence} for {named or 'its machines'}: no price known", _DEPENDS)
    each = vcpu if terms.billed_by == "vcpu" and vcpu is not None else 1
    if months is None:
        return line(view.resource, f"licence of {licence}", None, price)
    shown = f"{months.expected * each:g} {'vCPU' if terms.billed_by == 'vcpu' else 'machines'}"
    span = f"{months.low:g} to {months.high:g} machines" if months.low != months.high else ""
    return line(view.resource, f"licence of {licence}, {shown}", months * each * HOURS_A_MONTH, price, assumes=span)


def _vcpu(cloud: str, machine_type: str) -> int | None:
    """The vCPU of a machine type, by the catalogue or by its name; None where neither says."""
    if cloud == "azure":
        size = read_size(machine_type)
        return size.vcpu if size is not None else None
    try:
        if cloud == "aws":
            return find_instance_type(machine_type).vcpu
        return find_machine(machine_type, cloud).vcpu
    except UnknownFact:
        last = machine_type.rpartition("-")[2]
        return int(last) if cloud == "gcp" and last.isdigit() and "custom" not in machine_type else None
