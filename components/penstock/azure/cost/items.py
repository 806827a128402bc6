"""The cost of the resources of Azure: clusters, networks, disks, file systems, databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import ceil
from typing import Final, NamedTuple

from penstock.azure.cost.apps import WEB_APPS
from penstock.azure.cost.databases import DATABASES
from penstock.azure.cost.storage import STORED, service, sku_of
from penstock.azure.facts import disks
from penstock.azure.facts.lustre import steps_of
from penstock.azure.facts.size_names import read_size
from penstock.azure.model import places
from penstock.azure.types import (
    COMPUTE_CAPACITY_RESERVATION,
    COMPUTE_DISK,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERREGISTRY_REPLICATION,
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    MACHINELEARNINGSERVICES_COMPUTE,
    NETWORK_APPLICATION_GATEWAY,
    NETWORK_LOAD_BALANCER,
    NETWORK_NAT_GATEWAY,
    NETWORK_PRIVATE_ENDPOINT,
    NETWORK_PUBLIC_IP_ADDRESS,
    NETWORK_VIRTUAL_NETWORK,
    PRIVATEDNS_PRIVATE_ZONE,
    STORAGE_ACCOUNT,
    STORAGE_FILE_SHARE,
    STORAGECACHE_AML_FILESYSTEM,
)
from penstock.catalog import prices
from penstock.catalog.disk_performance import included_performance
from penstock.core.errors import UnknownFact
from penstock.core.quantities import GIB_PER_TIB, LUSTRE_GIB_PER_TIB
from penstock.cost.amounts import Amount, exactly
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line, machines
from penstock.cost.disk_performance import Provisioned, performance_items
from penstock.cost.machine_pools import committed, pool_usage, running
from penstock.cost.part_items import part_items
from penstock.cost.stored import Held, stored_items
from penstock.cost.tiers import Tier
from penstock.cost.traffic import cluster_volumes, egress_items, flow_items, is_first_network, shared_flow
from penstock.cost.words import described, quantity
from penstock.graph.view import Block, View
from penstock.model.pools import machine_pools

_RULES_TOGETHER = 5
"""Rules of a load balancer that share one price; each further one has its own."""
_ADDRESS_BITS = 32

_Items = Iterator[Line | Unpriced]

_ROUNDING: Final = 1e-9
_DEFAULT_GIB: Final = 128
"""The disk of a node where nobody says, of small sizes (AKS documentation, default OS disk sizing)."""
_P30_GIB: Final = 1024
_EGRESS: Final = (
    Tier("internet first 10 TB", 10_240),
    Tier("internet next 40 TB", 51_200),
    Tier("internet next 100 TB", 153_600),
    Tier("internet over 150 TB", None),
)


def priced_items(view: View) -> _Items:
    """Yield the cost of a resource; nothing for what is free."""
    priced = _PRICED.get(view.type)
    yield from part_items(view, service, only=priced is None)
    if priced is not None:
        yield from priced(view)


def _cluster(view: View) -> _Items:
    """A control plane by its tier; long-term support needs Premium, which is its price."""
    tier = sku_of(view, "tier") or "Free"
    yield line(view.resource, f"control plane, {tier} tier", HOURS_A_MONTH, service(view, "aks", f"{tier} tier"))
    yield from _node_disks(view)
    volumes = service(view, "managed-disk", "P30 LRS")
    by_gib = None if volumes is None else prices.per_unit(volumes, _P30_GIB, "GiB-month")
    yield from cluster_volumes(view, by_gib, service(view, "managed-disk", "snapshots"))


def _node_disks(view: View) -> _Items:
    """The managed disk of each node; an ephemeral one is part of its machine."""
    for pool in machine_pools(view):
        kind = (pool.block.text("osDiskType") or "").casefold()
        gib = pool.block.integer("osDiskSizeGB") or 0
        count = running(pool)
        if pool.service or kind == "ephemeral" or "vmSize" not in pool.block or count is None:
            continue
        if not kind and not gib:
            why = "disks of the nodes: AKS decides whether they are managed"
            yield Unpriced(view.urn, why, "osDiskType", missing="use")
            continue
        yield from _disk_items(view, pool.block.text("vmSize") or "", gib or _DEFAULT_GIB, count)


def _disk_items(view: View, machine_type: str, gib: int, count: Amount) -> _Items:
    size = read_size(machine_type)
    premium = size is not None and ("s" in size.features or size.family.endswith("S"))
    sku = "Premium_LRS" if premium else "Standard_LRS"
    tier = disks.tier(sku, gib)
    times = f"{round(count.expected, 1):g} × " if count != exactly(1) else ""
    note = f"{count.low:g} to {count.high:g} machines" if count.low != count.high else ""
    price = service(view, "managed-disk", f"{tier} LRS")
    yield line(view.resource, described(f"{times}{gib} GiB disk", tier), count, price, assumes=note)


def _machine_disks(view: View) -> _Items:
    """The managed disks of machines: that of the system, and those of data that they start with."""
    (pool,) = machine_pools(view)
    profile: Block | None = view
    if view.type == COMPUTE_VIRTUAL_MACHINE_SCALE_SET:
        profile = view.block("virtualMachineProfile")
    storage = profile.block("storageProfile") if profile is not None else None
    count = running(pool)
    if storage is None or count is None:
        return
    system = storage.block("osDisk")
    found = [] if system is None else [("system disk", system)]
    for what, disk in [*found, *(("data disk", each) for each in storage.blocks("dataDisks"))]:
        if disk.text("createOption") != "Attach" and disk.block("diffDiskSettings") is None:
            yield from _started_disk(view, what, disk, count)


def _started_disk(view: View, what: str, disk: Block, count: Amount) -> _Items:
    """A disk that a machine creates; without a SKU it is that of the machine's best, which only Azure knows."""
    managed, gib = disk.block("managedDisk"), disk.integer("diskSizeGB")
    sku = managed.text("storageAccountType") if managed is not None else None
    if gib is None or sku is None:
        missing = "its image decides how large it is" if gib is None else "Azure decides its kind"
        depends = "diskSizeGB and the image" if gib is None else "managedDisk.storageAccountType"
        yield Unpriced(view.urn, f"{what}: {missing}", depends, missing="use")
        return
    times = f"{round(count.expected, 1):g} × " if count != exactly(1) else ""
    if included_performance("azure", sku) is not None:
        yield from _by_performance(view, disk, f"{times}{gib} GiB {what}, {sku}", _Sold(sku, gib, count))
        return
    tier = disks.tier(sku, gib)
    price = service(view, "managed-disk", f"{tier} LRS") if tier is not None else None
    yield line(view.resource, f"{times}{gib} GiB {what}, {tier or sku}", count, price)


