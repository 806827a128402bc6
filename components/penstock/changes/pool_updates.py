"""The reach of an update in place into a pool of machines, as each cloud's module knows it (`Provider.pool_updates`).

Such a module has the functions and the constants that `PoolUpdates` declares.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View
from penstock.model.pools import MachinePool
from penstock.providers import provider_of

if TYPE_CHECKING:
    from penstock.changes.rollouts import Rollout
    from penstock.rules.draws import Draw

Keys = tuple[str, ...]
"""The keys of a path, as tables have them."""


@dataclass(frozen=True, slots=True)
class PoolSize:
    """Machines that run, and the most that may run where an autoscaler, or a person, has started more."""

    running: int
    most: int


@dataclass(frozen=True, slots=True)
class Reserved:
    """Machines that a reservation holds: how many of which type, in which zone."""

    machines: int
    machine_type: str
    zone: str

    def __str__(self) -> str:
        return f"{self.machines} × {self.machine_type}{f' in {self.zone}' if self.zone else ''}"


@dataclass(frozen=True, slots=True)
class Follower:
    """Pools that a change of another resource, their leader, reaches: both types, and the property that points at it.

    Attributes:
        later: Returns what a job sees where the cloud replaces the machines at a time of its own, by the leader and the
            pool; empty where it leaves them.
        but: Properties of the leader that do not reach them.
    """

    leader: str
    type: str
    path: str
    later: Callable[[View, MachinePool], str]
    but: tuple[str, ...] = ()


class PoolUpdates(Protocol):
    """The functions of a cloud's module."""

    FOLLOWERS: Sequence[Follower]
    RESERVATION: str
    """The type of the resources that reserve machines."""

    def rollout(self, pool: MachinePool, machines: int) -> Rollout | None:
        """Return how a pool replaces so many running machines; None for a single machine."""

    def reported(self, pool: MachinePool) -> int | None:
        """Return the number of machines that the cloud reported; None where it reported none."""

    def resized(self, before: MachinePool, after: MachinePool, size: PoolSize, touched: Collection[Keys]) -> PoolSize:
        """Return the size right after an update in place of what is touched."""

    def described_by(self, pool: MachinePool, keys: Keys) -> str:
        """Return the type whose facts hold for a change of a pool at these keys."""

    def reserved(self, reservation: View) -> Reserved:
        """Return the machines that a reservation holds."""

    def draws_of(self, view: View) -> Iterable[Draw]:
        """Return the draws of a pool or a reservation on quotas of machines."""

    def mismatch(self, pool: MachinePool, reservation: View) -> str:
        """Return why machines of a pool do not match a reservation that stays as it was; empty where they do."""

    def conflict(self, before: View, after: View) -> str:
        """Return why a pool or a reservation cannot be created beside its predecessor; empty where it can."""

    def subnet_zones(self, view: View, path: str) -> list[str]:
        """Return the zones of the subnets that a property of a resource names; none where subnets are in no zone."""


def updates_on(type_: str) -> PoolUpdates | None:
    """Return the module of the cloud of a type token; None where it has none."""
    provider = provider_of(type_)
    return cast("PoolUpdates | None", provider.module("pool_updates")) if provider is not None else None


def size_of(pool: MachinePool) -> PoolSize:
    """Return the size of a pool that exists; what the cloud reported counts more than what the program asked for."""
    cloud = updates_on(pool.view.type)
    live = _known_number(lambda: cloud.reported(pool)) if cloud is not None else None
    running = pool.start() if live is None else live
    most = _known_number(pool.most)
    return PoolSize(running, max(running, most or 0))


def _known_number(read: Callable[[], int | None]) -> int | None:
    try:
        return read()
    except (NotKnown, TypeMismatch):
        return None
