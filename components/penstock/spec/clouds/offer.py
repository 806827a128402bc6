"""The record of what a cloud offers to a description."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Protocol

from penstock.providers import built_clouds, provider_named
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.positions import Path
from penstock.spec.problems import Problem
from penstock.spec.storage import LustreSpec


class CapacitySteps(Protocol):
    """The capacities on sale of a Lustre file system, in GiB."""

    def allow(self, gib: int) -> bool:
        """Return whether the cloud sells exactly this capacity."""

    def nearest(self, gib: int) -> int:
        """Return the capacity on sale that is nearest to the one wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LustreOffer:
    """The Lustre that a cloud sells.

    Attributes:
        service: Its name: FSx for Lustre.
        tiers: The throughputs on sale, in MB/s for each TiB.
        steps: The capacities on sale at the tier of a file system; raises `UnknownFact` for a tier that is not sold.
        sold: How the capacities at its tier are sold, in a sentence.
    """

    service: str
    tiers: Callable[[], tuple[int, ...]]
    steps: Callable[[LustreSpec], CapacitySteps]
    sold: Callable[[LustreSpec], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TagForm:
    """The form of tags that a cloud accepts.

    Attributes:
        key: Matches a key, which consists of `key_words`; `value` likewise.
        most: How many a resource takes, of which one is `added` to ours.
        problems: What else the cloud refuses of tags at a path.
    """

    key: str
    key_words: str
    value: str
    value_words: str
    most: int
    added: str
    problems: Callable[[Mapping[str, str], Path], Iterable[Problem]] = lambda tags, path: ()  # noqa: ARG005


@dataclass(frozen=True, slots=True, kw_only=True)
class SoldElsewhere:
    """A capacity that a cloud does not sell: who does, and what comes nearest to it here."""

    capacity: str
    seller: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudOffer:
    """The offer of one cloud to descriptions.

    Attributes:
        kubernetes: The name of the managed Kubernetes: EKS.
        system_machines: Small machines for the cluster's own pods, in the order of preference: what one region does not
            sell, another does.
        plain_machine: A machine without accelerators, as an example.
        fabrics: The fabrics that machines may have, beside auto and none.
        sold_elsewhere: The capacities that only other clouds sell.
        network_sizes: The prefixes of the largest and the smallest network.
        unusable_ranges: Where no machine can have its address.
        network_fields: Fields of an existing network that only this cloud has.
        zonal_subnets: A subnet lies in one zone, so that an adopted network determines the zones of the platform.
        private_services: Nodes reach the cloud's services without leaving the network in any case.
        tags: What it takes as tags.
        lustre: The Lustre that it sells.
        zone_of: The one zone of a pool among those of the platform; None where it spreads over all, or its machines
            are not known.
    """

    kubernetes: str
    system_machines: tuple[str, ...]
    plain_machine: str
    fabrics: tuple[str, ...] = ()
    sold_elsewhere: tuple[SoldElsewhere, ...] = ()
    network_sizes: tuple[int, int]
    unusable_ranges: Callable[[], Iterable[IPv4Network]] = tuple
    network_fields: tuple[str, ...] = ()
    zonal_subnets: bool = True
    private_services: bool = False
    tags: Callable[[], TagForm]
    lustre: LustreOffer | None = None
    zone_of: Callable[[NodePoolSpec, Sequence[str]], str | None]

    def elsewhere(self, capacity: str) -> SoldElsewhere | None:
        """Return who sells a capacity that this cloud does not sell; None for all others."""
        return next((each for each in self.sold_elsewhere if each.capacity == capacity), None)


def offer_of(cloud: str) -> CloudOffer:
    """Return the offer of a cloud, only for those that Penstock builds on.

    Raises:
        KeyError: Penstock builds on no cloud of that name.
    """
    provider = provider_named(cloud)
    offer: CloudOffer | None = provider.load("offer") if provider is not None else None
    if offer is None:
        raise KeyError(cloud)
    return offer


def other_offers(cloud: str) -> Iterator[tuple[str, CloudOffer]]:
    """Return what the other clouds offer, by their names."""
    for name in built_clouds():
        if name != cloud:
            yield name, offer_of(name)