class _Sold(NamedTuple):
    """So many disks of a SKU, and the size of each."""

    sku: str
    gib: int
    number: Amount


def _by_performance(view: View, disk: Block, what: str, sold: _Sold) -> _Items:
    """A disk that is sold by the GiB, and by its IOPS and MB/s beyond those that come with it."""
    sku, count = sold.sku, sold.number
    yield line(view.resource, what, count * sold.gib, service(view, "managed-disk", f"{sku} storage"))
    given = Provisioned(sku, disk.number("diskIOPSReadWrite"), disk.number("diskMBpsReadWrite"))
    yield from performance_items(view.resource, "azure", given, count, lambda item: service(view, "managed-disk", item))


def _learning_compute(view: View) -> _Items:
    """Compute of Machine Learning that starts no machines of its own is billed by what is attached."""
    properties = view.block("properties")
    kind = properties.text("computeType") if properties is not None else None
    if not machine_pools(view):
        yield Unpriced(view.urn, f"compute of Machine Learning, {kind or 'of no type'}: no price known")


def _reservation(view: View) -> _Items:
    sku = view.block("sku")
    size, count = (sku.text("name"), sku.integer("capacity")) if sku is not None else (None, None)
    price = prices.machine_hour(size or "", places.region(view), "reserved", "azure")
    price = committed(price, pool_usage(view), "azure", size or "", places.region(view))
    what = described(quantity(count, size or "", times=True), "reserved")
    yield machines(view.resource, what, count, price, machine_type=size or "", region=places.region(view))


def _disk(view: View) -> _Items:
    sku, gib = sku_of(view) or "Standard_LRS", view.integer("diskSizeGB")
    if gib is not None and included_performance("azure", sku) is not None:
        yield from _by_performance(view, view, f"{gib} GiB disk, {sku}", _Sold(sku, gib, exactly(1)))
        return
    tier = view.text("tier") or (disks.tier(sku, gib) if gib is not None else None)
    price = service(view, "managed-disk", f"{tier} LRS") if tier is not None else None
    yield line(view.resource, described(quantity(gib, "GiB disk"), sku), 1 if gib is not None else None, price)


def _nat(view: View) -> _Items:
    yield line(view.resource, "NAT gateway, without traffic", HOURS_A_MONTH, service(view, "nat-gateway", "hour"))
    data = service(view, "nat-gateway", "data processed")
    yield from shared_flow(view, view.site.of_type(view.type), "nat_gb", "traffic through NAT", data)


def _network(view: View) -> _Items:
    """Traffic is named once for a program, at its first network; between zones it is free."""
    if not is_first_network(view):
        return
    yield from egress_items(view, "azure", _EGRESS, "")
    regions = prices.service("azure", "egress", "inter-region")
    yield from flow_items(view, "cross_region_gb", "traffic to other regions", regions)


def _address(view: View) -> _Items:
    tier = sku_of(view, "tier") or "Regional"
    yield line(view.resource, "public address", HOURS_A_MONTH, service(view, "public-ip", f"{tier} address"))


