"""Machine types as Karpenter starts them; each cloud with Karpenter has them as its part `karpenter`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from penstock.graph.verdict import NotKnown
from penstock.providers import all_providers

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


class KarpenterMachines(ABC):
    """The machine types that Karpenter starts in one cloud.

    Attributes:
        groups: API groups of its node classes.
        size_labels: labels with the name of a machine type, beside that of Kubernetes.
        family_labels: labels with the family of a machine type.
        counts_vcpu: whether the vCPUs of all its machine types are known.
    """

    groups: tuple[str, ...]
    size_labels: tuple[str, ...] = ()
    family_labels: tuple[str, ...] = ()
    counts_vcpu: bool = False

    @abstractmethod
    def accelerators_of(self, name: str) -> int:
        """Return how many accelerators a machine type has.

        Raises:
            NotKnown: the catalogue does not know.
        """

    @abstractmethod
    def candidate(self, name: str) -> Candidate:
        """Return a machine type as Karpenter sees it."""

    def all_candidates(self) -> tuple[Candidate, ...]:
        """Return every machine type that Karpenter may start; none where the catalogue lacks some."""
        return ()

    def has_family(self, _family: str) -> bool:
        """Return whether the catalogue has the machine types of a family."""
        return False

    def types_of_family(self, _family: str) -> list[str]:
        """Return the machine types of a family.

        Raises:
            NotKnown: the catalogue does not know the family.
        """
        raise NotKnown

    def vcpu_of(self, _name: str) -> int | None:
        """Return how many vCPUs a machine type has; None where the catalogue does not know."""
        return None


def machines_of(cloud: str) -> KarpenterMachines | None:
    """Return the machine types that Karpenter starts in a cloud; None for a cloud without Karpenter."""
    return _by_cloud().get(cloud)


def cloud_of(group: str) -> str:
    """Return the cloud of a node class by its API group; empty for an unknown one."""
    return next((name for name, machines in _by_cloud().items() if group in machines.groups), "")


def first_machines() -> KarpenterMachines:
    """Return the machine types of the cloud that Karpenter began with, for a NodePool that names no cloud."""
    return next(iter(_by_cloud().values()))


def _by_cloud() -> dict[str, KarpenterMachines]:
    found = {provider.name: provider.load("karpenter") for provider in all_providers()}
    return {name: machines for name, machines in found.items() if machines is not None}
