"""References between resources: their form, and whether both ends belong together."""

from __future__ import annotations

from functools import partial
from typing import Any

from penstock.catalog import regions
from penstock.core.wording import did_you_mean, listed
from penstock.gcp.facts import resource_paths
from penstock.gcp.facts.resource_paths import Pointer
from penstock.gcp.model import places
from penstock.gcp.model.gke import GkePool
from penstock.gcp.types import (
    ARTIFACTREGISTRY_REPOSITORY,
    COMPUTE_INSTANCE,
    COMPUTE_NETWORK,
    COMPUTE_SUBNETWORK,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    KMS_KEY_RING,
    LUSTRE_INSTANCE,
    STORAGE_BUCKET,
)
from penstock.graph.graph import Resource
from penstock.graph.property_path import Location, PropertyPath
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail, together
from penstock.graph.view import Block, Site, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.references import named_references
from penstock.rules.repeated import first_holders
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_INTERCONNECT = "gcp:compute/interconnect:Interconnect"
_PLACED_OTHERWISE = (STORAGE_BUCKET, KMS_KEY_RING, LUSTRE_INSTANCE, ARTIFACTREGISTRY_REPOSITORY, _INTERCONNECT)
"""What has a rule of its own on where it may be, or is in a colocation facility such as iad-zone1-1."""

_PLACES = ("region", "zone", "location")
_FURTHER_ZONES = (
    "alternativeLocationId",
    "distributionPolicyZones[]",
    "locationId",
    "nodeLocations[]",
    "nodePools[].nodeLocations[]",
    "replicaZones[]",
    "settings.locationPreference.secondaryZone",
    "settings.locationPreference.zone",
    "zones[]",
)


@RULES.rule(
    on="gcp:*",
    severity=HIGH,
    rationale="The API finds no resource of the expected kind under the path.",
    fix="Use the id of a resource of the expected kind.",
    sources=("Google's discovery documents, paths of resources (catalogue, gcp_resource_paths)",),
)
def gcp_ref_resource_kind(resource: View) -> Verdict:
    """A property that names another resource holds a path of that kind, such as that of a subnetwork."""
    owners = resource.site.once(_owners)

    def judge(reference: tuple[Pointer, Any, PropertyPath]) -> Verdict:
        pointer, value, path = reference
        if isinstance(value, Unknown | Secret):
            raise NotKnown
        good = _names(value, pointer) if "/" in value else _is_of_kind(owners.get(value), pointer)
        owner = owners.get(value)
        message = f"{value!r} is the {_kind(owner.type)} {owner.name}" if owner else f"{value!r} is of another kind"
        hint = f"Name a {_kind(pointer.type)}, as in …/{pointer.collection}/NAME."
        return allow(good, message, hint=hint, path=str(path))

    return each(named_references(resource.resource.inputs, resource_paths.pointers_of(resource.type)), judge)


@RULES.rule(
    on="gcp:*",
    severity=MEDIUM,
    rationale=(
        "Pulumi adds a suffix to names that it chooses, so the provider finds nothing under the name in the program."
    ),
    fix="Use the other resource's output id or name.",
    joins=True,
    sources=("Pulumi documentation, resource names: auto-naming",),
)
def gcp_ref_cloud_name(resource: View) -> Verdict:
    """Another resource of the program is referred to by its name in the cloud, and not by its name in the program."""

    def judge(reference: tuple[Pointer, Any, PropertyPath]) -> Verdict:
        pointer, value, path = reference
        if isinstance(value, Unknown | Secret):
            raise NotKnown
        if "/" in value or resource.site.named(pointer.type, value) is not None:
            return PASS
        called = [view for view in resource.site.of_type(pointer.type) if view.name == value and "name" not in view]
        message = f"{value!r} is the Pulumi name of a {_kind(pointer.type)}; its name in the cloud has a suffix"
        return allow(not called, message, hint=f"Use its output: {value}.id or {value}.name.", path=str(path))

    return each(named_references(resource.resource.inputs, resource_paths.pointers_of(resource.type)), judge)


