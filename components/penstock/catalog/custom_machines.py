"""Machine types whose vCPU and memory a user chooses, such as n2-custom-4-16384: CLOUD/custom_machines.

They are sold by the vCPU and the GiB. What these cost in a region follows from two predefined types of the family with
unlike memory, and custom machine types have a premium on both. Memory beyond the family's ratio (`-ext`) costs more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from penstock.catalog.records import Column, keyed
from penstock.catalog.tables import clouds_with
from penstock.core.quantities import MIB_PER_GIB

_NAME: Final = re.compile(r"(?:(?P<family>[a-z]\d[a-z]?)-)?custom-(?P<vcpu>\d+)-(?P<mib>\d+)(?P<extended>-ext)?")
_FIRST_FAMILY: Final = "n1"
"""The family of custom machine types that name none."""


class CustomMachine(NamedTuple):
    """The size of a custom machine type, read from its name."""

    family: str
    vcpu: int
    ram_gib: float
    extended: bool


class _Predefined(NamedTuple):
    machine_type: str
    vcpu: int
    ram_gib: float


def _predefined(cell: str) -> _Predefined:
    name, vcpu, ram_gib = cell.split(":")
    return _Predefined(name, int(vcpu), float(ram_gib))


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomFamily:
    """The terms of a family for its custom machine types.

    Attributes:
        lean: a predefined type with little memory, and `rich` one with more: name, vCPU and GiB.
        core_premium: the price of a vCPU against that of a predefined type, and `ram_premium` that of a GiB.
        gib_per_vcpu: the memory above which a machine needs extended memory.
        extended_factor: the price of a GiB above it against that of a predefined type; None where none is published.
    """

    family: str
    lean: Annotated[_Predefined, Column(read=_predefined)]
    rich: Annotated[_Predefined, Column(read=_predefined)]
    core_premium: float
    ram_premium: float
    gib_per_vcpu: float
    extended_factor: float | None
    unverified: tuple[str, ...]
    source: str
    as_of: str

    def hour(self, machine: CustomMachine, hour_of: Callable[[str], float | None]) -> float | None:
        """Return USD an hour of a machine, from those of the predefined types; None where one is not known."""
        lean, rich = hour_of(self.lean.machine_type), hour_of(self.rich.machine_type)
        if lean is None or rich is None:
            return None
        gib = (rich - lean) / (self.rich.ram_gib - self.lean.ram_gib)
        core = (lean - gib * self.lean.ram_gib) / self.lean.vcpu
        plain = min(machine.ram_gib, machine.vcpu * self.gib_per_vcpu)
        beyond = machine.ram_gib - plain
        if beyond and self.extended_factor is None:
            return None
        usd = machine.vcpu * core * self.core_premium + plain * gib * self.ram_premium
        return usd + beyond * gib * (self.extended_factor or 0)


def read_custom_machine(machine_type: str) -> CustomMachine | None:
    """Return the size of a custom machine type; None for the name of another."""
    found = _NAME.fullmatch(machine_type)
    if found is None:
        return None
    family = found["family"] or _FIRST_FAMILY
    return CustomMachine(family, int(found["vcpu"]), int(found["mib"]) / MIB_PER_GIB, found["extended"] is not None)


def custom_family(cloud: str, family: str) -> CustomFamily | None:
    """Return the terms of a family for custom machine types; None where it has none, or none are published."""
    table = "custom_machines"
    return keyed(CustomFamily, f"{cloud}/{table}").get(family) if cloud in clouds_with(table) else None
