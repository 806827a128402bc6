"""The cost of the resources of Azure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.catalog import prices
from penstock.catalog.azure import disks
from penstock.catalog.azure.lustre import steps_of
from penstock.catalog.azure.size_names import read_size
from penstock.economics.cost.bill import HOURS_A_MONTH, Line, Unpriced, line, machines
from penstock.errors import UnknownFact
from penstock.model.azure import places
from penstock.resources.view import View

_GIB_OF_TIB = 1024
_RULES_TOGETHER = 5
"""Rules of a load balancer that share one price; each further one has its own."""
_ADDRESS_BITS = 32

_Items = Iterator[Line | Unpriced]


def priced_items(view: View) -> _Items:
    """Yield the cost of a resource; nothing for what is free."""
    priced = _PRICED.get(view.type)
    if priced is not None:
        yield from priced(view)


def _sku(view: View, key: str = "name") -> str | None:
    sku = view.block("sku")
    return sku.text(key) if sku is not None else None


def _service(service: str, item: str) -> prices.Price | None:
    return prices.service("azure", service, item)


def _cluster(cluster: View) -> _Items:
    tier = _sku(cluster, "tier") or "Free"
    yield line(cluster.resource, f"control plane, {tier} tier", HOURS_A_MONTH, _service("aks", f"{tier} tier"))


def _reservation(view: View) -> _Items:
    sku = view.block("sku")
    size, count = (sku.text("name"), sku.integer("capacity")) if sku is not None else (None, None)
    price = prices.machine_hour(size or "", places.region(view), "reserved", "azure")
    yield machines(view.resource, f"{count} × {size}, reserved", count, price)


def _disk(disk: View) -> _Items:
    sku, gib = _sku(disk) or "Standard_LRS", disk.integer("diskSizeGB")
    tier = disk.text("tier") or (disks.tier(sku, gib) if gib is not None else None)
    price = _service("managed-disk", f"{tier} LRS") if tier is not None else None
    yield line(disk.resource, f"{gib} GiB disk, {sku}", 1 if gib is not None else None, price)


def _nat(view: View) -> _Items:
    yield line(view.resource, "NAT gateway, without traffic", HOURS_A_MONTH, _service("nat-gateway", "hour"))


def _address(view: View) -> _Items:
    tier = _sku(view, "tier") or "Regional"
    yield line(view.resource, "public address", HOURS_A_MONTH, _service("public-ip", f"{tier} address"))


def _prefix(view: View) -> _Items:
    length = view.integer("prefixLength")
    count = 2 ** (_ADDRESS_BITS - length) if length is not None else None
    hours = count * HOURS_A_MONTH if count is not None else None
    yield line(view.resource, f"{count} public addresses", hours, _service("public-ip", "address of a prefix"))


def _load_balancer(view: View) -> _Items:
    rules = view.count("loadBalancingRules") + view.count("outboundRules")
    if (_sku(view) or "Basic") == "Basic" or not rules:
        return
    first, further = _service("load-balancer", "rules up to five"), _service("load-balancer", "further rule")
    yield line(view.resource, "load balancer, without traffic", HOURS_A_MONTH, first)
    if rules > _RULES_TOGETHER:
        more = rules - _RULES_TOGETHER
        yield line(view.resource, f"{more} further rules of a load balancer", more * HOURS_A_MONTH, further)


def _endpoint(view: View) -> _Items:
    price = _service("private-endpoint", "hour")
    yield line(view.resource, "private endpoint, without traffic", HOURS_A_MONTH, price)


def _zone(view: View) -> _Items:
    yield line(view.resource, "private DNS zone", 1, _service("private-dns", "zone"))


def _registry(view: View) -> _Items:
    sku = _sku(view)
    yield line(view.resource, f"container registry, {sku}", 1, _service("container-registry", sku or ""))


def _replication(view: View) -> _Items:
    yield line(view.resource, "copy of a container registry", 1, _service("container-registry", "Premium"))


def _lustre(view: View) -> _Items:
    tib, sku = view.number("storageCapacityTiB"), _sku(view) or ""
    what = f"{tib:g} TiB of Managed Lustre, {sku}" if tib is not None else f"Managed Lustre, {sku}"
    try:
        tier = steps_of(sku).throughput_mbps_per_tib
    except UnknownFact:
        yield Unpriced(view.urn, f"{what}: no price known")
        return
    price = _service("managed-lustre", f"{tier} MB/s/TiB")
    yield line(view.resource, what, tib * _GIB_OF_TIB if tib is not None else None, price)


def _share(share: View) -> _Items:
    account = share.one("accountName", _ACCOUNT)
    sku = _sku(account) if account is not None else None
    if sku is None or not sku.startswith("Premium_"):
        yield Unpriced(share.urn, "by use: GB kept and requests")
        return
    gib = share.integer("shareQuota")
    yield line(share.resource, f"{gib} GiB file share, {sku}", gib, _service("files", sku))


def _database(server: View) -> _Items:
    tier, size = _sku(server, "tier"), read_size(_sku(server) or "")
    standby, disk = server.block("highAvailability"), server.block("storage")
    copies = 2 if standby is not None and (standby.text("mode") or "Disabled") != "Disabled" else 1
    vcores = size.vcpu * copies if size is not None else None
    hours = vcores * HOURS_A_MONTH if vcores is not None else None
    yield line(server.resource, f"{vcores} vCore of PostgreSQL, {tier}", hours, _service("postgresql", f"{tier} vCore"))
    gib = disk.integer("storageSizeGB") if disk is not None else None
    held = gib * copies if gib is not None else None
    yield line(server.resource, f"{held} GiB disk of PostgreSQL", held, _service("postgresql", "storage"))


_ACCOUNT: Final = "azure-native:storage:StorageAccount"
_PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {
    "azure-native:compute:CapacityReservation": _reservation,
    "azure-native:compute:Disk": _disk,
    "azure-native:containerregistry:Registry": _registry,
    "azure-native:containerregistry:Replication": _replication,
    "azure-native:containerservice:ManagedCluster": _cluster,
    "azure-native:dbforpostgresql:Server": _database,
    "azure-native:network:LoadBalancer": _load_balancer,
    "azure-native:network:NatGateway": _nat,
    "azure-native:network:PrivateEndpoint": _endpoint,
    "azure-native:network:PublicIPAddress": _address,
    "azure-native:network:PublicIPPrefix": _prefix,
    "azure-native:privatedns:PrivateZone": _zone,
    "azure-native:storage:FileShare": _share,
    "azure-native:storagecache:AmlFilesystem": _lustre,
}
