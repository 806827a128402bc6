"""The topology of a program as a reader sees it: regions, their zones, and in these subnets, pools and stores.

All of it is read from the Graph, so that it is there for any program. A cluster that exists already is a place of its
own: its pools are those that the description says it has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

from penstock.catalog import holdings, machines
from penstock.catalog.machine import Machine
from penstock.core.errors import UnknownFact
from penstock.core.findings import kind_of
from penstock.graph.graph import Graph, Resource
from penstock.graph.view import Site, View
from penstock.model import topology
from penstock.model.pools import MachinePool, program_pools
from penstock.model.topology import PlacedSubnet, PoolFabric, readable
from penstock.providers import all_providers, built_clouds, provider_named, provider_of

Read = TypeVar("Read")

PLATFORM: Final = "penstock:index:Platform"
_NOT_DRAWN: Final = (
    *("Ami", "BlobContainer", "BucketObject", "CryptoKey", "Image", "Key", "KeyRing", "LogGroup", "Namespace"),
    *("Parameter", "Project", "ResourceGroup", "Secret", "Service", "Snapshot", "Vault"),
)
"""Kinds that hold data, and that are not where jobs read and write it."""

_WAYS_OUT: Final = {
    "NatGateway": "NAT gateway",
    "InternetGateway": "internet gateway",
    "RouterNat": "Cloud NAT",
    "VpcEndpoint": "private endpoint",
    "PrivateEndpoint": "private endpoint",
    "Connection": "peering with services",
}
"""What joins a network to others, by the last part of its type."""

_PURCHASES: Final = {
    "on_demand": "on demand",
    "any_reservation": "reserved where there is room",
    "capacity_block": "capacity block",
    "flex_start": "flex start",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPool:
    """A pool of machines.

    `start` and `most` count machines, None where they are not known; `accelerators` are those of one machine. `zones`
    are empty where the cloud chooses, `subnets` are names.
    """

    urn: str
    name: str
    machine_type: str
    start: int | None
    most: int | None
    accelerators: int
    accelerator: str
    purchase: str
    fabric: PoolFabric | None
    zones: tuple[str, ...] = ()
    subnets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawnStore:
    """Something that keeps data: its URN, name and type token, and in a line how large and fast it is."""

    urn: str
    name: str
    type: str
    summary: str


@dataclass(slots=True)
class DrawnZone:
    """A zone: its subnets, and the pools and stores that stand in it alone."""

    name: str
    subnets: list[PlacedSubnet] = field(default_factory=list)
    pools: list[DrawnPool] = field(default_factory=list)
    stores: list[DrawnStore] = field(default_factory=list)


@dataclass(slots=True)
class DrawnRegion:
    """A region of a cloud, or a cluster that exists: what stands in its zones, and what belongs to all of it.

    `clusters` are control planes with their version, `ways_out` what joins its networks to others, counted.
    """

    name: str
    cloud: str
    zones: dict[str, DrawnZone] = field(default_factory=dict)
    clusters: list[tuple[str, str]] = field(default_factory=list)
    subnets: list[PlacedSubnet] = field(default_factory=list)
    pools: list[DrawnPool] = field(default_factory=list)
    stores: list[DrawnStore] = field(default_factory=list)
    ways_out: dict[str, int] = field(default_factory=dict)

    def zone(self, name: str) -> DrawnZone:
        """The zone of that name, new where nothing stood in it yet."""
        return self.zones.setdefault(name, DrawnZone(name))

    @property
    def every_pool(self) -> list[DrawnPool]:
        """Its pools, those of its zones first."""
        return [*(pool for zone in self.zones.values() for pool in zone.pools), *self.pools]


def topology_of(graph: Graph) -> list[DrawnRegion]:
    """Return the regions of a program that have anything to draw, those with the most accelerators first."""
    site, regions = Site(graph), _Regions()
    names = _subnets(site, regions)
    found = program_pools(site, *built_clouds())
    for pool in found:
        _place_pool(pool, regions, names)
    drawn_as_pools = {pool.view.urn for pool in found if pool.block is pool.view}
    for resource in graph:
        if resource.custom and resource.urn not in drawn_as_pools:
            _place(View(resource, site), regions)
    if not any(region.every_pool for region in regions.found.values()):
        _existing_clusters(graph, regions)
    drawn = [region for region in regions.found.values() if region.every_pool or region.stores or region.clusters]
    for region in drawn:
        region.zones = dict(sorted(region.zones.items()))
        for pools in (region.pools, *(zone.pools for zone in region.zones.values())):
            pools.sort(key=lambda each: -each.accelerators * (each.start or 0))
    return sorted(drawn, key=lambda region: -sum(map(accelerators_at_most, region.every_pool)))


def accelerators_at_most(pool: DrawnPool) -> int:
    """Return the accelerators that a pool may have at once, as far as that is known."""
    return pool.accelerators * (pool.most or pool.start or 0)


class _Regions:
    """The regions that were met so far, by cloud and name."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], DrawnRegion] = {}

    def at(self, cloud: str, name: str) -> DrawnRegion:
        provider = provider_named(cloud)
        title = provider.title if provider is not None else cloud
        return self.found.setdefault((cloud, name), DrawnRegion(name or "region not known", title))


