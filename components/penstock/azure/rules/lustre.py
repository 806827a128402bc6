"""Rules on Azure Managed Lustre: capacities, zones, maintenance and the containers that it imports from."""

from __future__ import annotations

from typing import Final

from penstock.azure.facts.lustre import LustreRule, longest_prefix, rules, steps_of
from penstock.azure.rules.ranges import ranges_of_subnet
from penstock.azure.rules.security_groups import denies
from penstock.azure.types import (
    NETWORK_SECURITY_GROUP,
    NETWORK_SUBNET,
    STORAGE_ACCOUNT,
    STORAGE_BLOB_CONTAINER,
    STORAGECACHE_AML_FILESYSTEM,
)
from penstock.core.errors import UnknownFact
from penstock.core.quantities import lustre_gib
from penstock.core.wording import listed
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.checks import Each, Matches
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SSH: Final = 22


@RULES.rule(
    on=STORAGECACHE_AML_FILESYSTEM,
    severity=MEDIUM,
    rationale="Azure rounds up to the next step of the SKU, and bills that.",
    fix="Set storageCapacityTiB to a multiple of the SKU's step: 48, 16, 8 or 4 TiB at 40, 125, 250 or 500 MB/s.",
    sources=("Azure Managed Lustre documentation, create a file system",),
)
def az_lustre_step(system: View) -> Verdict:
    """The capacity of a file system is a multiple of the step of its SKU."""
    sku, capacity = system.block("sku"), system.number("storageCapacityTiB")
    name = sku.text("name") if sku is not None else None
    if name is None or capacity is None:
        return NOT_APPLICABLE
    try:
        steps = steps_of(name)
    except UnknownFact as unknown:
        return fail(str(unknown), hint="Use AMLFS-Durable-Premium-250.", path="sku.name")
    nearest = steps.nearest(lustre_gib(capacity)) // lustre_gib(1)
    message = f"{name} is not sold with {capacity:g} TiB"
    return allow(steps.allow(lustre_gib(capacity)), message, hint=f"Use {nearest}.", path="storageCapacityTiB")


@RULES.rule(
    on=STORAGECACHE_AML_FILESYSTEM,
    severity=HIGH,
    rationale="The API takes exactly one zone.",
    fix="Set zones to one zone.",
    sources=("Pulumi Azure Native, storagecache.AmlFilesystem: zones",),
)
def az_lustre_one_zone(system: View) -> Verdict:
    """A file system is in one zone."""
    if "zones" not in system:
        return NOT_APPLICABLE
    count = system.count("zones")
    return allow(count == 1, f"zones has {count} entries", hint="Name the zone of the nodes.", path="zones")


RULES.row(
    "az-lustre-maintenance-time",
    "The maintenance window of a file system begins at a time of the day, written HH:MM.",
    on=STORAGECACHE_AML_FILESYSTEM,
    check=Each("maintenanceWindow", Matches("timeOfDayUTC", r"([01]\d|2[0-3]):[0-5]\d")),
    severity=HIGH,
    rationale="The API rejects other texts.",
    fix="Set maintenanceWindow.timeOfDayUTC to a time such as 22:00.",
    sources=("Azure Managed Lustre documentation, create a file system",),
)


@RULES.rule(
    on=STORAGECACHE_AML_FILESYSTEM,
    severity=HIGH,
    rationale="Azure creates no file system that logs into the container whose files it imports.",
    fix="Set hsm.settings.container and hsm.settings.loggingContainer to two containers of one storage account.",
    sources=("Azure Managed Lustre documentation, prerequisites",),
)
def az_lustre_hsm_containers(system: View) -> Verdict:
    """A file system logs its imports into another container than that of the data, in the same account."""
    hsm = system.block("hsm")
    settings = hsm.block("settings") if hsm is not None else None
    if settings is None:
        return NOT_APPLICABLE
    data, logs = (settings.text(key) for key in ("container", "loggingContainer"))
    if data is None or logs is None:
        return NOT_APPLICABLE
    path = settings.at("loggingContainer")
    if data.casefold() == logs.casefold():
        return fail("data and logs have one container", hint="Use another container of the account.", path=path)
    homes = [text.casefold().partition("/blobservices/") for text in (data, logs)]
    accounts = {account for account, found, _ in homes if found}
    message = "the containers of data and logs are in different accounts"
    return allow(len(accounts) <= 1, message, hint="Use another container of the account of the data.", path=path)


