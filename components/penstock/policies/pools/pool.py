"""What a pool of machines is to a rule: how many accelerators it may grow to, what it never shrinks below, its price.

Our own components tell all of that as their inputs, which are known before anything is made. What their resources tell
comes first, since the cloud gets that; where it cannot be read yet, the component speaks for them, and they are silent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from typing_extensions import override

from penstock.catalog import machines
from penstock.catalog.machines import Machine
from penstock.errors import UnknownFact
from penstock.resources.verdict import Misfit, NotKnown
from penstock.resources.view import Block, View

COMPONENTS = {"penstock:aws:NodePool": "aws", "penstock:gcp:NodePool": "gcp", "penstock:gcp:TpuPool": "gcp"}
"""The components that describe pools, and the cloud of each."""

Bought = Literal["on_demand", "spot", "reserved", "capacity_block", "flex_start"]


@dataclass(frozen=True, slots=True)
class Named:
    """A machine type by name, and the path at which it is written; the path may be that of a default."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Pool(ABC):
    """Machines of one kind, by the block that describes them and the resource to which that belongs.

    Every method may raise `NotKnown` and `Misfit`, as all readers of resources do.
    """

    block: Block
    view: View

    @property
    def name(self) -> str:
        """What people call it."""
        if self.block is self.view:
            return self.view.name
        return f"{self.view.name}/{self.block.text('name') or self.block.at('').strip('.')}"

    @abstractmethod
    def types(self) -> list[Named]:
        """The machine types that it may start; empty where another resource names them."""

    @abstractmethod
    def accelerators(self) -> int:
        """GPUs, TPU chips or Neuron chips of one machine, the most of all types that it may start."""

    @abstractmethod
    def most(self) -> int:
        """The most machines that it may have at once."""

    @abstractmethod
    def least(self) -> tuple[int, str]:
        """The machines that it never shrinks below, and the path that says so."""

    @abstractmethod
    def bought(self) -> Bought:
        """How its machines are paid for."""

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


Read = Callable[[View], Sequence[Pool]]
"""Reads the pools that a resource itself describes."""


class ComponentPool(Pool):
    """A pool that one of our own components describes, by what its user wrote."""

    __slots__ = ()

    @override
    def types(self) -> list[Named]:
        written = "machine_type" if "machine_type" in self.block else "accelerator"
        return [Named(self._machine().machine_type, written)]

    @override
    def accelerators(self) -> int:
        return self._machine().accelerators

    @override
    def chips(self) -> int:
        machine = self._machine()
        return machine.accelerators if machine.accelerator_kind == "tpu" else 0

    @override
    def most(self) -> int:
        return required(self._nodes().integer("max"))

    @override
    def least(self) -> tuple[int, str]:
        return required(self._nodes().integer("min")), "nodes.min"

    @override
    def bought(self) -> Bought:
        given = self.block.text("capacity") or "on_demand"
        ways: tuple[Bought, ...] = ("on_demand", "spot", "reserved", "capacity_block", "flex_start")
        found = next((way for way in ways if way == given), None)
        if found is None:
            raise Misfit
        return found

    def _nodes(self) -> Block:
        nodes = self.block.block("nodes")
        if nodes is None:
            raise NotKnown
        return nodes

    def _machine(self) -> Machine:
        cloud, named = COMPONENTS[self.view.type], self.block.text("machine_type")
        try:
            if named is not None:
                return machines.find_machine(named, cloud)
            return machines.for_accelerator(self.block.text("accelerator") or "", self.block.integer("count"), cloud)
        except UnknownFact:
            raise NotKnown from None


def spokesman(view: View, read: Read) -> ComponentPool | None:
    """The pool that a component describes; None where its resources tell all of it themselves."""
    if view.type not in COMPONENTS or "nodes" not in view:
        return None
    inside = [pool for each in _below(view) for pool in read(each)]
    return None if inside and all(_is_readable(pool) for pool in inside) else ComponentPool(view, view)


def is_spoken_for(view: View, read: Read) -> bool:
    """Whether a component around a resource speaks for it."""
    resources = view.site.graph.resources
    above = resources.get(view.resource.parent)
    while above is not None:
        if spokesman(View(above, view.site), read) is not None:
            return True
        above = resources.get(above.parent)
    return False


def _below(view: View) -> Iterator[View]:
    for child in view.site.graph.children(view.urn):
        each = View(child, view.site)
        yield each
        yield from _below(each)


def _is_readable(pool: Pool) -> bool:
    try:
        for read in (pool.accelerators, pool.most, pool.least, pool.bought):
            read()
    except NotKnown:
        return False
    except Misfit:
        return True
    return True


def required(number: int | None) -> int:
    """A number that is given.

    Raises:
        NotKnown: it is not.
    """
    if number is None:
        raise NotKnown
    return number


@dataclass(frozen=True, slots=True)
class Total:
    """What several pools may grow to together: by pool, the largest first; whether some could not be read."""

    parts: tuple[tuple[str, int], ...]
    unclear: bool

    @property
    def number(self) -> int:
        """The sum of what could be read."""
        return sum(number for _, number in self.parts)

    def told(self, *, most: int = 3) -> str:
        """The largest pools in words."""
        listed = ", ".join(f"{name} {number}" for name, number in self.parts[:most])
        rest = len(self.parts) - most
        return f"{listed} and {rest} more" if rest > 0 else listed


def total(pools: Iterable[Pool], *, chips: bool = False) -> Total:
    """What pools may grow to together, in accelerators or in TPU chips alone."""
    parts: list[tuple[str, int]] = []
    unclear = False
    for pool in pools:
        try:
            number = pool.peak_chips() if chips else pool.peak()
        except NotKnown:
            unclear = True
        except Misfit:
            continue
        else:
            parts += [(pool.name, number)] if number else []
    return Total(tuple(sorted(parts, key=lambda part: (-part[1], part[0]))), unclear)