def _subnets(site: Site, regions: _Regions) -> dict[str, str]:
    """Place every subnet; returns their names by URN."""
    found = topology.subnets(site)
    for each in found:
        region = regions.at(_cloud(site.graph[each.urn]), each.region)
        (region.zone(each.zone).subnets if each.zone else region.subnets).append(each)
    return {each.urn: each.name for each in found}


def _place_pool(pool: MachinePool, regions: _Regions, subnets: Mapping[str, str]) -> None:
    cloud = readable(lambda: pool.cloud, "")
    zones = tuple(_known(pool.zones) or ())
    named = _known(pool.machine_types) or []
    machine = _machine(named[0].name, cloud) if named else None
    drawn = DrawnPool(
        urn=pool.view.urn,
        name=readable(lambda: pool.name, pool.view.name),
        machine_type=named[0].name if named else "",
        start=_known(pool.start),
        most=_known(pool.most),
        accelerators=readable(pool.accelerators, 0) or readable(pool.chips, 0),
        accelerator=(machine.accelerator or "") if machine is not None else "",
        purchase=_purchase(pool),
        fabric=topology.fabric_of(pool),
        zones=zones,
        subnets=tuple(subnets[urn] for urn in topology.subnets_of_pool(pool) if urn in subnets),
    )
    region = regions.at(cloud, readable(pool.region, ""))
    (region.zone(zones[0]).pools if len(zones) == 1 else region.pools).append(drawn)
    for zone in zones:
        region.zone(zone)


def _place(view: View, regions: _Regions) -> None:
    """Place what keeps data, what joins networks, and managed clusters."""
    kind = kind_of(view.type)
    is_cluster = view.type in _cluster_types()
    is_store = not is_cluster and kind not in _NOT_DRAWN and holdings.holding_of(view.type) is not None
    cloud = _cloud(view.resource)
    if cloud not in built_clouds() or view.resource.external or not (is_cluster or is_store or kind in _WAYS_OUT):
        return
    standing = topology.standing_of(view)
    region = regions.at(cloud, standing.region if standing is not None else "")
    if is_cluster:
        region.clusters.append((view.name, _version(view)))
    elif is_store:
        store = DrawnStore(view.urn, view.name, view.type, _summary(view))
        zones = standing.zones if standing is not None else ()
        (region.zone(zones[0]).stores if len(zones) == 1 else region.stores).append(store)
    else:
        region.ways_out[_WAYS_OUT[kind]] = region.ways_out.get(_WAYS_OUT[kind], 0) + 1


def _existing_clusters(graph: Graph, regions: _Regions) -> None:
    """Place the pools that a description says its cluster has."""
    for platform in graph.of_type(PLATFORM):
        described = platform.outputs.get("node_pools")
        summary = platform.outputs.get("summary")
        place = summary.partition(",")[0] if isinstance(summary, str) else platform.name
        region = regions.at("kubernetes", place.removeprefix("kubernetes").strip() or "cluster")
        for each in described if isinstance(described, list | tuple) else ():
            if isinstance(each, Mapping):
                region.pools.append(_described_pool(platform.urn, each))


def _described_pool(urn: str, pool: Mapping[str, Any]) -> DrawnPool:
    nodes = pool.get("nodes")
    bounds = nodes if isinstance(nodes, Mapping) else {}
    fabric = pool.get("fabric")
    return DrawnPool(
        urn=urn,
        name=str(pool.get("name", "")),
        machine_type=str(pool.get("machine_type", "")),
        start=_whole(bounds.get("min")),
        most=_whole(bounds.get("max")),
        accelerators=_whole(pool.get("accelerators")) or 0,
        accelerator=str(pool.get("accelerator", "")),
        purchase="there already",
        fabric=PoolFabric(str(fabric), 0, None) if fabric else None,
    )


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _known(read: Callable[[], Read | None]) -> Read | None:
    """What a reader reads; None where that is not known."""
    found: Read | None = readable(read, None)
    return found


def _purchase(pool: MachinePool) -> str:
    return " and ".join(_PURCHASES.get(way, way) for way in _known(pool.ways) or ())


def _machine(name: str, cloud: str) -> Machine | None:
    try:
        return machines.find_machine(name, cloud)
    except UnknownFact:
        return None


def _cloud(resource: Resource) -> str:
    provider = provider_of(resource.type)
    return provider.name if provider is not None else ""


def _cluster_types() -> frozenset[str]:
    readers = (each.module("endpoints") for each in all_providers())
    return frozenset(reader.CLUSTER for reader in readers if reader is not None)


def _version(view: View) -> str:
    found = (_known(partial(view.text, key)) for key in ("version", "minMasterVersion", "kubernetesVersion"))
    return next(filter(None, found), "")


def _summary(view: View) -> str:
    """The line of the component that a store is in, where that says one."""
    above = view.site.graph.resources.get(view.resource.parent)
    summary = above.outputs.get("summary") if above is not None and above.type != PLATFORM else None
    return summary if isinstance(summary, str) else ""


def document(graph: Graph) -> list[dict[str, Any]]:
    """Return the topology as data: regions, with their zones, and in either the subnets, pools and stores."""
    regions = []
    for region in topology_of(graph):
        found = asdict(region)
        found["zones"] = list(found["zones"].values())
        found["clusters"] = [{"name": name, "version": version or None} for name, version in region.clusters]
        regions.append(found)
    return regions