@RULES.rule(
    on=STORAGECACHE_AML_FILESYSTEM,
    severity=MEDIUM,
    rationale="Azure creates no file system in a subnet without an address for each of its servers.",
    fix="Set addressPrefix of the subnet to a larger range, or storageCapacityTiB to less.",
    joins=True,
    sources=("Azure Managed Lustre documentation, prerequisites",),
)
def az_lustre_subnet_size(system: View) -> Verdict:
    """The subnet of a file system is as large as Microsoft's table says for its capacity."""
    capacity = system.number("storageCapacityTiB")
    longest = longest_prefix(lustre_gib(capacity)) if capacity is not None else None
    subnet = system.one("filesystemSubnet", NETWORK_SUBNET) if longest is not None else None
    if capacity is None or longest is None or subnet is None:
        return NOT_APPLICABLE
    path = "filesystemSubnet"
    return each(
        ranges_of_subnet(subnet),
        lambda own: allow(
            own.cidr.prefixlen <= longest,
            f"{own.cidr} is too small for {capacity:g} TiB",
            hint=f"Use a subnet of /{longest} or larger.",
            path=path,
        ),
    )


@RULES.rule(
    on=STORAGECACHE_AML_FILESYSTEM,
    severity=HIGH,
    rationale=(
        "A security group that denies what servers of the file system say to each other keeps it from being created, "
        "and one that denies the ports of Lustre keeps clients from mounting it."
    ),
    fix=(
        "Put a rule before the one that denies: TCP 988 and 1019-1023 within VirtualNetwork, and everything within the "
        "subnet itself, inbound and outbound."
    ),
    joins=True,
    sources=("Azure Managed Lustre documentation, configure a network security group",),
)
def az_lustre_ports(system: View) -> Verdict:
    """No rule of a security group denies the ports of Lustre in the subnet of a file system."""
    subnet = system.one("filesystemSubnet", NETWORK_SUBNET)
    place = subnet.block("networkSecurityGroup") if subnet is not None else None
    group = place.one("id", NETWORK_SECURITY_GROUP) if place is not None else None
    if group is None:
        return NOT_APPLICABLE
    within = [rule for rule in rules() if rule.source_address == rule.destination_address]

    def check(at: tuple[LustreRule, int]) -> Verdict:
        rule, port = at
        denied = denies(group, rule.direction, port)
        message = f"{group.name!r} denies port {port} {rule.direction.casefold()}"
        hint = f"Allow {listed(rule.ports)} within {rule.source_address.strip('{}')} first."
        return allow(not denied, message, hint=hint, path="filesystemSubnet")

    return each([(rule, port) for rule in within for port in _ports(rule)], check)


def _ports(rule: LustreRule) -> tuple[int, ...]:
    """The first port of each range that a rule opens; for all, that of SSH, by which the file system is created."""
    return tuple(_SSH if ports == "*" else int(ports.partition("-")[0]) for ports in rule.ports)


@RULES.rule(
    on=STORAGECACHE_AML_FILESYSTEM,
    severity=HIGH,
    rationale="Managed Lustre reaches the containers with the keys of their account, and is not created without.",
    fix="Set allowSharedKeyAccess of the storage account to true, or leave it out.",
    joins=True,
    sources=("Azure Managed Lustre documentation, prerequisites",),
)
def az_lustre_hsm_shared_key(system: View) -> Verdict:
    """The storage account that a file system imports from allows access by its keys."""
    hsm = system.block("hsm")
    settings = hsm.block("settings") if hsm is not None else None
    container = settings.one("container", STORAGE_BLOB_CONTAINER) if settings is not None else None
    account = container.one("accountName", STORAGE_ACCOUNT) if container is not None else None
    if settings is None or account is None:
        return NOT_APPLICABLE
    message = f"{account.name} allows no access by its keys"
    hint = "Set allowSharedKeyAccess of the account to true."
    return allow(account.flag("allowSharedKeyAccess") is not False, message, hint=hint, path=settings.at("container"))
