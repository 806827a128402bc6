"""The record of what sizing needs of one cloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from penstock.catalog.machine import Machine
from penstock.providers import provider_named


class PricedItem(NamedTuple):
    """What the table `services` of prices calls something: the service, and its item."""

    service: str
    item: str


class SoldSteps(Protocol):
    """The capacities on sale of a Lustre file system, in GiB, of which the clouds sell 1000 as a TiB."""

    def at_least(self, gib: float) -> int:
        """Return the smallest capacity on sale that is at least so large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LustreSale:
    """How a cloud sells Lustre.

    Attributes:
        price: The price of a GiB and month; `{tier}` stands for the throughput.
        tiers: The throughputs on sale, in MB/s for each TiB, ascending.
        steps: The capacities on sale at a throughput.
    """

    price: PricedItem
    tiers: Callable[[], tuple[int, ...]]
    steps: Callable[[int], SoldSteps]


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudSizing:
    """What sizing needs of one cloud, beside its tables.

    Attributes:
        bucket: The price of a GB and month in a bucket.
        lustre: The Lustre that it sells; None for a cloud without, where all data stay in the bucket.
        system_pool: The pool of the cluster's own pods, as a description has it, without a machine type.
        system_machines: Its machine types in the order of preference: the last stands where no other has a price.
        account: An account of the form that the cloud has, to be replaced by one's own.
        cluster: The fields of `cluster` that a description needs there, to be replaced likewise.
        reservations: An example of a `reservation` for each way of buying that needs one; `{pool}` stands for the pool.
        keeps_fabric: Whether machines of a type need their fabric even where they exchange nothing.
        names_zones: Whether pools with accelerators spread over zones only if they name them.
        slices: For a machine type that comes in slices alone, the topology by the machines of each slice; else nothing.
    """

    bucket: PricedItem
    lustre: LustreSale | None = None
    system_pool: Mapping[str, Any]
    system_machines: tuple[str, ...]
    account: str
    cluster: Mapping[str, Any]
    reservations: Mapping[str, str] = field(default_factory=dict)
    keeps_fabric: Callable[[Machine], bool] = lambda machine: False  # noqa: ARG005
    names_zones: bool = False
    slices: Callable[[Machine], Mapping[int, str]] = lambda machine: {}  # noqa: ARG005


def sizing_of(cloud: str) -> CloudSizing:
    """Return what sizing needs of a cloud.

    Raises:
        KeyError: sizing knows no cloud of that name.
    """
    provider = provider_named(cloud)
    sizing: CloudSizing | None = provider.load("sizing") if provider is not None else None
    if sizing is None:
        raise KeyError(cloud)
    return sizing
