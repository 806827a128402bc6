"""The cost of the resources of Google Cloud: clusters, networks, disks, file systems, databases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from penstock.catalog import kubernetes_versions, prices
from penstock.core.errors import UnknownFact
from penstock.cost.amounts import NOTHING, Amount, exactly
from penstock.cost.attached import named_with, with_attached
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line, machines
from penstock.cost.disk_performance import Provisioned, performance_items
from penstock.cost.machine_pools import committed, nodes_of, pool_usage, running
from penstock.cost.part_items import part_items
from penstock.cost.tiers import Tier
from penstock.cost.traffic import cluster_volumes, egress_items, flow_items, is_first_network, shared_flow
from penstock.cost.words import described, quantity
from penstock.gcp.cost.databases import database_items
from penstock.gcp.cost.storage import STORED, service
from penstock.gcp.facts import lustre
from penstock.gcp.model import places
from penstock.gcp.model.addresses import have_public_addresses
from penstock.gcp.model.disks import PersistentDisk, disk_of, disks_of_machine, local_ssds
from penstock.gcp.model.gce import SINGLE, accelerators_of, type_of_config
from penstock.gcp.types import (
    COMPUTE_DISK,
    COMPUTE_FORWARDING_RULE,
    COMPUTE_GLOBAL_ADDRESS,
    COMPUTE_GLOBAL_FORWARDING_RULE,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_GROUP_MANAGER,
    COMPUTE_NETWORK,
    COMPUTE_REGION_DISK,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER,
    COMPUTE_RESERVATION,
    COMPUTE_ROUTER_NAT,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    DNS_MANAGED_ZONE,
    FILESTORE_INSTANCE,
    LUSTRE_INSTANCE,
    SQL_DATABASE_INSTANCE,
)
from penstock.graph.graph import Resource
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, Site, View
from penstock.model.pools import MachinePool, machine_pools

_Items = Iterator[Line | Unpriced]

_MOST_BEHIND_NAT: Final = 32
_FORWARDING: Final = (
    COMPUTE_FORWARDING_RULE,
    COMPUTE_GLOBAL_FORWARDING_RULE,
)
_EGRESS: Final = (
    Tier("internet first 1 TB", 1_024),
    Tier("internet next 9 TB", 10_240),
    Tier("internet over 10 TB", None),
)


def priced_items(view: View) -> _Items:
    """Yield the cost of a resource; nothing for what is free."""
    priced = _PRICED.get(view.type)
    yield from part_items(view, service, only=priced is None)
    if priced is not None:
        yield from priced(view)


def _cluster(cluster: View) -> _Items:
    """The fee of a cluster, and what the Extended channel adds once the version is past standard support."""
    fee = service(cluster, "gke", "cluster management fee (standard or autopilot)")
    yield line(cluster.resource, "control plane", HOURS_A_MONTH, fee)
    channel = cluster.block("releaseChannel")
    version = cluster.text("minMasterVersion")
    if channel is not None and channel.text("channel") == "EXTENDED" and version is not None:
        minor = ".".join(version.split(".")[:2])
        try:
            until = kubernetes_versions.find_version(minor, "gcp").standard_until
        except UnknownFact:
            until = None
        if until is not None and until < cluster.site.today:
            more = service(cluster, "gke", "extended channel after standard support")
            note = f"{minor} is past standard support since {until}"
            yield line(cluster.resource, "extended support", HOURS_A_MONTH, more, assumes=note)
    volumes, snapshots = service(cluster, "disk", "pd-balanced storage"), service(cluster, "disk", "snapshots")
    yield from _node_disks(cluster)
    yield from cluster_volumes(cluster, volumes, snapshots)


def _reservation(view: View) -> _Items:
    specific = view.block("specificReservation")
    properties = specific.block("instanceProperties") if specific is not None else None
    if specific is not None and properties is not None:
        count, machine_type = specific.integer("count") or 0, type_of_config(properties)
        region, attached = places.region(view), _attached(machine_type, properties)
        price = prices.machine_hour(machine_type, region, "reserved", "gcp")
        price = with_attached(price, attached, region=region, way="reserved", cloud="gcp")
        usage = pool_usage(view)
        paid = committed(price, usage, "gcp", machine_type, region)
        what = described(quantity(count, named_with(machine_type, attached), times=True), "reserved")
        item = machines(view.resource, what, count, paid, machine_type=machine_type, region=region)
        if isinstance(item, Line) and paid is not price and usage is not None:
            item = replace(item, assumes=f"committed for {usage.commitment}")
        yield item


def _attached(machine_type: str, properties: Block) -> Mapping[str, int]:
    """The accelerators of reserved machines that their type does not bring."""
    blocks = properties.blocks("guestAccelerators")
    found = {each.text("acceleratorType") or "": each.integer("acceleratorCount") or 0 for each in blocks}
    return {} if found and accelerators_of(machine_type) else found


def _nat(view: View) -> _Items:
    """A gateway is paid by the hour of each machine behind it, up to 32; those with public addresses are not."""
    behind = view.site.once(_machines)
    if behind is None:
        note = f"at most: {_MOST_BEHIND_NAT} machines behind it, as how many is not known"
        hours = exactly(_MOST_BEHIND_NAT * HOURS_A_MONTH)
    else:
        capped = Amount(*(min(each, _MOST_BEHIND_NAT) for each in (behind.low, behind.expected, behind.high)))
        most = f", of which {_MOST_BEHIND_NAT} are billed" if behind.expected > _MOST_BEHIND_NAT else ", each is billed"
        hours, note = capped * HOURS_A_MONTH, f"{behind.expected:g} machines of the program are behind it{most}"
    price = service(view, "nat-gateway", "hour for each of fewer machines")
    yield line(view.resource, "NAT gateway, without traffic", hours, price, assumes=note)
    data = service(view, "nat-gateway", "data processed")
    yield from shared_flow(view, view.site.of_type(COMPUTE_ROUTER_NAT), "nat_gb", "traffic through NAT", data)


def _machines(site: Site) -> Amount | None:
    """The machines without public addresses that all pools of a program run; None where one is not known."""
    total = NOTHING
    try:
        for view in (View(resource, site) for resource in site.graph if not resource.external):
            for pool in machine_pools(view):
                total += NOTHING if pool.provisioner else _behind(pool)
    except NotKnown:
        return None
    return total


def _behind(pool: MachinePool) -> Amount:
    """The machines of a pool that reach the internet through a gateway; perhaps none where nothing says."""
    nodes = nodes_of(pool)
    try:
        return NOTHING if have_public_addresses(pool) else nodes
    except NotKnown:
        return Amount(0, nodes.expected, nodes.high)


def _network(view: View) -> _Items:
    """Traffic is named once for a program, at its first network."""
    if not is_first_network(view):
        return
    yield from egress_items(view, "gcp", _EGRESS, "")
    price = prices.service("gcp", "egress", "cross-zone")
    yield from flow_items(view, "cross_zone_gb", "traffic between zones", price)
    regions = prices.service("gcp", "egress", "inter-region")
    yield from flow_items(view, "cross_region_gb", "traffic to other regions", regions)


def _node_disks(view: View) -> _Items:
    """The disks that each machine of a pool comes with, those of one kind together."""
    for pool in machine_pools(view):
        count = None if pool.provisioner or pool.service else running(pool)
        if count is None:
            continue
        for disk, number in Counter(disks_of_machine(pool)).items():
            yield from _disk_items(view, disk, count * number)
        for disk, number in Counter(local_ssds(pool)).items():
            yield from _local_items(pool, disk, count * number)


def _local_items(pool: MachinePool, disk: PersistentDisk, count: Amount) -> _Items:
    """Local SSDs of machines on spot cost less than others, at a price of their own."""
    if "spot" in pool.ways():
        what = f"{round(count.expected, 1):g} × {disk.gb} GiB {disk.type} on spot"
        yield Unpriced(pool.view.urn, f"{what}: no price known", "the price of local SSDs on spot")
        return
    yield from _disk_items(pool.view, disk, count)


def _disk_items(view: View, disk: PersistentDisk, count: Amount) -> _Items:
    """The size of so many disks, and the performance that they are given beyond what comes with it."""
    times = f"{round(count.expected, 1):g} × " if count != exactly(1) else ""
    note = f"{count.low:g} to {count.high:g} machines" if count.low != count.high else ""
    price = service(view, "disk", f"{disk.type} storage")
    yield line(view.resource, f"{times}{disk.gb} GiB disk, {disk.type}", count * disk.gb, price, assumes=note)
    given = Provisioned(disk.type, disk.iops, disk.mbps)
    yield from performance_items(view.resource, "gcp", given, count, lambda item: service(view, "disk", item))


def _disk(view: View) -> _Items:
    disk = disk_of(view)
    if "storagePool" in view:
        why = "disk in a storage pool, which is billed in its place"
        yield Unpriced(view.urn, why, "the price of the storage pool", missing="elsewhere")
    elif disk is None:
        yield Unpriced(view.urn, "disk: its image decides how large it is", "the size of the image", missing="use")
    else:
        yield from _disk_items(view, disk, exactly(1))


def _address(view: View) -> _Items:
    """An external address; one that nothing of the program uses costs twice as much, one of a spot machine half."""
    if (view.text("addressType") or "EXTERNAL") != "EXTERNAL" or view.text("ipVersion") == "IPV6":
        return
    users = [View(each, view.site) for each in view.site.graph if _uses(each, view)]
    machines_ = [pool for user in users if user.type in SINGLE for pool in machine_pools(user)]
    used = service(view, "public-ip", "address in use")
    if not users:
        idle, note = service(view, "public-ip", "address not in use"), "nothing of the program uses it"
        least = (used.usd, idle.usd) if used is not None and idle is not None else None
        yield line(view.resource, "public address, not in use", HOURS_A_MONTH, idle, assumes=note, price_range=least)
        return
    spot = len(machines_) == len(users) and all(pool.ways() == ("spot",) for pool in machines_)
    price = service(view, "public-ip", "address in use on spot") if spot else used
    yield line(view.resource, "public address", HOURS_A_MONTH, price)


def _uses(resource: Resource, address: View) -> bool:
    """Whether a resource takes an address: it depends on it, and is no record of DNS that only names it."""
    return (
        resource.type.startswith(("gcp:", "kubernetes:"))
        and not resource.type.startswith("gcp:dns/")
        and any(address.urn in urns for urns in resource.property_dependencies.values())
    )


def _forwarding_rule(view: View) -> _Items:
    """Up to five rules of a project share one price."""
    rules = [each for type_ in _FORWARDING for each in view.site.of_type(type_)]
    if rules[0].urn == view.urn:
        price = service(view, "load-balancer", "forwarding rules up to five")
        yield line(view.resource, f"{len(rules)} forwarding rules, without traffic", HOURS_A_MONTH, price)


def _zone(view: View) -> _Items:
    yield line(view.resource, "DNS zone", 1, prices.service("gcp", "dns", "zone"))


def _lustre(view: View) -> _Items:
    """A file system is paid for the least that its tier sells, be less asked for."""
    tier, asked = view.text("perUnitStorageThroughput"), view.integer("capacityGib")
    gib, note = asked, ""
    try:
        least = lustre.steps(int(tier)).minimum if tier else 0
    except (UnknownFact, ValueError):
        least = 0
    if asked is not None and asked < least:
        gib, note = least, f"{asked} GiB are asked for; the least of this tier is {least} GiB"
    price = service(view, "managed-lustre", f"{tier} MB/s/TiB")
    what = f"{quantity(gib, 'GiB')} at {tier} MB/s/TiB" if tier else described(quantity(gib, "GiB"), "dynamic")
    yield line(view.resource, what, gib, price, assumes=note)


def _filestore(view: View) -> _Items:
    share, tier = view.block("fileShares"), view.text("tier")
    gib = share.integer("capacityGb") if share is not None else None
    price = service(view, "filestore", f"{tier} tier")
    yield line(view.resource, described(quantity(gib, "GiB of Filestore"), tier), gib, price)


_PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {
    **STORED,
    **dict.fromkeys(_FORWARDING, _forwarding_rule),
    **dict.fromkeys((COMPUTE_DISK, COMPUTE_REGION_DISK), _disk),
    "gcp:compute/address:Address": _address,
    COMPUTE_GLOBAL_ADDRESS: _address,
    COMPUTE_INSTANCE: _node_disks,
    COMPUTE_INSTANCE_GROUP_MANAGER: _node_disks,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER: _node_disks,
    COMPUTE_NETWORK: _network,
    DNS_MANAGED_ZONE: _zone,
    CONTAINER_CLUSTER: _cluster,
    SQL_DATABASE_INSTANCE: database_items,
    FILESTORE_INSTANCE: _filestore,
    LUSTRE_INSTANCE: _lustre,
    CONTAINER_NODE_POOL: _node_disks,
    COMPUTE_RESERVATION: _reservation,
    COMPUTE_ROUTER_NAT: _nat,
}
