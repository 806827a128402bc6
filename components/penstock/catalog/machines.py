"""Machine types: their accelerators, memory and network; the rooms of the clouds know what else one cloud says."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Literal, overload

from penstock.catalog.records import keyed
from penstock.catalog.tables import clouds_with, unknown

if TYPE_CHECKING:
    from penstock.catalog.aws.machines import AwsMachine
    from penstock.catalog.gcp.machines import GcpMachine

AcceleratorKind = Literal["gpu", "neuron", "fpga", "tpu"]
Architecture = Literal["x86_64", "arm64"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What every cloud says of a machine type; None is "not known".

    Attributes:
        accelerator: lower case, such as h100; None for a machine without one.
        memory_mib_each: memory of one accelerator as the cloud's API reports it, not the round figure of its maker. On
            Google Cloud, whose API does not tell, the GB of its documentation, taken as GiB.
        network_gbps: what it sustains; small machines may burst above it.
        quota: the family in `catalog.quotas`.
        sold: of on_demand, spot, reserved, capacity_block, flex_start.
        default: whether this is the machine that its accelerator's name alone finds.
        unverified: the fields that no primary source confirms.
    """

    cloud: str
    machine_type: str
    family: str
    accelerator: str | None
    accelerator_kind: AcceleratorKind | None
    accelerators: int
    memory_mib_each: int | None
    vcpu: int
    ram_gib: float
    network_gbps: float | None
    architecture: Architecture
    quota: str
    sold: tuple[str, ...]
    default: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str


@overload
def find_machine(machine_type: str, cloud: Literal["aws"]) -> AwsMachine: ...
@overload
def find_machine(machine_type: str, cloud: Literal["gcp"]) -> GcpMachine: ...
@overload
def find_machine(machine_type: str, cloud: str) -> Machine: ...
def find_machine(machine_type: str, cloud: str) -> Machine:
    """The machine type of that exact name.

    Raises:
        UnknownFact: the catalogue has no such type; the text names the nearest ones.
    """
    table = _table(cloud)
    if machine_type not in table:
        raise unknown("machine type", machine_type, table)
    return table[machine_type]


@overload
def machine_types(cloud: Literal["aws"]) -> tuple[AwsMachine, ...]: ...
@overload
def machine_types(cloud: Literal["gcp"]) -> tuple[GcpMachine, ...]: ...
@overload
def machine_types(cloud: str) -> tuple[Machine, ...]: ...
def machine_types(cloud: str) -> tuple[Machine, ...]:
    """Every machine type of a cloud, in the order of the table."""
    return tuple(_table(cloud).values())


def accelerators(cloud: str) -> tuple[str, ...]:
    """The names of the accelerators that a cloud offers, sorted."""
    return tuple(sorted({machine.accelerator for machine in machine_types(cloud) if machine.accelerator}))


@overload
def for_accelerator(
    accelerator: str, count: int | None, cloud: Literal["aws"], sold: Collection[str] | None = None
) -> AwsMachine: ...
@overload
def for_accelerator(
    accelerator: str, count: int | None, cloud: Literal["gcp"], sold: Collection[str] | None = None
) -> GcpMachine: ...
@overload
def for_accelerator(
    accelerator: str, count: int | None, cloud: str, sold: Collection[str] | None = None
) -> Machine: ...
def for_accelerator(accelerator: str, count: int | None, cloud: str, sold: Collection[str] | None = None) -> Machine:
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


@cache
def _table(cloud: str) -> Mapping[str, Machine]:
    if cloud not in clouds_with("machines"):
        raise unknown("cloud with machine types", cloud, clouds_with("machines"))
    kind: type[Machine] = import_module(f"penstock.catalog.{cloud}.machines").MACHINE
    return keyed(kind, f"{cloud}/machines", cloud=cloud)