def _prefix(view: View) -> _Items:
    length = view.integer("prefixLength")
    count = 2 ** (_ADDRESS_BITS - length) if length is not None else None
    hours = count * HOURS_A_MONTH if count is not None else None
    yield line(
        view.resource, quantity(count, "public addresses"), hours, service(view, "public-ip", "address of a prefix")
    )


def _load_balancer(view: View) -> _Items:
    rules = view.count("loadBalancingRules") + view.count("outboundRules")
    if (sku_of(view) or "Basic") == "Basic" or not rules:
        return
    first, further = service(view, "load-balancer", "rules up to five"), service(view, "load-balancer", "further rule")
    yield line(view.resource, "load balancer, without traffic", HOURS_A_MONTH, first)
    if rules > _RULES_TOGETHER:
        more = rules - _RULES_TOGETHER
        yield line(view.resource, f"{more} further rules of a load balancer", more * HOURS_A_MONTH, further)


def _endpoint(view: View) -> _Items:
    price = service(view, "private-endpoint", "hour")
    yield line(view.resource, "private endpoint, without traffic", HOURS_A_MONTH, price)
    data = service(view, "private-endpoint", "data processed first PB")
    among = view.site.of_type(view.type)
    yield from shared_flow(view, among, "endpoint_gb", "traffic through private endpoints", data)


def _zone(view: View) -> _Items:
    yield line(view.resource, "private DNS zone", 1, service(view, "private-dns", "zone"))


def _registry(view: View) -> _Items:
    sku = sku_of(view)
    yield line(view.resource, described("container registry", sku), 1, service(view, "container-registry", sku or ""))


def _replication(view: View) -> _Items:
    yield line(view.resource, "copy of a container registry", 1, service(view, "container-registry", "Premium"))


def _lustre(view: View) -> _Items:
    """Azure sells the next step for a capacity between two, and the first for less."""
    tib, sku = view.number("storageCapacityTiB"), sku_of(view) or ""
    what = described("Managed Lustre" if tib is None else f"{tib:g} TiB of Managed Lustre", sku)
    try:
        steps = steps_of(sku)
    except UnknownFact:
        yield Unpriced(view.urn, f"{what}: no price known")
        return
    sold, note = tib, ""
    if tib is not None:
        step = steps.step / LUSTRE_GIB_PER_TIB
        sold = max(1, ceil(tib / step - _ROUNDING)) * step
        note = f"{tib:g} TiB are asked for; {sold:g} TiB are sold for it" if sold > tib else ""
    price = service(view, "managed-lustre", f"{steps.throughput_mbps_per_tib} MB/s/TiB")
    yield line(view.resource, what, sold * GIB_PER_TIB if sold is not None else None, price, assumes=note)


def _share(view: View) -> _Items:
    account = view.one("accountName", STORAGE_ACCOUNT)
    sku = sku_of(account) if account is not None else None
    if sku is None or not sku.startswith("Premium_"):
        yield from stored_items(view, (Held("gb", "files", service(view, "files", f"{sku}"), optional=False),))
        return
    gib = view.integer("shareQuota")
    yield line(view.resource, described(quantity(gib, "GiB file share"), sku), gib, service(view, "files", sku))


def _gateway(view: View) -> _Items:
    sku = sku_of(view) or ""
    price = service(view, "application-gateway", f"{sku} gateway")
    yield line(view.resource, described("application gateway", sku, "without capacity units"), HOURS_A_MONTH, price)


def _public_zone(view: View) -> _Items:
    yield line(view.resource, "DNS zone", 1, service(view, "dns", "zone"))


_PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {
    **DATABASES,
    **STORED,
    **WEB_APPS,
    CONTAINERSERVICE_AGENT_POOL: _node_disks,
    MACHINELEARNINGSERVICES_COMPUTE: _learning_compute,
    COMPUTE_VIRTUAL_MACHINE: _machine_disks,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET: _machine_disks,
    "azure-native:dns:Zone": _public_zone,
    NETWORK_APPLICATION_GATEWAY: _gateway,
    NETWORK_VIRTUAL_NETWORK: _network,
    COMPUTE_CAPACITY_RESERVATION: _reservation,
    COMPUTE_DISK: _disk,
    CONTAINERREGISTRY_REGISTRY: _registry,
    CONTAINERREGISTRY_REPLICATION: _replication,
    CONTAINERSERVICE_MANAGED_CLUSTER: _cluster,
    NETWORK_LOAD_BALANCER: _load_balancer,
    NETWORK_NAT_GATEWAY: _nat,
    NETWORK_PRIVATE_ENDPOINT: _endpoint,
    NETWORK_PUBLIC_IP_ADDRESS: _address,
    "azure-native:network:PublicIPPrefix": _prefix,
    PRIVATEDNS_PRIVATE_ZONE: _zone,
    STORAGE_FILE_SHARE: _share,
    STORAGECACHE_AML_FILESYSTEM: _lustre,
}
