"""Managed Lustre: what Google sells, and where it stands."""

from __future__ import annotations

import re

from penstock.catalog import limits
from penstock.catalog.gcp import lustre as gcp_lustre
from penstock.findings import Severity
from penstock.resources.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, fail
from penstock.resources.view import View
from penstock.rules.gcp import nodes, places
from penstock.rules.gcp.types import CLUSTER, LUSTRE, NETWORK
from penstock.rules.rule import rule
from penstock.wording import listed

_TIERS = "Managed Lustre documentation, performance tiers (catalogue, gcp_lustre)"
_SDK = "Pulumi Google Cloud 10.2, lustre.Instance"
_NETWORK = re.compile(r"projects/[^/]+/global/networks/[^/]+")


@rule("GCP-LUSTRE-001", on=LUSTRE, source=_TIERS)
def a_throughput_is_one_of_the_tiers(filesystem: View) -> Verdict:
    """A file system has the throughput of a tier; in the dynamic tier, which sets it itself, none."""
    throughput = filesystem.integer("perUnitStorageThroughput") or 0
    sold = [tier for tier in gcp_lustre.tiers() if not gcp_lustre.steps(tier).dynamic]
    path, hint = "perUnitStorageThroughput", f"Use one of {listed(sold)}."
    if _is_dynamic(filesystem):
        message = f"the dynamic tier sets its throughput itself, and {throughput} is asked"
        return allow(not throughput, message, hint="Leave perUnitStorageThroughput out.", path=path)
    if not throughput:
        hint += " Or ask for the dynamic tier in dynamicTierOptions."
        return fail("a file system needs a throughput for each TiB", hint=hint, path=path)
    return allow(throughput in sold, f"no tier has {throughput} MB/s for each TiB", hint=hint, path=path)


@rule("GCP-LUSTRE-002", on=LUSTRE, source=_TIERS)
def a_capacity_is_a_step_of_its_tier(filesystem: View) -> Verdict:
    """A file system is sold in steps that depend on its tier, and grow in large ones."""
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


@rule("GCP-LUSTRE-003", on=LUSTRE, source=f"{_SDK}, filesystem")
def a_name_is_one_that_clients_can_mount(filesystem: View) -> Verdict:
    """The name by which clients mount a file system has eight letters and digits at most."""
    name = filesystem.text("filesystem")
    if name is None:
        return NOT_APPLICABLE
    most = limits.find_limit("lustre_filesystem_characters", "gcp").most
    good = name.isascii() and name.isalnum() and len(name) <= most
    hint = f"Use 1 to {most} letters and digits, such as scratch."
    return allow(good, f"{name!r} cannot be mounted", hint=hint, path="filesystem")


@rule("GCP-LUSTRE-004", on=LUSTRE, source=f"{_SDK}, network: projects/PROJECT/global/networks/NAME")
def a_network_is_named_in_full(filesystem: View) -> Verdict:
    """The network of a file system is named by its whole path, and neither by its name nor by its link."""
    network = filesystem.text("network")
    if network is None:
        return NOT_APPLICABLE
    found = filesystem.site.named(NETWORK, network)
    good = _NETWORK.fullmatch(network) or (found is not None and network == found.resource.id)
    hint = "Use the network's id: projects/PROJECT/global/networks/NAME."
    return allow(good, f"{network!r} is no whole path of a network", hint=hint, path="network")


@rule("GCP-LUSTRE-005", on=LUSTRE, source="Managed Lustre documentation: instances are zonal")
def a_file_system_is_in_a_zone(filesystem: View) -> Verdict:
    """A file system is in a zone of a region that exists."""
    zone = filesystem.text("location")
    if zone is None:
        return NOT_APPLICABLE
    if not places.is_zone(zone):
        hint = "Name the zone of the pools that mount it, such as us-central1-b."
        return fail(f"{zone!r} is no zone, and a file system is in one", hint=hint, path="location")
    message = f"{zone} is in no region of Google Cloud"
    return allow(places.exists(zone), message, hint="Take a zone of the clients' region.", path="location")


@rule(
    "GCP-LUSTRE-006",
    on=LUSTRE,
    severity=Severity.WARNING,
    source="Managed Lustre documentation: create it close to clients",
)
def a_file_system_is_in_the_zone_of_accelerators(filesystem: View) -> Verdict:
    """A file system is in the zone of nodes that mount it: of pools with accelerators where its network has some."""
    zone = filesystem.text("location")
    network = filesystem.one("network", NETWORK)
    if network is None or zone is None or not places.is_zone(zone):
        return NOT_APPLICABLE
    used: dict[str, None] = {}
    for pool in nodes.all_pools(filesystem.site):
        if pool.machine is None or pool.machine.accelerator is None:
            continue
        home = pool.cluster.one("network", NETWORK)
        if home is not None and home.urn == network.urn:
            used |= dict.fromkeys(nodes.zones(pool) or _unnamed())
    if not used:
        return NOT_APPLICABLE
    return allow(
        zone in used,
        f"it is in {zone}, and the accelerators of its network are in {listed(used)}",
        hint=f"Make it in {next(iter(used))}: from another zone, reads are slower and every byte is paid for.",
        path="location",
    )


@rule(
    "GCP-LUSTRE-007",
    on=LUSTRE,
    severity=Severity.WARNING,
    source="Managed Lustre documentation: the network of its clients",
)
def a_file_system_is_in_the_network_of_clients(filesystem: View) -> Verdict:
    """A file system that GKE is to mount is in the network of a cluster."""
    clusters = filesystem.site.of_type(CLUSTER)
    if not clusters or not filesystem.flag("gkeSupportEnabled"):
        return NOT_APPLICABLE
    network = filesystem.one("network", NETWORK)
    if network is None:
        return NOT_APPLICABLE
    homes = [cluster.one("network", NETWORK) for cluster in clusters]
    if any(home is None for home in homes):
        raise NotKnown
    message = f"no cluster is in network {network.name}, from which alone it is mounted"
    good = any(home is not None and home.urn == network.urn for home in homes)
    return allow(good, message, hint="Name the network of the cluster.", path="network")


def _is_dynamic(filesystem: View) -> bool:
    options = filesystem.block("dynamicTierOptions")
    return options is not None and options.text("mode") != "DISABLED"


def _unnamed() -> list[str]:
    raise NotKnown
