"""What the resources of Google Cloud cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.catalog import prices
from penstock.economics.cost.bill import HOURS_A_MONTH, Line, Unpriced, line, machines
from penstock.rehearsal.schedule import gke_nodes
from penstock.resources.verdict import NotKnown, TypeMismatch
from penstock.resources.view import Block, View
from penstock.rules.gcp import nodes, places
from penstock.rules.gcp.nodes import Pool
from penstock.rules.gcp.types import CLUSTER, DATABASE, FILESTORE, INSTANCE, LUSTRE, NODE_POOL, RESERVATION, ROUTER_NAT

_DEFAULT_MACHINE = "e2-medium"
_CUSTOM = re.compile(r"db-custom-(?P<vcpu>\d+)-(?P<mib>\d+)")

_Items = Iterator[Line | Unpriced]


def items(view: View) -> _Items:
    """What a resource costs; nothing for what is free."""
    priced = _PRICED.get(view.type)
    if priced is None:
        return
    try:
        yield from priced(view)
    except NotKnown:
        yield Unpriced(view.urn, "how much, or where, is not known yet")
    except TypeMismatch:
        return  # the SDK's types tell


def _cluster(cluster: View) -> _Items:
    fee = prices.service("gcp", "gke", "cluster management fee (standard or autopilot)")
    yield line(cluster.resource, "control plane", HOURS_A_MONTH, fee)
    if cluster.flag("enableAutopilot"):
        yield Unpriced(cluster.urn, "by what pods ask for (Autopilot)")
    yield from _pools(cluster)


def _pools(view: View) -> _Items:
    for pool in gke_nodes.pools(view):
        count = gke_nodes.started(pool)
        if not _reserved_here(pool):
            region = _region(nodes.location(pool)) if count else ""
            yield _started(view, pool.config, count, region, _way(pool))


def _instance(view: View) -> _Items:
    scheduling = view.block("scheduling")
    model = scheduling.text("provisioningModel") if scheduling is not None else None
    spot = scheduling is not None and (scheduling.flag("preemptible") or model == "SPOT")
    way = "spot" if spot else "flex_start" if model == "FLEX_START" else "on_demand"
    yield _started(view, view, 1, places.region(view), way)


def _reservation(view: View) -> _Items:
    specific = view.block("specificReservation")
    properties = specific.block("instanceProperties") if specific is not None else None
    if specific is not None and properties is not None:
        yield _started(view, properties, specific.integer("count") or 0, places.region(view), "reserved")


def _started(view: View, config: Block | None, count: int, region: str, way: str) -> Line | Unpriced:
    named = config.text("machineType") if config is not None else None
    machine_type = (named or _DEFAULT_MACHINE).rpartition("/")[2]
    what = f"{count} × {machine_type}, {way.replace('_', ' ')}"
    return machines(view.resource, what, count, prices.machine_hour(machine_type, region, way, "gcp"))


def _region(place: str) -> str:
    return places.region_of(place) or place


def _way(pool: Pool) -> str:
    config, queued = pool.config, nodes.enabled(pool.block, "queuedProvisioning")
    if queued or (config is not None and config.flag("flexStart")):
        return "flex_start"
    if config is not None and (config.flag("spot") or config.flag("preemptible")):
        return "spot"
    affinity = nodes.affinity(pool)
    reserved = affinity is not None and affinity.text("consumeReservationType") == "SPECIFIC_RESERVATION"
    return "reserved" if reserved else "on_demand"


def _reserved_here(pool: Pool) -> bool:
    """Whether a reservation of the program holds the pool's machines; it is billed, used or not."""
    try:
        return nodes.reservation(pool) is not None
    except NotKnown:
        return False


def _nat(view: View) -> _Items:
    price = prices.service("gcp", "nat-gateway", "hour for 32 machines or more")
    yield line(view.resource, "NAT gateway at most, without traffic", HOURS_A_MONTH, price)


def _lustre(view: View) -> _Items:
    tier, gib = view.text("perUnitStorageThroughput"), view.integer("capacityGib")
    price = prices.service("gcp", "managed-lustre", f"{tier} MB/s/TiB")
    yield line(view.resource, f"{gib} GiB at {tier} MB/s/TiB" if tier else f"{gib} GiB, dynamic", gib, price)


def _filestore(view: View) -> _Items:
    share, tier = view.block("fileShares"), view.text("tier")
    gib = share.integer("capacityGb") if share is not None else None
    price = prices.service("gcp", "filestore", f"{tier} tier")
    yield line(view.resource, f"{gib} GiB of Filestore, {tier}", gib, price)


def _database(view: View) -> _Items:
    settings = view.block("settings")
    tier = settings.text("tier") if settings is not None else None
    custom = _CUSTOM.fullmatch(tier or "")
    if settings is None or custom is None:
        yield Unpriced(view.urn, f"{tier}, by the hour: no price known")
        return
    kind = f"{settings.text('edition')} {settings.text('availabilityType') or 'ZONAL'}"
    vcpu, ram_gib = int(custom["vcpu"]), int(custom["mib"]) / 1024
    yield line(view.resource, f"{vcpu} vCPU of Cloud SQL", vcpu * HOURS_A_MONTH, _cloud_sql(kind, "vCPU"))
    yield line(view.resource, f"{ram_gib:g} GiB memory of Cloud SQL", ram_gib * HOURS_A_MONTH, _cloud_sql(kind, "RAM"))
    disk, gib = settings.text("diskType") or "PD_SSD", settings.integer("diskSize")
    yield line(view.resource, f"{gib} GiB disk of Cloud SQL", gib, _cloud_sql(kind, disk))


def _cloud_sql(kind: str, item: str) -> prices.Price | None:
    return prices.service("gcp", "cloud-sql", f"{kind} {item}")


_PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {
    CLUSTER: _cluster,
    NODE_POOL: _pools,
    RESERVATION: _reservation,
    INSTANCE: _instance,
    ROUTER_NAT: _nat,
    LUSTRE: _lustre,
    FILESTORE: _filestore,
    DATABASE: _database,
}
