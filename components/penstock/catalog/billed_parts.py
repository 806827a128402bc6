"""The parts of a resource that are billed: CLOUD/billed_parts, one row for each with the item that prices it.

    type      the resource
    when      when the row applies: `sku.name=Basic|Standard; kind!=Linux; !zones; replicas`
    what      the words of the bill's line, with properties in braces: `{sku.name} cache`
    quantity  how many units: numbers and properties with `*` between; 1 if empty
    usage     what `penstock:usage` declares of it, `storage.gb`; with `?` at its end it is named only if declared;
              empty for what is billed from its creation on
    above     the amount that other rows, or nobody, bill
    up_to     the amount from which another row bills; empty for none
    service   the service and the item that price a unit, which may have properties in braces; empty for what is free

A property is a path below the inputs. `sku.capacity?1` has a default, `replicas+1` adds, and `#locations?1` counts. The
unit of the price says the rest: an hour is billed 730 times, and `10k requests` are sold together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from penstock.catalog.records import record
from penstock.catalog.tables import clouds_with, rows
from penstock.providers import room_of


@dataclass(frozen=True, slots=True, kw_only=True)
class BilledPart:
    """A row; `source` says how the part is billed, and the price has a source of its own."""

    type: str
    when: str
    what: str
    quantity: str
    usage: str
    above: float | None
    up_to: float | None
    service: str
    item: str
    source: str
    as_of: str


def billed_parts(type_: str) -> Sequence[BilledPart]:
    """Return the parts of a resource type that its cloud bills, in the order of the table; empty where it has none."""
    return _parts(room_of(type_.partition(":")[0]), type_)


@cache
def _parts(cloud: str, type_: str) -> Sequence[BilledPart]:
    """The records of a type; most types of the table are in no program."""
    return tuple(record(BilledPart, f"{cloud}/billed_parts", row) for row in _by_type(cloud).get(type_, ()))


@cache
def _by_type(cloud: str) -> Mapping[str, Sequence[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for row in rows(f"{cloud}/billed_parts") if cloud in clouds_with("billed_parts") else ():
        found.setdefault(row["type"], []).append(row)
    return found
