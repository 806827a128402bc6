"""Managed Lustre: capacities and throughputs that Google sells, and locations."""

from __future__ import annotations

import re

from penstock.catalog import limits
from penstock.core.wording import listed
from penstock.gcp.facts import lustre as gcp_lustre
from penstock.gcp.model import places
from penstock.gcp.model.gke import program_gke_pools
from penstock.gcp.types import COMPUTE_NETWORK, CONTAINER_CLUSTER, LUSTRE_INSTANCE
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, fail
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_NETWORK = re.compile(r"projects/[^/]+/global/networks/[^/]+")


@RULES.rule(
    on=LUSTRE_INSTANCE,
    severity=HIGH,
    rationale=(
        "Managed Lustre rejects other values, and any value in the dynamic tier, which sets its throughput itself."
    ),
    fix="Set perUnitStorageThroughput to that of a tier, such as 1000, or leave it out with dynamicTierOptions.",
    sources=("Managed Lustre documentation, performance tiers (catalogue, gcp_lustre)",),
)
def gcp_lustre_throughput(filesystem: View) -> Verdict:
    """A Lustre file system has the throughput of a performance tier, and none in the dynamic tier."""
    throughput = filesystem.integer("perUnitStorageThroughput") or 0
    sold = [tier for tier in gcp_lustre.tiers() if not gcp_lustre.steps(tier).dynamic]
    path, hint = "perUnitStorageThroughput", f"Use one of {listed(sold)}."
    if _is_dynamic(filesystem):
        message = f"the dynamic tier sets its throughput itself, and {throughput} is set"
        return allow(not throughput, message, hint="Leave perUnitStorageThroughput out.", path=path)
    if not throughput:
        hint += " Or ask for the dynamic tier in dynamicTierOptions."
        return fail("perUnitStorageThroughput is not set", hint=hint, path=path)
    return allow(throughput in sold, f"no tier has {throughput} MB/s for each TiB", hint=hint, path=path)


@RULES.rule(
    on=LUSTRE_INSTANCE,
    severity=HIGH,
    rationale="Managed Lustre rejects other capacities.",
    fix="Set capacityGib to a multiple of the tier's step, between its minimum and its maximum.",
    sources=("Managed Lustre documentation, performance tiers (catalogue, gcp_lustre)",),
)
def gcp_lustre_capacity_step(filesystem: View) -> Verdict:
    """The capacity of a Lustre file system is a step of its performance tier."""
    dynamic = _is_dynamic(filesystem)
    throughput = filesystem.integer("perUnitStorageThroughput") or 0
    fitting = [tier for tier in gcp_lustre.tiers() if gcp_lustre.steps(tier).dynamic == dynamic]
    capacity = filesystem.integer("capacityGib")
    if capacity is None or (not dynamic and throughput not in fitting):
        return NOT_APPLICABLE
    steps = gcp_lustre.steps(fitting[0] if dynamic else throughput)
    tier = "in the dynamic tier" if dynamic else f"at {throughput} MB/s for each TiB"
    hint = f"Use {steps.nearest(capacity)}."
    return allow(steps.allow(capacity), f"{capacity} GiB are not sold {tier}", hint=hint, path="capacityGib")


@RULES.rule(
    on=LUSTRE_INSTANCE,
    severity=HIGH,
    rationale="Managed Lustre rejects other names.",
    fix="Set filesystem to 1 to 8 letters and digits, such as scratch.",
    sources=("Pulumi Google Cloud 10.2, lustre.Instance, filesystem",),
)
def gcp_lustre_filesystem_name(filesystem: View) -> Verdict:
    """The name by which clients mount a Lustre file system has at most eight letters and digits."""
    name = filesystem.text("filesystem")
    if name is None:
        return NOT_APPLICABLE
    most = limits.find_limit("lustre_filesystem_characters", "gcp").most
    good = name.isascii() and name.isalnum() and len(name) <= most
    hint = f"Use 1 to {most} letters and digits, such as scratch."
    return allow(good, f"{name!r} is not a valid file system name", hint=hint, path="filesystem")


