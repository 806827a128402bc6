"""Rules on machine types: accelerators, boot disk, image, region and maintenance."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.catalog import limits, machines, offerings, regions
from penstock.core.wording import did_you_mean, listed
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.model import places
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.gcp.rules import nodes
from penstock.gcp.rules.nodes import SINGLE, STARTERS, Starter
from penstock.gcp.types import COMPUTE_INSTANCE, COMPUTE_RESERVATION
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_HALVES = ("g4-standard-6", "g4-standard-12", "g4-standard-24")
"""Machines with a part of a GPU, which the catalogue cannot count (Compute Engine documentation, GPU machine types)."""
_FORM = re.compile(r"(custom|[a-z]+\d+[a-z]*)-[-a-z0-9]+")
"""A family and what there is of it; `custom` alone is N1 (Compute Engine documentation, machine types)."""
_ATTACHES = "n1"
"""The only family that GPUs are attached to (Compute Engine documentation, GPU machine types)."""


@RULES.rule(
    on=STARTERS,
    severity=HIGH,
    rationale="Compute Engine rejects a machine type that it does not have.",
    fix="Set machineType to an existing machine type, such as a3-ultragpu-8g.",
    sources=("Compute Engine documentation, accelerator-optimized machines",),
)
def gcp_machine_type_known(view: View) -> Verdict:
    """A machine type has the form family-kind-size, and in an accelerator family is one that Google offers."""
    known = [machine.machine_type for machine in machines.machine_types(GcpMachine) if machine.accelerators]

    def check(starter: Starter) -> Verdict:
        name = starter.name
        if name is not None and _FORM.fullmatch(name) is None:
            message = f"{name!r} is not a valid name of a machine type"
            hint = did_you_mean(name, known) or "Write a family, a kind and a size, such as a3-ultragpu-8g."
            return fail(message, hint=hint, path=starter.block.at("machineType"))
        kin = [other for other in known if other.partition("-")[0] == (name or "").partition("-")[0]]
        if name is None or not kin or name in _HALVES:
            return NOT_APPLICABLE
        hint = did_you_mean(name, kin) or f"Use one of {listed(kin)}."
        message = f"{name!r} is not a machine type of Google Cloud"
        return allow(name in known, message, hint=hint, path=starter.block.at("machineType"))

    return each(nodes.starters(view), check)


@RULES.rule(
    on=STARTERS,
    severity=HIGH,
    rationale=(
        "GPUs are attached freely to N1 machines only; all other machine types come with a fixed set of accelerators, "
        "and the API rejects another one."
    ),
    fix=(
        "Set type and count of guestAccelerators to those of the machine type, or leave guestAccelerators out where "
        "the machine type takes no GPUs."
    ),
    sources=(
        "Compute Engine documentation, accelerator-optimized machines",
        "cluster-toolkit 1.95, modules/internal/gpu-definition",
    ),
)
def gcp_gpu_guest_accelerators(view: View) -> Verdict:
    """Guest accelerators have the type and the count that the machine type comes with."""

    def check(machine: GcpMachine, block: Block, accelerator: Block) -> Verdict:
        type_, count = _keys(view)
        if machine.accelerator_kind != "gpu":
            what = "brings its TPUs by itself" if machine.accelerators else f"takes no GPUs; only {_ATTACHES} does"
            message = f"{machine.machine_type} {what}, and guestAccelerators is set"
            return fail(message, hint="Leave the guest accelerators out.", path=block.at("guestAccelerators"))
        kind, number = (accelerator.text(type_) or "").rpartition("/")[2], accelerator.integer(count)
        right = f"{machine.accelerators} of {machine.label}"
        return together(
            [
                allow(
                    kind == machine.label,
                    f"{machine.machine_type} has {right}, and no {kind}",
                    hint=f"Set it to {machine.label}.",
                    path=accelerator.at(type_),
                ),
                allow(
                    number == machine.accelerators,
                    f"{machine.machine_type} has {right}, and {number} are set",
                    hint=f"Set it to {machine.accelerators}, or take another machine type.",
                    path=accelerator.at(count),
                ),
            ]
        )

    return nodes.on_machines(
        view,
        lambda machine, block: each(block.blocks("guestAccelerators"), lambda item: check(machine, block, item)),
    )


@RULES.rule(
    on=(*POOLS, *SINGLE),
    severity=HIGH,
    rationale="Compute Engine does not start the machine from another disk type.",
    fix=(
        "Set diskType (or type in initializeParams) of the boot disk to one that the machine type supports, such as "
        "hyperdisk-balanced for the newest families."
    ),
    sources=("source of GKE's cluster autoscaler, machine families",),
)
def gcp_machine_boot_disk_type(view: View) -> Verdict:
    """The boot disk has a type that the machine type starts from, for the newest families Hyperdisk only."""

    def check(machine: GcpMachine, block: Block) -> Verdict:
        if not machine.boot_disks or "boot_disks" in machine.unverified:
            return NOT_APPLICABLE
        return each(_boot_disks(view, block), lambda disk: _starts_from(machine, *disk))

    return nodes.on_machines(view, check)


@RULES.rule(
    on=SINGLE,
    severity=HIGH,
    rationale="An image for the other processor architecture does not start on the machine.",
    fix="Use an image for the machine's architecture: arm64 for A4X, x86_64 for the other machines.",
    sources=("Compute Engine documentation, accelerator-optimized machines",),
)
def gcp_machine_image_architecture(view: View) -> Verdict:
    """The boot image is for the processor of the machine: Arm for A4X, x86 for other accelerator machines."""

    def check(machine: GcpMachine, _: Block) -> Verdict:
        wrong = ("arm64", "aarch64") if machine.architecture == "x86_64" else ("amd64", "x86-64", "x86_64")
        right = "arm64" if machine.architecture == "arm64" else "x86_64"

        def fits(image: str, path: str) -> Verdict:
            name = image.rpartition("/")[2].lower()
            message = f"the image {name!r} does not start {machine.machine_type}, whose processor is {right}"
            hint = f"Use an image for {right}."
            return allow(not any(word in name for word in wrong), message, hint=hint, path=path)

        return together(fits(image, path) for image, path in _images(view))

    return nodes.on_machines(view, check)


@RULES.rule(
    on=STARTERS,
    severity=HIGH,
    rationale="Compute Engine creates no machines of that type in the region.",
    fix="Move to a region that offers the machine type, or set machineType to another one.",
    joins=True,
    sources=("machine types by region of the Compute Engine API (catalogue, gcp_offerings)",),
)
def gcp_machine_type_region(view: View) -> Verdict:
    """The machine type is offered in the region where it is used."""

    def check(starter: Starter, region: str) -> Verdict:
        machine, sold = starter.machine, offerings.offered(region, "gcp")
        if machine is None or sold is None:
            return NOT_APPLICABLE
        name = machine.machine_type
        elsewhere = [
            each_.name for each_ in regions.all_regions("gcp") if name in (offerings.offered(each_.name, "gcp") or ())
        ]
        hint = f"It is sold in {listed(elsewhere)}." if elsewhere else "Take another machine type."
        path = starter.block.at("machineType")
        return allow(name in sold, f"{name} is not sold in {region}", hint=hint, path=path)

    verdicts = [
        check(starter, region)
        for starter in nodes.starters(view)
        if starter.machine is not None
        for region in _regions(view)
    ]
    return together(verdicts)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="Without gVNIC the nodes may fall back to a slower interface and miss the bandwidth of the machine.",
    fix="Set nodeConfig.gvnic.enabled to true.",
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool",
        "Compute Engine documentation, accelerator-optimized machines",
        "GKE documentation, increase network traffic speed for GPU nodes: gVNIC is for GPU nodes",
    ),
)
def gcp_gke_gpu_gvnic(pool: GkePool) -> Verdict:
    """Nodes with GPUs and high network bandwidth use gVNIC, where no other interface comes with the machine type."""
    from_gbps = limits.find_limit("gvnic_gbps_least", "gcp").most
    machine, config = pool.machine, pool.config
    if machine is None or config is None or machine.accelerator_kind != "gpu":
        return NOT_APPLICABLE
    if pool.fabric is not None and pool.fabric.zonal:  # RDMA: A3 Ultra and later start with no other interface
        return NOT_APPLICABLE
    if machine.network_gbps is not None and machine.network_gbps < from_gbps:
        return NOT_APPLICABLE
    message = f"nodes of {machine.machine_type} have gVNIC off, and may fall back to a slower interface"
    return allow(nodes.enabled(config, "gvnic"), message, hint="Set enabled to true.", path=config.at("gvnic"))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale=(
        "Bare-metal machines have no virtual TPM, and Google's own blueprint turns shielded nodes off; no primary "
        "source confirms that GKE requires this."
    ),
    fix="Set enableShieldedNodes of the cluster to false.",
    joins=True,
    sources=("[?] inferred: cluster-toolkit 1.95, examples/gke-a4x-max-bm, turns them off",),
)
def gcp_gke_metal_shielded(pool: GkePool) -> Verdict:
    """A cluster with bare-metal nodes, such as A4X Max, has shielded nodes off."""
    machine = pool.machine
    if machine is None or not machine.machine_type.endswith("-metal"):
        return NOT_APPLICABLE
    cluster = pool.cluster
    message = f"{machine.machine_type} is bare metal, and its cluster has shielded nodes on"
    hint, path = "Set enableShieldedNodes to false.", "enableShieldedNodes"
    return nodes.allow_at(cluster, cluster.flag(path) is False, message, hint=hint, path=path)


@RULES.rule(
    on=(*POOLS, *SINGLE),
    severity=MEDIUM,
    rationale="With one thread per core the machine loses half of the vCPUs that are paid for.",
    fix="Leave threadsPerCore out of advancedMachineFeatures, or set it to 2.",
    sources=(
        (
            "cluster-toolkit 1.95, modules/compute/gke-node-pool, threads_per_core_calc.tf, which does so to G2 and "
            "G4 by accident"
        ),
    ),
)
def gcp_gpu_threads_per_core(view: View) -> Verdict:
    """Machines with GPUs keep two threads per core."""

    def check(machine: GcpMachine, block: Block) -> Verdict:
        features = block.block("advancedMachineFeatures")
        threads = features.integer("threadsPerCore") if features is not None else None
        if machine.accelerator_kind != "gpu" or features is None or threads is None:
            return NOT_APPLICABLE
        message = f"one thread to a core leaves {machine.vcpu // 2} of the {machine.vcpu} vCPUs"
        message = f"{message} of {machine.machine_type}"
        hint = "Leave threadsPerCore out, or set it to 2."
        return allow(threads != 1, message, hint=hint, path=features.at("threadsPerCore"))

    return nodes.on_machines(view, check)


@RULES.rule(
    on=SINGLE,
    severity=HIGH,
    rationale=(
        "Machines with accelerators cannot migrate while they run, and Compute Engine rejects MIGRATE, the default, "
        "for them."
    ),
    fix="Set scheduling.onHostMaintenance to TERMINATE.",
    sources=("Compute Engine documentation, handling GPU host maintenance events",),
)
def gcp_machine_host_maintenance(view: View) -> Verdict:
    """Machines with accelerators terminate when their host is maintained."""

    def check(machine: GcpMachine, block: Block) -> Verdict:
        if not machine.accelerators:
            return NOT_APPLICABLE
        scheduling = block.block("scheduling")
        action = scheduling.text("onHostMaintenance") if scheduling is not None else None
        if (
            action is None
            and scheduling is not None
            and ("provisioningModel" in scheduling or "preemptible" in scheduling)
        ):
            return NOT_APPLICABLE  # what is sold for a time never migrates
        message = f"{machine.machine_type} cannot migrate while it runs, and onHostMaintenance is not TERMINATE"
        path = "scheduling.onHostMaintenance"
        return allow(action == "TERMINATE", message, hint="Set onHostMaintenance to TERMINATE.", path=path)

    return nodes.on_machines(view, check)


def _keys(view: View) -> tuple[str, str]:
    """How a resource spells the type of an accelerator, and the number."""
    return ("acceleratorType", "acceleratorCount") if view.type == COMPUTE_RESERVATION else ("type", "count")


def _boot_disks(view: View, block: Block) -> Iterator[tuple[str, str]]:
    """The type of the boot disk where one is named, with its path."""
    if view.type in POOLS:
        for holder in (block, block.block("bootDisk")):
            if holder is not None and "diskType" in holder:
                yield holder.text("diskType") or "", holder.at("diskType")
    elif view.type == COMPUTE_INSTANCE:
        disk = block.block("bootDisk")
        made = disk.block("initializeParams") if disk is not None else None
        if made is not None and "type" in made:
            yield made.text("type") or "", made.at("type")
    else:
        for disk in block.blocks("disks"):
            if disk.flag("boot") and "diskType" in disk:
                yield disk.text("diskType") or "", disk.at("diskType")


def _starts_from(machine: GcpMachine, disk: str, path: str) -> Verdict:
    kind = disk.rpartition("/")[2]
    message = f"{machine.machine_type} does not start from {kind}"
    return allow(kind in machine.boot_disks, message, hint=f"Use {' or '.join(machine.boot_disks)}.", path=path)


def _images(view: View) -> Iterator[tuple[str, str]]:
    """The images of a machine's disks, each with its path."""
    if view.type == COMPUTE_INSTANCE:
        disk = view.block("bootDisk")
        made = disk.block("initializeParams") if disk is not None else None
        if made is not None and "image" in made:
            yield made.text("image") or "", made.at("image")
        return
    for disk in view.blocks("disks"):
        if "sourceImage" in disk:
            yield disk.text("sourceImage") or "", disk.at("sourceImage")


def _regions(view: View) -> set[str]:
    """The regions that a resource starts machines in, of those that the catalogue knows."""
    if view.type in POOLS:
        found = {places.region_of(pool.place()) for pool in gke_pools(view)}
    else:
        found = {places.region_of(places.place(view))}
    return {region for region in found if region is not None and places.exists(region)}
