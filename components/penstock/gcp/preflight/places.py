"""Where a program builds: zones that offer its machines, versions of GKE, ranges in networks, reservations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from penstock.core.versions import find_minor
from penstock.core.wording import listed
from penstock.gcp.model.places import place
from penstock.gcp.preconditions.places import project_for
from penstock.gcp.preflight.project import GoogleCloud, reply_to
from penstock.gcp.preflight.things import question_for, things
from penstock.gcp.types import COMPUTE_NETWORK, COMPUTE_SUBNETWORK, CONTAINER_CLUSTER
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site
from penstock.preconditions import Precondition
from penstock.preconditions.need import NamedNeed, named
from penstock.preflight.inquiry import Reply, Status, met, not_met
from penstock.preflight.machines import most_machines, pools_of, zones_of
from penstock.preflight.ranges import overlapping
from penstock.preflight.rest import Refused, at, items_at

VERSION: Final = "gcp-kubernetes-version"
RANGE: Final = "gcp-range"
HOW_OFFERED: Final = "gcloud compute machine-types list --filter=name={machine_type}"


def versions_needed(site: Site) -> Iterator[Precondition]:
    """Yield the versions of Kubernetes that clusters ask GKE for."""
    for cluster in site.of_type(CONTAINER_CLUSTER):
        version = cluster.given("minMasterVersion")
        try:
            location = place(cluster)
        except (NotKnown, TypeMismatch):
            continue
        if isinstance(version, str):
            project = project_for(site, cluster.urn)
            yield Precondition(
                f"Kubernetes {version} offered by GKE in {location}",
                "GKE refuses a version that it has not yet, or no longer.",
                f"gcloud container get-server-config --location={location} --project={project}",
                cluster.urn,
                named("version", {"version": version, "location": location, "project": project}),
                VERSION,
            )


def ranges_needed(site: Site) -> Iterator[Precondition]:
    """Yield the ranges of subnetworks in networks that a program does not create."""
    for subnetwork in site.of_type(COMPUTE_SUBNETWORK):
        block, network = subnetwork.given("ipCidrRange"), subnetwork.given("network")
        try:
            own = subnetwork.found("network", COMPUTE_NETWORK)
        except (NotKnown, TypeMismatch):
            continue
        if own or not isinstance(block, str) or not isinstance(network, str):
            continue
        name, project = network.rpartition("/")[2], project_for(site, subnetwork.urn)
        yield Precondition(
            f"Range {block} free in VPC network {name}",
            "Google Cloud refuses a subnetwork whose addresses another one of the network has.",
            "Set network.cidr to another range.",
            subnetwork.urn,
            named("range", {"range": block, "network": name, "project": project, "name": subnetwork.name}),
            RANGE,
        )


def answer_offer(cloud: GoogleCloud, need: NamedNeed) -> Reply:
    """Return whether the zones of a pool offer its machine type to the project."""
    project = need.word("owner")
    path = f"compute/v1/projects/{project}/aggregated/machineTypes?filter=name%3D{need.word('machine_type')}"
    try:
        pages = cloud.pages("compute", path)
    except Refused as refusal:
        return reply_to(refusal, "compute.machineTypes.list")
    region = need.word("region")
    found = {str(each["zone"]).rpartition("/")[2] for page in pages for each in items_at(page, "items.*.machineTypes")}
    offering = sorted(zone for zone in found if zone.startswith(f"{region}-"))
    if not offering:
        return not_met(f"No zone of {region} offers it to this project.", "Choose another region or machine type.")
    missing = [zone for zone in zones_of(need) if zone not in offering]
    if missing:
        return not_met(f"Not in {listed(missing)}; in {listed(offering)}.", "Set the zone of the pool.")
    return met(f"Zones that offer it: {listed(offering)}.")


def answer_version(cloud: GoogleCloud, need: NamedNeed) -> Reply:
    """Return whether GKE creates clusters of a version in a place."""
    path = f"v1/projects/{need.word('project')}/locations/{need.word('location')}/serverConfig"
    try:
        config = cloud.get("container", path)
    except Refused as refusal:
        return reply_to(refusal, "container.clusters.list")
    version = need.word("version")
    valid = [str(each) for each in config.get("validMasterVersions", ())]
    fitting = [each for each in valid if each == version or each.startswith((f"{version}.", f"{version}-"))]
    if fitting:
        return met(f"{fitting[0]} is the newest of {len(fitting)}.")
    minors = sorted(set(filter(None, map(find_minor, valid))))
    return not_met(f"GKE offers {listed(minors)} there.", "Set cluster.version to one of them.")


def answer_range(cloud: GoogleCloud, need: NamedNeed) -> Reply:
    """Return whether another subnetwork of a network has addresses of a range."""
    try:
        pages = cloud.pages("compute", f"compute/v1/projects/{need.word('project')}/aggregated/subnetworks")
    except Refused as refusal:
        return reply_to(refusal, "compute.subnetworks.list")
    in_use = [
        (str(each["name"]), block)
        for page in pages
        for each in items_at(page, "items.*.subnetworks")
        if str(each.get("network")).rpartition("/")[2] == need.word("network") and each["name"] != need.word("name")
        for block in (each["ipCidrRange"], *(inner["ipCidrRange"] for inner in each.get("secondaryIpRanges", ())))
    ]
    shared = overlapping(need.word("range"), in_use)
    if shared:
        return not_met(f"It overlaps {listed([f'{name} ({block})' for name, block in shared])}.")
    return met(f"None of {len(in_use)} ranges overlaps it.")


def with_size(cloud: GoogleCloud, site: Site, need: NamedNeed, reply: Reply) -> Reply:
    """Return the answer for a reservation, with whether it is large enough for the pools that name it."""
    pools, question = pools_of(site, "gcp", need.word("name")), question_for(need)
    machines = most_machines(pools)
    if reply.status is not Status.MET or not pools or machines is None or question is None:
        return reply
    (reservation, *_) = things(cloud, question, need)
    types = {each.name for pool in pools for each in pool.machine_types()}
    return _held(reservation, machines, types)


def _held(reservation: Mapping[str, Any], machines: int, types: set[str]) -> Reply:
    """Compute Engine API, Reservation: the numbers are texts."""
    held = reservation.get("specificReservation") or {}
    count, used = int(held.get("count") or 0), int(held.get("inUseCount") or 0)
    kind = str(at(held, "instanceProperties.machineType") or "").rpartition("/")[2]
    zone = str(reservation.get("zone") or "").rpartition("/")[2]
    found = f"{count} {kind or 'machines'} in {zone}, {count - used} of them free, and up to {machines} needed."
    if kind and types and kind not in types:
        return not_met(f"{found} The pool starts {listed(sorted(types))}.", "Name a reservation of that machine type.")
    if count - used < machines:
        return not_met(found, "Enlarge the reservation, or lower the pool's nodes.max.")
    return met(found)