@RULES.rule(
    on=CONTAINER_NODE_POOL,
    severity=HIGH,
    rationale="GKE finds no cluster of that name in another location.",
    fix="Set location to that of the cluster, and name zones of the nodes in nodeLocations.",
    joins=True,
    sources=("Pulumi Google Cloud 10.2, container.NodePool, location: that of its cluster",),
)
def gcp_gke_pool_location(pool: View) -> Verdict:
    """A node pool has the location of its cluster, region or zone."""
    location = pool.text("location") or _location_of_provider(pool)
    if location is None:
        return NOT_APPLICABLE
    cluster = GkePool(pool, pool).cluster
    home = cluster.text("location")
    if home is None:
        raise NotKnown
    if location == home:
        return PASS
    if "/" in (pool.text("cluster") or ""):
        return NOT_APPLICABLE
    hint = f"Set location to {home}" + (", and the zone in nodeLocations." if places.is_zone(location) else ".")
    return fail(
        f"{cluster.name} is in {home}, and no cluster of that name is in {location}", hint=hint, path="location"
    )


@RULES.rule(
    on=(CONTAINER_CLUSTER, CONTAINER_NODE_POOL),
    severity=HIGH,
    rationale="GKE rejects a subnetwork of another network or region.",
    fix="Set subnetwork to one of the cluster's network and region.",
    joins=True,
    sources=("Kubernetes Engine API: the subnetwork must belong to the network",),
)
def gcp_gke_subnetwork(holder: View) -> Verdict:
    """The subnetwork of a cluster or node pool is in the cluster's network and region."""
    block = holder if holder.type == CONTAINER_CLUSTER else holder.block("networkConfig")
    subnetwork = block.one("subnetwork", COMPUTE_SUBNETWORK) if block is not None else None
    if block is None or subnetwork is None or subnetwork.resource.external:
        return NOT_APPLICABLE
    cluster, path = GkePool(holder, holder).cluster, block.at("subnetwork")
    return together([_in_network(cluster, subnetwork, path), _in_region(cluster, subnetwork, path)])


@RULES.rule(
    on=("gcp:*", "pulumi:providers:gcp"),
    severity=HIGH,
    rationale="The API rejects regions and zones that do not exist.",
    fix="Set region, zone or location to an existing one, such as us-central1; us-central1 has a, b, c and f.",
    joins=True,
    sources=("Compute Engine API, regions.list (catalogue, gcp_regions)",),
)
def gcp_location_known(resource: View) -> Verdict:
    """The regions and zones that a resource names are those of Google Cloud."""
    paths = _FURTHER_ZONES if resource.type in _PLACED_OTHERWISE else (*_PLACES, *_FURTHER_ZONES)
    given = [path for path in paths if PropertyPath.parse(path).top in resource]

    def check(place: Location) -> Verdict:
        if isinstance(place.value, Unknown | Secret):
            raise NotKnown
        return _place_exists(resource, _name_of_place(str(place.value or "")), place.path)

    return each([place for path in given for place in resource.locations(path)], check)


def _name_of_place(path: str) -> str:
    return path.rpartition("/")[2].lower()


def _region_named(path: str) -> str | None:
    return places.region_of(_name_of_place(path))


_first_regions = partial(first_holders, "gcp", _PLACES, _region_named, without=_PLACED_OTHERWISE)


def _nearly_a_region(name: str, path: str) -> Verdict:
    """Fail for a misspelt region; a multi-region, or whatever else a service calls a place, has no verdict."""
    is_meant = path == "region" and "-" in name
    hint = did_you_mean(name, [each_.name for each_ in regions.all_regions("gcp")]) if is_meant else ""
    return fail(f"region {name} does not exist", hint=hint, path=path) if hint else NOT_APPLICABLE


