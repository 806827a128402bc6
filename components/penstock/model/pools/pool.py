"""The record of a pool of machines, whatever cloud it is in and whatever resource describes it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View
from penstock.providers import provider_of

Purchase = Literal["on_demand", "spot", "reserved", "any_reservation", "capacity_block", "flex_start"]
"""How machines are paid for; `any_reservation` is from open reservations that match, and on demand beyond them."""


@dataclass(frozen=True, slots=True)
class NamedType:
    """A machine type by name, and the resource and path at which it is written; the path may be that of a default."""

    name: str
    holder: View
    path: str


@dataclass(frozen=True, slots=True)
class MachinePool(ABC):
    """Machines of one kind, by the block that describes them and the resource to which that belongs.

    One single machine is a pool of one. Every method may raise `NotKnown` and `TypeMismatch`, as all readers
    of resources do.
    """

    block: Block
    view: View

    @property
    def name(self) -> str:
        """The name that people call it by."""
        if self.block is self.view:
            return self.view.name
        return f"{self.view.name}/{self.block.text('name') or self.block.at('').strip('.')}"

    @property
    def cloud(self) -> str:
        """The name of the provider whose machines it starts; empty where that is not known."""
        provider = provider_of(self.view.type)
        return provider.name if provider is not None else ""

    @property
    def service(self) -> str:
        """The service that runs, sells and limits the machines apart from the cloud's own; empty for plain ones."""
        return ""

    @property
    def provisioner(self) -> str:
        """The name of what starts machines of its own choice as pods ask for them; empty for other pools."""
        return ""

    @abstractmethod
    def machine_types(self) -> list[NamedType]:
        """The machine types that it may start, the preferred one first; empty where somebody else chooses."""

    def own_types(self) -> list[NamedType]:
        """The machine types that its own resource names, or leaves to a default."""
        return [named for named in self.machine_types() if named.holder.urn == self.view.urn]

    @abstractmethod
    def accelerators(self) -> int:
        """GPUs, TPU chips or Neuron chips of one machine, the most of all types that it may start."""

    def attached(self) -> Mapping[str, int]:
        """The accelerators of one machine by type that are sold apart from it, as on Google Cloud."""
        return {}

    @abstractmethod
    def start(self) -> int:
        """The machines that it has from its start, in all its zones together."""

    @abstractmethod
    def least(self) -> tuple[int, str]:
        """The machines that it never shrinks below, and the path that says so."""

    def least_in_all_zones(self) -> int:
        """The machines that it never shrinks below, in all its zones together, where a property counts those of one."""
        return self.least()[0]

    @abstractmethod
    def most(self) -> int:
        """The most machines that it may have at once, in all its zones together."""

    @abstractmethod
    def purchase(self) -> Purchase:
        """How its machines are paid for."""

    def ways(self) -> tuple[Purchase, ...]:
        """The ways in which its machines are paid for; several where a group mixes them."""
        return (self.purchase(),)

    def start_by(self, way: Purchase) -> int:  # noqa: ARG002 - only groups that mix differ by it
        """The machines paid for in one of its ways that it has from its start."""
        return self.start()

    def most_by(self, way: Purchase, machine_type: str) -> int:  # noqa: ARG002 - only groups that mix differ by it
        """The most machines paid for in one of its ways that it may have at once if all are of one of its types."""
        return self.most_of(machine_type)

    def zones(self) -> list[str] | None:
        """The zones that its machines may stand in, sorted; None where the cloud chooses among those of a region."""
        raise NotKnown

    def region(self) -> str:
        """The region that its machines stand in."""
        raise NotKnown

    def reservation(self) -> View | None:
        """The reservation of the program that holds its machines; None where it names none.

        Raises:
            NotKnown: it lies outside the program.
        """
        return None

    def reservation_name(self) -> str:
        """Return the name or id of the reservation that its machines come from; empty where it names none."""
        return ""

    def outside_reservation(self) -> str:
        """Return the name or id of the reservation outside the program that holds its machines; empty without one."""
        if self.purchase() not in ("reserved", "capacity_block"):
            return ""
        try:
            inside = self.reservation() is not None
        except NotKnown:
            inside = False
        return "" if inside else self.reservation_name()

    def covered(self, count: Callable[[MachinePool], int]) -> int:  # noqa: ARG002 - few clouds say so of a program
        """The machines, of so many as `count` gives for each pool, that open reservations of the program hold."""
        return 0

    def most_of(self, machine_type: str) -> int:  # noqa: ARG002 - weights of some pools depend on it
        """The most machines that it may have at once if all are of one of its types."""
        return self.most()

    def starts_machines(self) -> bool:
        """Return whether it has machines from its start, however many."""
        return self.start() > 0

    def has_accelerators(self) -> bool:
        """Return whether its machines have accelerators."""
        return self.accelerators() > 0

    def chips(self) -> int:
        """The TPU chips of one machine."""
        return 0

    def peak(self) -> int:
        """The most accelerators that it may have at once."""
        each = self.accelerators()
        return each * self.most() if each else 0

    def peak_chips(self) -> int:
        """The most TPU chips that it may have at once."""
        each = self.chips()
        return each * self.most() if each else 0


def required(number: int | None) -> int:
    """Return a number that is given.

    Raises:
        NotKnown: it is not.
    """
    if number is None:
        raise NotKnown
    return number
