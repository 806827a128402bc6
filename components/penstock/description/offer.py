"""The record of what a cloud offers to a description."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from typing import Protocol

from penstock.description.cluster import Access, ClusterSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.storage import BucketSpec, LustreSpec, SharedFilesSpec
from penstock.providers import built_clouds, provider_named


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
        exported: The directory that `export` writes back to the bucket, below the mount point; empty without `export`.
    """

    service: str
    tiers: Callable[[], tuple[int, ...]]
    steps: Callable[[LustreSpec], CapacitySteps]
    sold: Callable[[LustreSpec], str]
    exported: str = ""


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
        access: The way in to a cluster whose description names none.
        extended_support: Clusters keep a version past its standard support without more ado, for a price.
        kept_days: How long buckets keep overwritten and deleted objects where the description does not say.
        own_fields: Paths of fields that only this cloud has, each with the one value where others have the rest.
        own_storage_fields: Kinds and fields of storage that only this cloud has.
        zonal_subnets: A subnet lies in one zone, so that an adopted network determines the zones of the platform.
        private_services: Nodes reach the cloud's services without leaving the network in any case.
        own_mirror: The host of the cloud's registry in an account and a region, where the platform keeps copies of
            public images for a network without a way out; None where it creates no repositories for them.
        public_registries: Ends of the hosts of public registries that nodes reach without a way out.
        mounts: What mounts each kind of storage in pods, in the words of `kubernetes/mounts`.
        gates_nodes: New nodes can be kept from work until they pass a test (`addons.health.gate`).
        runners: A machine inside the network can run Pulumi (`cluster.runner`).
        tags: What it takes as tags.
        lustre: The Lustre that it sells.
        shared_files_gib: The size of shared files; None where they grow with what is in them.
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
    access: Access = "private"
    extended_support: bool = True
    kept_days: int = 30
    own_fields: tuple[tuple[Path, str | None], ...] = ()
    own_storage_fields: tuple[tuple[str, str], ...] = ()
    zonal_subnets: bool = True
    private_services: bool = False
    own_mirror: Callable[[str, str], str] | None = None
    public_registries: tuple[str, ...] = ()
    mounts: Mapping[str, str] = field(default_factory=dict)
    gates_nodes: bool = True
    runners: bool = True
    tags: Callable[[], TagForm]
    lustre: LustreOffer | None = None
    shared_files_gib: Callable[[SharedFilesSpec], int] | None = None
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


def access_of(cluster: ClusterSpec, cloud: str) -> Access:
    """Return the way in to a cluster: the one it names, or the cloud's default."""
    return cluster.access or offer_of(cloud).access


def kept_days(bucket: BucketSpec, cloud: str) -> int:
    """Return the days that a bucket keeps overwritten and deleted objects."""
    return bucket.retention_days or offer_of(cloud).kept_days


def other_offers(cloud: str) -> Iterator[tuple[str, CloudOffer]]:
    """Return what the other clouds offer, by their names."""
    for name in built_clouds():
        if name != cloud:
            yield name, offer_of(name)
