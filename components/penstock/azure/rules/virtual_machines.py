"""Rules on single machines and scale sets: their placement, their disks, and their network interfaces."""

from __future__ import annotations

from typing import Final

from penstock.azure.facts.size_names import read_size
from penstock.azure.facts.sizes import has_accelerated_networking
from penstock.azure.types import (
    COMPUTE_CAPACITY_RESERVATION,
    COMPUTE_CAPACITY_RESERVATION_GROUP,
    COMPUTE_DISK,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    NETWORK_INTERFACE,
)
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.rules.checks import Absent, All, Either, Given, Is, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


_UNCACHED: Final = ("PremiumV2_LRS", "UltraSSD_LRS")
RULES.row(
    "az-vm-set-or-zone",
    "A machine of an availability set is in no zone.",
    on=COMPUTE_VIRTUAL_MACHINE,
    check=Where(Given("availabilitySet.id"), Absent("zones")),
    severity=HIGH,
    rationale="Azure spreads machines over the hardware of one place or over zones, and rejects both together.",
    fix="Leave availabilitySet out, and keep zones.",
    sources=("Azure virtual machines documentation, availability sets",),
)
RULES.row(
    "az-vm-spot-alone",
    "A spot machine is of no availability set and has no reserved capacity.",
    on=COMPUTE_VIRTUAL_MACHINE,
    check=Where(Is("priority", "Spot"), All(Absent("availabilitySet.id"), Absent("capacityReservation"))),
    severity=HIGH,
    rationale="Azure rejects spot machines there.",
    fix="Leave the property out, or priority.",
    sources=("Azure virtual machines documentation, spot virtual machines",),
)
RULES.row(
    "az-vm-eviction-of-spot",
    "Only spot machines have a policy of eviction or a highest price.",
    on=COMPUTE_VIRTUAL_MACHINE,
    check=Where(Either(Given("evictionPolicy"), Given("billingProfile.maxPrice")), Is("priority", "Spot")),
    severity=HIGH,
    rationale="Azure rejects them on other machines.",
    fix="Set priority to Spot, or leave evictionPolicy and billingProfile out.",
    sources=("Azure virtual machines documentation, spot virtual machines",),
)
RULES.row(
    "az-vm-local-disk-cache",
    "The cache of a local system disk reads only.",
    on=COMPUTE_VIRTUAL_MACHINE,
    check=Where(
        Is("storageProfile.osDisk.diffDiskSettings.option", "Local"), Is("storageProfile.osDisk.caching", "ReadOnly")
    ),
    severity=HIGH,
    rationale="Azure rejects an ephemeral disk with another cache.",
    fix="Set storageProfile.osDisk.caching to ReadOnly.",
    sources=("Azure virtual machines documentation, ephemeral OS disks",),
)


@RULES.rule(
    on=COMPUTE_VIRTUAL_MACHINE,
    severity=HIGH,
    rationale="Azure attaches ultra disks to machines that were created for them, and rejects the others.",
    fix="Set additionalCapabilities.ultraSSDEnabled to true.",
    joins=True,
    sources=("Azure managed disks documentation, ultra disks",),
)
def az_vm_ultra_enabled(machine: View) -> Verdict:
    """A machine with ultra disks has them enabled."""
    kinds = [_kind_and_size(disk)[0] for disk in machine.blocks_at("storageProfile.dataDisks[]")]
    if "UltraSSD_LRS" not in kinds:
        return NOT_APPLICABLE
    able = machine.block("additionalCapabilities")
    enabled = able is not None and able.flag("ultraSSDEnabled")
    path = "additionalCapabilities.ultraSSDEnabled"
    return allow(enabled, "the machine was not created for ultra disks", hint="Use true.", path=path)


