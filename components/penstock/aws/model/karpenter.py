"""Machine types that Karpenter and EKS Auto Mode start on AWS."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Final

from typing_extensions import override

from penstock.aws.facts import instance_types
from penstock.aws.facts.instance_types import InstanceType
from penstock.aws.facts.machines import AwsMachine
from penstock.aws.model import ec2
from penstock.catalog import machines
from penstock.core.errors import UnknownFact
from penstock.core.quantities import GIB
from penstock.graph.verdict import NotKnown
from penstock.kubernetes.facts.node_labels import ARCHITECTURE, ARCHITECTURES, INSTANCE_TYPE
from penstock.kubernetes.model.karpenter_machines import (
    Candidate,
    KarpenterMachines,
)

_DOMAINS: Final = ("karpenter.k8s.aws", "eks.amazonaws.com")
"""API groups of node classes, which are domains of labels, too (Karpenter documentation, NodePools)."""

_DEVICES: Final = {"gpu": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}
_EFA: Final = "vpc.amazonaws.com/efa"
_PLAIN: Final = frozenset("cmrtixz")
"""First letters of families without accelerators (EC2 user guide, instance type naming)."""

_GPU_NAMES: Final = frozenset({"t4", "a10g", "l4", "l40s", "a100", "h100", "h200", "b200"})
"""GPUs that Karpenter calls as the catalogue does."""

_ABSENT: Final[frozenset[str]] = frozenset()


class AwsKarpenterMachines(KarpenterMachines):
    """The machine types that Karpenter and EKS Auto Mode start."""

    groups = _DOMAINS
    family_labels = tuple(f"{domain}/instance-family" for domain in _DOMAINS)
    counts_vcpu = True

    @override
    def accelerators_of(self, name: str) -> int:
        return ec2.accelerators_of(name)

    @override
    def candidate(self, name: str) -> Candidate:
        return _named(name)

    @override
    def all_candidates(self) -> tuple[Candidate, ...]:
        return _all()

    @override
    def has_family(self, family: str) -> bool:
        return instance_types.has_family(family)

    @override
    def types_of_family(self, family: str) -> list[str]:
        try:
            return [each.name for each in instance_types.of_family(family)]
        except UnknownFact:
            raise NotKnown from None

    @override
    def vcpu_of(self, name: str) -> int | None:
        try:
            return instance_types.find_instance_type(name).vcpu
        except UnknownFact:
            return None


MACHINES: Final = AwsKarpenterMachines()


def _named(name: str) -> Candidate:
    try:
        return _candidate(instance_types.find_instance_type(name))
    except UnknownFact:
        return Candidate(name, {INSTANCE_TYPE: frozenset({name})}, {}, known=False)


@cache
def _all() -> tuple[Candidate, ...]:
    return tuple(map(_named, instance_types.instance_type_names()))


@cache
def _candidate(type_: InstanceType) -> Candidate:
    machine = _machine(type_.name)
    labels: dict[str, frozenset[str] | None] = {
        INSTANCE_TYPE: frozenset({type_.name}),
        ARCHITECTURE: frozenset({ARCHITECTURES.get(type_.architecture, type_.architecture)}),
    }
    for domain in _DOMAINS:
        labels |= {f"{domain}/{key}": value for key, value in _labels(type_, machine)}
    return Candidate(type_.name, labels, _capacity(type_, machine), efa=machine.efa_max if machine is not None else 0)


def _machine(name: str) -> AwsMachine | None:
    try:
        return machines.find_machine(name, AwsMachine)
    except UnknownFact:
        return None


def _labels(type_: InstanceType, machine: AwsMachine | None) -> Iterator[tuple[str, frozenset[str] | None]]:
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
