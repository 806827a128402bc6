"""The drawing of the topology: boxes within boxes, which the browser lays out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from penstock.core.wording import plural
from penstock.model.topology import PlacedSubnet
from penstock.report.html.naming import kind_words
from penstock.report.topology import DrawnPool, DrawnRegion, DrawnStore, DrawnZone, accelerators_at_most

_MOST_MACHINES: Final = 32
"""Machines that are drawn one by one."""

_GLYPHS: Final = (0, 1, 2, 4, 8, 16)
"""The numbers of accelerators for which the page has the drawing of a machine."""


@dataclass(frozen=True, slots=True)
class PoolCard:
    """A pool: its facts in words, and its machines, each True if it is there from the start."""

    pool: DrawnPool
    glyph: int
    machines: tuple[bool, ...]
    more: int
    count: str
    facts: tuple[str, ...]
    fabric: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SubnetBox:
    """A subnet with the pools in it; None for pools whose subnet is not known."""

    subnet: PlacedSubnet | None
    pools: tuple[PoolCard, ...]


@dataclass(frozen=True, slots=True)
class StoreCard:
    """A store: its name, its kind in words, and its size and speed."""

    name: str
    kind: str
    summary: str


@dataclass(frozen=True, slots=True)
class ZoneBox:
    """A zone with its subnets and stores."""

    name: str
    subnets: tuple[SubnetBox, ...]
    stores: tuple[StoreCard, ...]


@dataclass(frozen=True, slots=True)
class RegionBox:
    """A region: its control planes, what spans its zones, and the zones."""

    name: str
    cloud: str
    is_cluster: bool
    clusters: tuple[str, ...]
    ways_out: tuple[str, ...]
    accelerators: str
    spanning: tuple[PoolCard, ...]
    zones: tuple[ZoneBox, ...]
    idle_zones: tuple[ZoneBox, ...]
    subnets: tuple[PlacedSubnet, ...]
    stores: tuple[StoreCard, ...] = field(default=())


def section(regions: Iterable[DrawnRegion]) -> list[RegionBox]:
    """Return the regions of a program as the page draws them."""
    return [_region(region) for region in regions]


def _region(region: DrawnRegion) -> RegionBox:
    zones = [_zone(zone, region.subnets) for zone in region.zones.values()]
    used = {box.subnet.urn for zone in zones for box in zone.subnets if box.subnet is not None}
    most = sum(map(accelerators_at_most, region.every_pool))
    return RegionBox(
        name=region.name,
        cloud=region.cloud,
        is_cluster=region.cloud == "Kubernetes",
        clusters=tuple(f"{name}, Kubernetes {version}" if version else name for name, version in region.clusters),
        ways_out=tuple(plural(count, what) for what, count in region.ways_out.items()),
        accelerators=f"up to {plural(most, 'accelerator')}" if most else "",
        spanning=tuple(_card(pool) for pool in region.pools),
        zones=tuple(zone for zone in zones if zone.stores or any(box.pools for box in zone.subnets)),
        idle_zones=tuple(zone for zone in zones if not zone.stores and not any(box.pools for box in zone.subnets)),
        subnets=tuple(each for each in region.subnets if each.urn not in used),
        stores=tuple(map(_store, region.stores)),
    )


def _zone(zone: DrawnZone, regional: Sequence[PlacedSubnet]) -> ZoneBox:
    """A zone with its pools in their first subnet, which may be one of the whole region."""
    known = {subnet.name: subnet for subnet in (*regional, *zone.subnets)}
    inside: dict[str, list[PoolCard]] = {}
    for pool in zone.pools:
        inside.setdefault(next((name for name in pool.subnets if name in known), ""), []).append(_card(pool))
    boxes = [SubnetBox(known.get(name), tuple(pools)) for name, pools in inside.items()]
    boxes += [SubnetBox(subnet, ()) for subnet in zone.subnets if subnet.name not in inside]
    return ZoneBox(zone.name, tuple(boxes), tuple(map(_store, zone.stores)))


def _card(pool: DrawnPool) -> PoolCard:
    start, most = pool.start, pool.most
    drawn = min(max(start or 0, most or 0), _MOST_MACHINES)
    each = f"{pool.accelerators} × {pool.accelerator or 'accelerator'} each" if pool.accelerators else ""
    return PoolCard(
        pool=pool,
        glyph=max((size for size in _GLYPHS if size <= pool.accelerators), default=0),
        machines=tuple(index < (start or 0) for index in range(drawn)),
        more=max(start or 0, most or 0) - drawn,
        count=_count(start, most),
        facts=tuple(filter(None, (each, pool.purchase, _spread(pool)))),
        fabric=tuple(_fabric(pool)),
    )


def _count(start: int | None, most: int | None) -> str:
    if start is None and most is None:
        return "number not known"
    if most is None or start == most:
        return str(start)
    return f"{start if start is not None else '?'} to {most}"


def _spread(pool: DrawnPool) -> str:
    return f"in {', '.join(pool.zones)}" if len(pool.zones) > 1 else ""


def _fabric(pool: DrawnPool) -> list[str]:
    fabric = pool.fabric
    if fabric is None:
        return []
    return [
        f"{fabric.name} {fabric.shape}".strip(),
        *([f"{plural(fabric.interfaces, 'interface')} a machine"] if fabric.interfaces else ()),
        *([f"{fabric.gbps:,.0f} Gbit/s"] if fabric.gbps else ()),
        *(
            [f"{own} subnets of its own"]
            if fabric.interfaces and (own := len(pool.subnets) - max(len(pool.zones), 1)) > 0
            else ()
        ),
        *(["placed together"] if fabric.compact else ()),
    ]


def _store(store: DrawnStore) -> StoreCard:
    return StoreCard(store.name, kind_words(store.type), store.summary)
