"""Machine types: their accelerators, memory and network; the rooms of the clouds know what else one cloud says."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import TypeVar, overload

from penstock.catalog.machine import Machine
from penstock.catalog.records import keyed
from penstock.catalog.tables import clouds_with, unknown
from penstock.providers import provider_named

Kind = TypeVar("Kind", bound=Machine)
"""The record of a machine of one cloud."""


@overload
def find_machine(machine_type: str, cloud: type[Kind]) -> Kind: ...
@overload
def find_machine(machine_type: str, cloud: str) -> Machine: ...
def find_machine(machine_type: str, cloud: str | type[Machine]) -> Machine:
    """The machine type of that exact name, of a cloud by its name or by its record of a machine.

    Raises:
        UnknownFact: the catalogue has no such type; the text names the nearest ones.
    """
    table = _table_of(cloud)
    if machine_type not in table:
        raise unknown("machine type", machine_type, table)
    return table[machine_type]


@overload
def machine_types(cloud: type[Kind]) -> tuple[Kind, ...]: ...
@overload
def machine_types(cloud: str) -> tuple[Machine, ...]: ...
def machine_types(cloud: str | type[Machine]) -> tuple[Machine, ...]:
    """Every machine type of a cloud, in the order of the table."""
    return tuple(_table_of(cloud).values())


def accelerators(cloud: str | type[Machine]) -> tuple[str, ...]:
    """The names of the accelerators that a cloud offers, sorted."""
    return tuple(sorted({machine.accelerator for machine in machine_types(cloud) if machine.accelerator}))


@overload
def for_accelerator(
    accelerator: str, count: int | None, cloud: type[Kind], sold: Collection[str] | None = None
) -> Kind: ...
@overload
def for_accelerator(
    accelerator: str, count: int | None, cloud: str, sold: Collection[str] | None = None
) -> Machine: ...
def for_accelerator(
    accelerator: str, count: int | None, cloud: str | type[Machine], sold: Collection[str] | None = None
) -> Machine:
    """The machine to take when only the accelerator is named.

    Without a count: the largest standard node of an accelerator made for training, the smallest sensible one for
    inference (the table marks it). With one: the machine with exactly that many accelerators and the fewest vCPU.
    Of machines with as many accelerators, those among `sold` (what a region sells) come before all others.

    Raises:
        UnknownFact: no machine has that accelerator, or none has that many; the text says what there is.
    """
    candidates = [machine for machine in machine_types(cloud) if machine.accelerator == accelerator]
    if not candidates:
        raise unknown("accelerator", accelerator, accelerators(cloud))
    default = next(machine for machine in candidates if machine.default)
    if count is None and (sold is None or default.machine_type in sold):
        return default
    wanted = default.accelerators if count is None else count
    exact = [machine for machine in candidates if machine.accelerators == wanted]
    if not exact:
        counts = {str(machine.accelerators) for machine in candidates}
        raise unknown(f"number of {accelerator} in one machine", count, counts)
    there = [machine for machine in exact if sold is None or machine.machine_type in sold]
    if count is None and not there:
        return default  # the one to name as not sold there
    return min(there or exact, key=lambda machine: (machine.vcpu, not machine.default))


def _table_of(cloud: str | type[Machine]) -> Mapping[str, Machine]:
    return _table(cloud if isinstance(cloud, str) else cloud.sold_by)


@cache
def _table(cloud: str) -> Mapping[str, Machine]:
    if cloud not in clouds_with("machines"):
        raise unknown("cloud with machine types", cloud, clouds_with("machines"))
    return keyed(_kind(cloud), f"{cloud}/machines", cloud=cloud)


def _kind(cloud: str) -> type[Machine]:
    """The record of a cloud's machines; the shared one where its tables say no more."""
    provider = provider_named(cloud)
    kind: type[Machine] | None = provider.load("machines") if provider is not None else None
    return kind or Machine