@RULES.rule(
    on=COMPUTE_VIRTUAL_MACHINE,
    severity=HIGH,
    rationale="Azure attaches disks of the machine's own zone only, and disks without a zone to machines without one.",
    fix="Set zones of the disk to those of the machine, or its sku.name to one that ends in ZRS.",
    joins=True,
    sources=("Azure virtual machines documentation, availability zones",),
)
def az_vm_disk_zone(machine: View) -> Verdict:
    """Disks that a machine attaches are in its zone, or are kept in all of them."""
    own = machine.texts("zones")

    def check(disk: Block) -> Verdict:
        managed = disk.block("managedDisk")
        attached = managed.one("id", COMPUTE_DISK) if managed is not None else None
        sku = attached.block("sku") if attached is not None else None
        if managed is None or attached is None or (sku is not None and (sku.text("name") or "").endswith("_ZRS")):
            return NOT_APPLICABLE
        zones = attached.texts("zones")
        there = f"in zone {zones[0]}" if zones else "in no zone"
        here = f"in zone {own[0]}" if own else "in none"
        message = f"{attached.name} is {there}, and the machine {here}"
        return allow(zones == own, message, hint="Use one zone for both.", path=managed.at("id"))

    return each(machine.blocks_at("storageProfile.dataDisks[]"), check)


@RULES.rule(
    on=COMPUTE_VIRTUAL_MACHINE,
    severity=HIGH,
    rationale="A group of reservations holds machines of its own sizes, and Azure rejects the others.",
    fix="Set hardwareProfile.vmSize to a size that a reservation of the group has.",
    joins=True,
    sources=("Azure virtual machines documentation, on-demand capacity reservation",),
)
def az_vm_reserved_size(machine: View) -> Verdict:
    """A machine of a group of reservations has the size of one of them."""
    links = machine.blocks_at("capacityReservation.capacityReservationGroup")
    group = links[0].one("id", COMPUTE_CAPACITY_RESERVATION_GROUP) if links else None
    profile = machine.block("hardwareProfile")
    size = profile.text("vmSize") if profile is not None else None
    if group is None or profile is None or size is None:
        return NOT_APPLICABLE
    skus = [held.block("sku") for held in group.referrers(COMPUTE_CAPACITY_RESERVATION, "capacityReservationGroupName")]
    sizes = sorted({name for sku in skus if sku is not None and (name := sku.text("name")) is not None})
    if not sizes:
        return NOT_APPLICABLE
    right = size.casefold() in {name.casefold() for name in sizes}
    message = f"{group.name} holds no {size}"
    return allow(right, message, hint=f"Use {' or '.join(sizes)}.", path=profile.at("vmSize"))


@RULES.rule(
    on=COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    severity=HIGH,
    rationale="InfiniBand reaches the machines of one placement group only; beyond it, jobs fall back to TCP or fail.",
    fix="Set singlePlacementGroup to true.",
    sources=("Azure virtual machines documentation, set up InfiniBand",),
)
def az_ib_placement_group(scale_set: View) -> Verdict:
    """A scale set of machines on InfiniBand is one placement group."""
    if not _has_rdma(scale_set):
        return NOT_APPLICABLE
    single = scale_set.flag("singlePlacementGroup")
    message = "machines of several placement groups have no InfiniBand between them"
    return allow(single is not False, message, hint="Use true.", path="singlePlacementGroup")


@RULES.rule(
    on=COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    severity=HIGH,
    rationale="A placement group holds 100 machines, or 300 on InfiniBand where Azure's support has raised the limit.",
    fix="Set sku.capacity to what a placement group holds, or singlePlacementGroup to false without InfiniBand.",
    sources=(
        "Azure virtual machines documentation, set up InfiniBand",
        "Azure virtual machine scale sets documentation, placement groups",
    ),
)
def az_scale_set_group_size(scale_set: View) -> Verdict:
    """A scale set of one placement group has no more machines than the group holds."""
    on_request = "_on_request" if _has_rdma(scale_set) else ""
    return _fits(scale_set, limits.find_limit(f"machines_of_a_placement_group{on_request}", "azure").most)