@RULES.rule(
    on=LUSTRE_INSTANCE,
    severity=HIGH,
    rationale="The API takes only the form projects/PROJECT/global/networks/NAME.",
    fix="Set network to the network's output id.",
    sources=("Pulumi Google Cloud 10.2, lustre.Instance, network: projects/PROJECT/global/networks/NAME",),
)
def gcp_lustre_network_path(filesystem: View) -> Verdict:
    """The network of a Lustre file system is named by its full path, and neither by its name nor by its link."""
    network = filesystem.text("network")
    if network is None:
        return NOT_APPLICABLE
    found = filesystem.site.named(COMPUTE_NETWORK, network)
    good = _NETWORK.fullmatch(network) or (found is not None and network == found.resource.id)
    hint = "Use the network's id: projects/PROJECT/global/networks/NAME."
    return allow(good, f"{network!r} is not a full path of a network", hint=hint, path="network")


@RULES.rule(
    on=LUSTRE_INSTANCE,
    severity=HIGH,
    rationale="Managed Lustre instances are zonal, and the API finds no other location.",
    fix="Set location to the zone of the node pools that mount the file system, such as us-central1-b.",
    sources=("Managed Lustre documentation: instances are zonal",),
)
def gcp_lustre_zone(filesystem: View) -> Verdict:
    """A Lustre file system is in a zone of an existing region."""
    zone = filesystem.text("location")
    if zone is None:
        return NOT_APPLICABLE
    if not places.is_zone(zone):
        hint = "Name the zone of the pools that mount it, such as us-central1-b."
        return fail(f"{zone!r} is not a zone", hint=hint, path="location")
    message = f"{zone} is not a zone of Google Cloud"
    return allow(places.exists(zone), message, hint="Take a zone of the clients' region.", path="location")


@RULES.rule(
    on=LUSTRE_INSTANCE,
    severity=MEDIUM,
    rationale="From another zone reads are slower, and every byte is paid for.",
    fix="Set location to the zone of the node pools with accelerators.",
    joins=True,
    sources=("Managed Lustre documentation: create it close to clients",),
)
def gcp_lustre_accelerator_zone(filesystem: View) -> Verdict:
    """A Lustre file system is in the zone of the nodes with accelerators in its network."""
    zone = filesystem.text("location")
    network = filesystem.one("network", COMPUTE_NETWORK)
    if network is None or zone is None or not places.is_zone(zone):
        return NOT_APPLICABLE
    used: dict[str, None] = {}
    for pool in program_gke_pools(filesystem.site):
        if pool.machine is None or pool.machine.accelerator is None:
            continue
        home = pool.cluster.one("network", COMPUTE_NETWORK)
        if home is not None and home.urn == network.urn:
            used |= dict.fromkeys(pool.zones() or _unnamed())
    if not used:
        return NOT_APPLICABLE
    return allow(
        zone in used,
        f"the file system is in {zone}, and the accelerators of its network are in {listed(used)}",
        hint=f"Make it in {next(iter(used))}: from another zone, reads are slower and every byte is paid for.",
        path="location",
    )


@RULES.rule(
    on=LUSTRE_INSTANCE,
    severity=MEDIUM,
    rationale="Clients mount the file system only from its own network.",
    fix="Set network to that of the cluster.",
    joins=True,
    sources=("Managed Lustre documentation: the network of its clients",),
)
def gcp_lustre_cluster_network(filesystem: View) -> Verdict:
    """A Lustre file system for GKE is in the network of a cluster."""
    clusters = filesystem.site.of_type(CONTAINER_CLUSTER)
    if not clusters or not filesystem.flag("gkeSupportEnabled"):
        return NOT_APPLICABLE
    network = filesystem.one("network", COMPUTE_NETWORK)
    if network is None:
        return NOT_APPLICABLE
    homes = [cluster.one("network", COMPUTE_NETWORK) for cluster in clusters]
    if any(home is None for home in homes):
        raise NotKnown
    message = f"no cluster is in network {network.name}, and clients mount the file system from that network only"
    good = any(home is not None and home.urn == network.urn for home in homes)
    return allow(good, message, hint="Name the network of the cluster.", path="network")


def _is_dynamic(filesystem: View) -> bool:
    options = filesystem.block("dynamicTierOptions")
    return options is not None and options.text("mode") != "DISABLED"


def _unnamed() -> list[str]:
    raise NotKnown
