"""Machine types that a NodePool of Karpenter may start: what its requirements leave of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Final

from penstock.aws.facts import instance_types
from penstock.aws.facts.instance_types import InstanceType
from penstock.aws.facts.machines import AwsMachine
from penstock.azure.model.pools import machine_of_size
from penstock.catalog import machines
from penstock.core.errors import UnknownFact
from penstock.core.quantities import GIB
from penstock.graph.view import Block
from penstock.kubernetes.model.pools import KarpenterPool

INSTANCE_TYPE: Final = "node.kubernetes.io/instance-type"
_SIZE: Final = "karpenter.azure.com/sku-name"
_ARCHITECTURE: Final = "kubernetes.io/arch"
_AWS: Final = ("karpenter.k8s.aws", "eks.amazonaws.com")
"""Domains of the same labels in Karpenter and in EKS Auto Mode."""

_ARCHITECTURES: Final = {"x86_64": "amd64", "arm64": "arm64"}
_DEVICES: Final = {"gpu": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}
_EFA: Final = "vpc.amazonaws.com/efa"
_PLAIN: Final = frozenset("cmrtixz")
"""First letters of families without accelerators (EC2 user guide, instance type naming)."""

_GPU_NAMES: Final = frozenset({"t4", "a10g", "l4", "l40s", "a100", "h100", "h200", "b200"})
"""GPUs that Karpenter calls as the catalogue does."""

_ABSENT: Final[frozenset[str]] = frozenset()

Values = Mapping[str, frozenset[str] | None]
"""The value of each label: empty for a label that is absent, None for one that is not known."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A machine type that a NodePool may start.

    Attributes:
        name: the machine type.
        labels: what Karpenter knows of it.
        capacity: the most of each resource; None where not known.
        known: whether the catalogue has it.
        efa: how many EFA devices it has.
    """

    name: str
    labels: Values
    capacity: Mapping[str, Decimal | None]
    known: bool = True
    efa: int = 0


def requirements(pool: KarpenterPool) -> list[Block]:
    """The requirements of a NodePool."""
    template = pool.block.block("template")
    spec = template.block("spec") if template is not None else None
    return spec.blocks("requirements") if spec is not None else []


def candidates(pool: KarpenterPool) -> tuple[list[Candidate], bool]:
    """The machine types that a NodePool may start, and whether the catalogue knows all of them.

    Raises:
        NotKnown: a requirement is not known.
    """
    wanted = requirements(pool)
    named = _listed(wanted, INSTANCE_TYPE) or _listed(wanted, _SIZE)
    if pool.cloud == "azure":
        found = [_on_azure(name) for name in named]
        complete = bool(named)
    elif pool.cloud == "aws":
        found = [_on_aws(name) for name in named] if named else list(_all_on_aws())
        families = [family for domain in _AWS for family in _listed(wanted, f"{domain}/instance-family")]
        complete = bool(named) or (bool(families) and all(map(instance_types.has_family, families)))
    else:
        return [], False
    left = [each for each in found if _may_be(each, wanted)]
    return left, complete and all(each.known for each in found)


def holds(requirement: Block, values: frozenset[str]) -> bool:
    """Return whether a label with one of some values meets a requirement; no value is a label that is absent."""
    listed = requirement.texts("values")
    match requirement.text("operator"):
        case "In":
            return not values.isdisjoint(listed)
        case "NotIn":
            return not values or bool(values - set(listed))
        case "Exists":
            return bool(values)
        case "DoesNotExist":
            return not values
        case operator:
            return _compares(operator or "", values, listed)


def _compares(operator: str, values: frozenset[str], listed: list[str]) -> bool:
    numbers = [int(each) for each in values if each.isdecimal()]
    bound = int(listed[0]) if len(listed) == 1 and listed[0].isdecimal() else None
    if bound is None:
        return True
    return any(
        {"Gt": number > bound, "Lt": number < bound, "Gte": number >= bound, "Lte": number <= bound}.get(operator, True)
        for number in numbers
    )


def _may_be(candidate: Candidate, wanted: list[Block]) -> bool:
    for each in wanted:
        values = candidate.labels.get(each.text("key") or "", None)
        if values is not None and not holds(each, values):
            return False
    return True


def _listed(wanted: list[Block], key: str) -> list[str]:
    """The values that a label is bound to; none where it is not."""
    sets = [each.texts("values") for each in wanted if each.text("key") == key and each.text("operator") == "In"]
    return [value for value in sets[0] if all(value in others for others in sets[1:])] if sets else []


def _on_aws(name: str) -> Candidate:
    try:
        return _candidate(instance_types.find_instance_type(name))
    except UnknownFact:
        return Candidate(name, {INSTANCE_TYPE: frozenset({name})}, {}, known=False)


@cache
def _all_on_aws() -> tuple[Candidate, ...]:
    return tuple(map(_on_aws, instance_types.instance_type_names()))


@cache
def _candidate(type_: InstanceType) -> Candidate:
    machine = _machine(type_.name)
    labels: dict[str, frozenset[str] | None] = {
        INSTANCE_TYPE: frozenset({type_.name}),
        _ARCHITECTURE: frozenset({_ARCHITECTURES.get(type_.architecture, type_.architecture)}),
    }
    for domain in _AWS:
        labels |= {f"{domain}/{key}": value for key, value in _of_aws(type_, machine)}
    return Candidate(type_.name, labels, _capacity(type_, machine), efa=machine.efa_max if machine is not None else 0)


def _machine(name: str) -> AwsMachine | None:
    try:
        return machines.find_machine(name, "aws")
    except UnknownFact:
        return None


def _of_aws(type_: InstanceType, machine: AwsMachine | None) -> Iterator[tuple[str, frozenset[str] | None]]:
    """Labels of a machine without their domain (karpenter-provider-aws v1.14.1, instancetype/types.go)."""
    family, _, size = type_.name.partition(".")
    letters = family[: next((index for index, letter in enumerate(family) if letter.isdigit()), len(family))]
    yield "instance-family", frozenset({family})
    yield "instance-size", frozenset({size})
    yield "instance-category", frozenset({letters}) if letters else None
    yield "instance-cpu", frozenset({str(type_.vcpu)})
    if machine is not None:
        yield "instance-memory", frozenset({str(int(machine.ram_gib * 1024))})
    plain = type_.accelerator_kind is None and family[0] in _PLAIN
    gpu = machine if machine is not None and machine.accelerator_kind == "gpu" else None
    for key in ("instance-gpu-count", "instance-gpu-name", "instance-gpu-manufacturer", "instance-gpu-memory"):
        if plain or type_.accelerator_kind == "neuron":
            yield key, _ABSENT
    if gpu is not None:
        name = (gpu.accelerator or "").partition("-")[0]
        yield "instance-gpu-count", frozenset({str(gpu.accelerators)})
        yield "instance-gpu-manufacturer", frozenset({"nvidia"})
        yield "instance-gpu-name", frozenset({name}) if name in _GPU_NAMES else None


def _capacity(type_: InstanceType, machine: AwsMachine | None) -> dict[str, Decimal | None]:
    found: dict[str, Decimal | None] = {"cpu": Decimal(type_.vcpu)}
    if machine is None:
        plain = type_.accelerator_kind is None and type_.family[0] in _PLAIN
        return found | {"memory": None, **dict.fromkeys((*_DEVICES.values(),), Decimal(0) if plain else None)}
    found["memory"] = Decimal(machine.ram_gib) * GIB
    for kind, resource in _DEVICES.items():
        found[resource] = Decimal(machine.accelerators if machine.accelerator_kind == kind else 0)
    return found | {_EFA: Decimal(machine.efa_max)}


def _on_azure(name: str) -> Candidate:
    machine = machine_of_size(name)
    labels: dict[str, frozenset[str] | None] = {key: frozenset({name}) for key in (INSTANCE_TYPE, _SIZE)}
    if machine is None:
        return Candidate(name, labels, {}, known=False)
    labels[_ARCHITECTURE] = frozenset({_ARCHITECTURES[machine.architecture]})
    nvidia = 0 if (machine.accelerator or "").startswith("mi") else machine.accelerators
    capacity: dict[str, Decimal | None] = {
        "cpu": Decimal(machine.vcpu),
        "memory": Decimal(machine.ram_gib) * GIB,
        "nvidia.com/gpu": Decimal(nvidia),
        _EFA: Decimal(0),
    }
    return Candidate(name, labels, capacity)