def _place_exists(resource: View, name: str, path: str) -> Verdict:
    named = places.region_of(name)
    if named is None:
        return _nearly_a_region(name, path)
    if places.is_unlisted(name):
        raise NotKnown  # some projects have it
    known = {each_.name: each_ for each_ in regions.all_regions("gcp")}
    if named not in known:
        here = resource.urn, path
        if path in _PLACES and resource.site.once(_first_regions)[named] != here:
            return NOT_APPLICABLE  # reported where it is named first
        hint = did_you_mean(named, tuple(known)) or "Use one such as us-central1."
        return fail(f"region {named} does not exist", hint=hint, path=path)
    hint = f"{named} has {listed(known[named].zones)}."
    return allow(places.exists(name), f"zone {name} does not exist", hint=hint, path=path)


@RULES.rule(
    on=COMPUTE_INSTANCE,
    severity=HIGH,
    rationale="Compute Engine attaches no interface to a subnetwork of another region.",
    fix="Set subnetwork of networkInterfaces to one in the machine's region.",
    joins=True,
    sources=("Compute Engine documentation, network interfaces: subnetwork of the VM's region",),
)
def gcp_machine_subnetwork_region(machine: View) -> Verdict:
    """A machine is in a zone of the region of its interfaces' subnetworks."""
    zone = machine.text("zone")
    if zone is None:
        return NOT_APPLICABLE
    here = places.region_of(zone.rpartition("/")[2])

    def check(interface: Block) -> Verdict:
        subnetwork = interface.one("subnetwork", COMPUTE_SUBNETWORK)
        if subnetwork is None:
            return NOT_APPLICABLE
        other = places.region(subnetwork)
        message = f"{subnetwork.name} is in {other}, and the machine in {zone}"
        return allow(other == here, message, hint=f"Name a subnetwork in {here}.", path=interface.at("subnetwork"))

    return each(machine.blocks("networkInterfaces"), check)


def _location_of_provider(pool: View) -> str | None:
    """Where the provider looks for a cluster that is given by its name alone; None where a path says it."""
    if "/" in (pool.text("cluster") or "/"):
        return None
    return pool.provider.text("zone") or pool.provider.text("region")


def _in_network(cluster: View, subnetwork: View, path: str) -> Verdict:
    named, home = cluster.found("network", COMPUTE_NETWORK), subnetwork.found("network", COMPUTE_NETWORK)
    if not named or not home:
        return NOT_APPLICABLE
    message = f"{subnetwork.name} is in network {home[0].name}, and the cluster in {named[0].name}"
    hint = f"Name a subnetwork of {named[0].name}."
    return allow(named[0].urn == home[0].urn, message, hint=hint, path=path)


def _in_region(cluster: View, subnetwork: View, path: str) -> Verdict:
    try:
        region, other = places.region(cluster), places.region(subnetwork)
    except NotKnown:
        return NOT_APPLICABLE
    if region == other:
        return PASS
    message = f"{subnetwork.name} is in {other}, and the cluster in {region}"
    return fail(message, hint=f"Name a subnetwork in {region}.", path=path)


def _names(path: str, pointer: Pointer) -> bool:
    """Return whether a path is one of a kind; firewall policies name networks as PROJECT/NAME, without a kind."""
    return f"/{pointer.collection}/" in f"/{path}" or (pointer.type == COMPUTE_NETWORK and path.count("/") == 1)


def _kind(type_: str) -> str:
    return type_.rpartition(":")[2]


def _is_of_kind(owner: Resource | None, pointer: Pointer) -> bool:
    return owner is None or owner.type == pointer.type


def _owners(site: Site) -> dict[str, Resource]:
    """The resources of kinds that others point at, by id."""
    types = dict.fromkeys(pointer.type for pointer in resource_paths.by_property().values())
    return {resource.id: resource for resource in site.graph.of_type(*types) if resource.id}