@RULES.rule(
    on=COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    severity=MEDIUM,
    rationale="Azure puts 100 machines into a placement group, and up to 300 where its support raised the limit.",
    fix="Set sku.capacity to 100 or less, or ask Azure's support to raise the limit first and waive this rule.",
    sources=("Azure virtual machines documentation, set up InfiniBand",),
)
def az_ib_group_request(scale_set: View) -> Verdict:
    """A scale set on InfiniBand has at most 100 machines, which a placement group holds without a request."""
    if not _has_rdma(scale_set):
        return NOT_APPLICABLE
    return _fits(scale_set, limits.find_limit("machines_of_a_placement_group", "azure").most)


@RULES.rule(
    on=(COMPUTE_VIRTUAL_MACHINE, COMPUTE_VIRTUAL_MACHINE_SCALE_SET),
    severity=HIGH,
    rationale="Azure caches no disk of Premium SSD v2 or Ultra, and none of 4 TiB or more, and rejects the machine.",
    fix="Set caching of the data disk to None.",
    joins=True,
    sources=("Azure managed disks documentation, premium storage performance",),
)
def az_disk_caching(view: View) -> Verdict:
    """Data disks that Azure does not cache have caching None."""
    most = limits.find_limit("cached_disk_gib", "azure").most

    def check(disk: Block) -> Verdict:
        if (disk.text("caching") or "None").casefold() == "none":
            return NOT_APPLICABLE
        kind, size = _kind_and_size(disk)
        path, hint = disk.at("caching"), "Use None."
        if kind in _UNCACHED:
            return allow(False, f"disks of {kind} are not cached", hint=hint, path=path)
        return allow(size is None or size <= most, f"a disk of {size} GiB is not cached", hint=hint, path=path)

    prefix = "" if view.type == COMPUTE_VIRTUAL_MACHINE else "virtualMachineProfile."
    return each(view.blocks_at(f"{prefix}storageProfile.dataDisks[]"), check)


@RULES.rule(
    on=NETWORK_INTERFACE,
    severity=HIGH,
    rationale="Azure rejects the machine with VMSizeIsNotPermittedToEnableAcceleratedNetworking.",
    fix="Set enableAcceleratedNetworking to false, or vmSize of the machine to a size that has it.",
    joins=True,
    sources=("Azure virtual machine sizes documentation, Av2 and Bv1 series",),
)
def az_nic_accelerated(interface: View) -> Verdict:
    """A network interface is accelerated where the size of its machine has that."""
    if not interface.flag("enableAcceleratedNetworking"):
        return NOT_APPLICABLE

    def check(machine: View) -> Verdict:
        profile = machine.block("hardwareProfile")
        size = profile.text("vmSize") if profile is not None else None
        message = f"{machine.name} is a {size}, which has no accelerated networking"
        right = size is None or has_accelerated_networking(size)
        return allow(right, message, hint="Use false.", path="enableAcceleratedNetworking")

    return each(interface.referrers(COMPUTE_VIRTUAL_MACHINE, "networkProfile.networkInterfaces[].id"), check)


def _fits(scale_set: View, most: int) -> Verdict:
    sku = scale_set.block("sku")
    count = sku.integer("capacity") if sku is not None else None
    if sku is None or count is None or not scale_set.flag("singlePlacementGroup"):
        return NOT_APPLICABLE
    message = f"the scale set has {count} machines in one placement group"
    return allow(count <= most, message, hint=f"Use {most} at most.", path=sku.at("capacity"))


def _has_rdma(scale_set: View) -> bool:
    sku = scale_set.block("sku")
    size = read_size(sku.text("name") or "") if sku is not None else None
    return size is not None and size.rdma


def _kind_and_size(disk: Block) -> tuple[str | None, int | None]:
    """The kind of storage of a data disk and its size in GiB: its own, or those of the disk that it attaches."""
    managed = disk.block("managedDisk")
    attached = managed.one("id", COMPUTE_DISK) if managed is not None else None
    if attached is None:
        return managed.text("storageAccountType") if managed is not None else None, disk.integer("diskSizeGB")
    sku = attached.block("sku")
    return sku.text("name") if sku is not None else None, attached.integer("diskSizeGB")
