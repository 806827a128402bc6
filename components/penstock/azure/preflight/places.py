"""Where a program builds: sizes that zones offer, versions of AKS, ranges of networks, reservations, names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Any, Final

from penstock.azure.model.places import region
from penstock.azure.preflight.questions import AzureQuestion
from penstock.azure.preflight.subscription import AzureSubscription, absent, reply_to
from penstock.azure.types import CONTAINERSERVICE_MANAGED_CLUSTER, KEYVAULT_VAULT, NETWORK_VIRTUAL_NETWORK
from penstock.catalog.records import keyed
from penstock.core.wording import listed
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site
from penstock.preconditions import Precondition
from penstock.preconditions.need import FreeNameNeed, NamedNeed, named
from penstock.preflight.inquiry import Reply, Status, met, not_met
from penstock.preflight.machines import most_machines, pools_of, zones_of
from penstock.preflight.ranges import overlapping
from penstock.preflight.rest import Refused, at

VERSION: Final = "az-kubernetes-version"
RANGE: Final = "az-range"
HOW_OFFERED: Final = "az vm list-skus --location {region} --size {machine_type} --zone --output table"

_RESERVATIONS: Final = "2024-07-01"


def versions_needed(site: Site) -> Iterator[Precondition]:
    """Yield the versions of Kubernetes that clusters ask AKS for."""
    for cluster in site.of_type(CONTAINERSERVICE_MANAGED_CLUSTER):
        version = cluster.given("kubernetesVersion")
        try:
            location = region(cluster)
        except (NotKnown, TypeMismatch):
            continue
        if isinstance(version, str):
            yield Precondition(
                f"Kubernetes {version} offered by AKS in {location}",
                "AKS refuses a version that it has not yet, or no longer.",
                f"az aks get-versions --location {location} --output table",
                cluster.urn,
                named("version", {"version": version, "region": location}),
                VERSION,
            )


def ranges_needed(site: Site) -> Iterator[Precondition]:
    """Yield the ranges of the networks that a program creates."""
    for network in site.of_type(NETWORK_VIRTUAL_NETWORK):
        name = str(network.given("virtualNetworkName") or network.name)
        for place in network.locations("addressSpace.addressPrefixes"):
            for block in place.value if isinstance(place.value, list) else [place.value]:
                yield Precondition(
                    f"Range {block} free among the networks of the subscription",
                    "Azure creates networks that overlap, but does not peer them.",
                    "Set network.cidr to another range.",
                    network.urn,
                    named("range", {"range": str(block), "name": name}),
                    RANGE,
                )


class Sizes:
    """The sizes of machines that regions offer to a subscription; each region is read once, since the list is long."""

    def __init__(self, azure: AzureSubscription) -> None:
        self._azure, self._lock = azure, Lock()
        self._found: dict[str, dict[str, Mapping[str, Any]]] = {}

    def of(self, region_: str) -> dict[str, Mapping[str, Any]]:
        """Return the sizes of a region by their names in small letters; raises as `AzureSubscription.get`."""
        with self._lock:
            if region_ not in self._found:
                path = f"{self._azure.path}/providers/Microsoft.Compute/skus?$filter=location eq '{region_}'"
                skus = self._azure.values(path, "2021-07-01")
                machines = [each for each in skus if each.get("resourceType") == "virtualMachines"]
                self._found[region_] = {str(each["name"]).casefold(): each for each in machines}
            return self._found[region_]


def answer_offer(sizes: Sizes, need: NamedNeed) -> Reply:
    """Return whether the zones of a pool offer its size to the subscription."""
    region_ = need.word("region")
    try:
        size = sizes.of(region_).get(need.word("machine_type").casefold())
    except Refused as refusal:
        return reply_to(refusal, "Microsoft.Compute/skus/read")
    if size is None:
        return not_met(f"{region_} does not have it.", "Choose another region or machine type.")
    zones = {zone for info in size.get("locationInfo", ()) for zone in info.get("zones", ())}
    for each in size.get("restrictions", ()):
        if each.get("type") == "Location":
            fix = "Ask for access to the size with a support request of type quota."
            return not_met(f"{each.get('reasonCode')} in {region_}.", fix)
        zones -= set(at(each, "restrictionInfo.zones") or ())
    wanted = [zone.rpartition("-")[2] for zone in zones_of(need)]
    missing = sorted(set(wanted) - zones)
    if missing:
        has = f"in zones {listed(sorted(zones))}" if zones else "in none"
        return not_met(f"Not in zones {listed(missing)} of {region_}; {has}.", "Set the zone of the pool.")
    return met(f"Zones that offer it: {listed(sorted(zones))}." if zones else "Offered, in no zone by name.")


def answer_version(azure: AzureSubscription, need: NamedNeed) -> Reply:
    """Return whether AKS creates clusters of a version in a region."""
    path = f"{azure.path}/providers/Microsoft.ContainerService/locations/{need.word('region')}/kubernetesVersions"
    try:
        found = azure.get(path, "2024-09-01").get("values", ())
    except Refused as refusal:
        return reply_to(refusal, "Microsoft.ContainerService/locations/kubernetesVersions/read")
    plans = {str(each["version"]): at(each, "capabilities.supportPlan") or [] for each in found}
    patches = {patch for each in found for patch in each.get("patchVersions") or {}}
    version = need.word("version")
    if version in plans:
        return met(f"Support plans: {listed(plans[version])}." if plans[version] else "Offered.")
    if version in patches:
        return met("Offered.")
    return not_met(f"AKS offers {listed(sorted(plans))} there.", "Set cluster.version to one of them.")


def answer_range(azure: AzureSubscription, need: NamedNeed) -> Reply:
    """Return whether another network of the subscription has addresses of a range."""
    try:
        networks = azure.values(f"{azure.path}/providers/Microsoft.Network/virtualNetworks", "2024-05-01")
    except Refused as refusal:
        return reply_to(refusal, "Microsoft.Network/virtualNetworks/read")
    in_use = [
        (str(each["name"]), block)
        for each in networks
        if not str(each["name"]).startswith(need.word("name"))
        for block in at(each, "properties.addressSpace.addressPrefixes") or ()
    ]
    shared = overlapping(need.word("range"), in_use)
    if shared:
        return not_met(f"It overlaps {listed([f'{name} ({block})' for name, block in shared])}.")
    return met(f"None of {len(networks)} networks overlaps it.")


def answer_named(azure: AzureSubscription, site: Site, need: NamedNeed) -> Reply | None:
    """Return whether what an id names is there and can be used; None where no call shows it."""
    question = keyed(AzureQuestion, "azure/questions").get(need.kind)
    if question is None:
        return None
    path = need.word("text")
    try:
        found = azure.get(path, question.api_version)
        reply = _state(found, question)
        if need.kind == "az-capacity-reservation" and reply.status is Status.MET:
            return _held(azure.values(f"{path}/capacityReservations", _RESERVATIONS), site, path, reply)
    except Refused as refusal:
        return absent(refusal, f"the right to read {path}")
    return reply


def answer_principal(azure: AzureSubscription, need: NamedNeed) -> Reply:
    """Return whether the directory has a group, user or application."""
    try:
        found = azure.principal(need.word("name"))
    except Refused as refusal:
        return absent(refusal, "Directory.Read.All of Microsoft Graph, or the role Directory Readers")
    kind = str(found.get("@odata.type", "")).rpartition(".")[2] or "object"
    return met(f"It is the {kind} {found.get('displayName')}.")


def answer_free_name(azure: AzureSubscription, need: FreeNameNeed) -> Reply | None:
    """Return whether no deleted vault of the subscription has a name; None for other types."""
    if need.type != KEYVAULT_VAULT:
        return None
    try:
        deleted = azure.values(f"{azure.path}/providers/Microsoft.KeyVault/deletedVaults", "2023-07-01")
    except Refused as refusal:
        return reply_to(refusal, "Microsoft.KeyVault/deletedVaults/read")
    if any(str(each["name"]).casefold() == need.name.casefold() for each in deleted):
        return not_met("A deleted vault of this subscription has it.")
    return met("No deleted vault of this subscription has it; those of others are not shown.")


def _state(found: Mapping[str, Any], question: AzureQuestion) -> Reply:
    if not question.state:
        return met("It is there.")
    state = str(at(found, question.state))
    text = "It is there." if state == "None" else f"State {state}."
    return met(text) if state in question.good else not_met(text)


def _held(reservations: list[Mapping[str, Any]], site: Site, path: str, reply: Reply) -> Reply:
    """The answer for a group of reservations, with whether those of the pools' sizes are large enough."""
    pools = pools_of(site, "azure", path)
    machines = most_machines(pools)
    sizes = {each.name.casefold() for pool in pools for each in pool.machine_types()}
    if not pools or machines is None:
        return reply
    own = [each for each in reservations if str(at(each, "sku.name")).casefold() in sizes]
    if not own:
        held = listed([str(at(each, "sku.name")) for each in reservations])
        return not_met(f"It reserves {held or 'nothing'}, and the pool starts {listed(sorted(sizes))}.")
    total = sum(int(at(each, "sku.capacity") or 0) for each in own)
    used = sum(len(at(each, "properties.virtualMachinesAssociated") or ()) for each in own)
    found = f"{total} {at(own[0], 'sku.name')}, {total - used} of them free, and up to {machines} needed."
    return met(found) if total - used >= machines else not_met(found, "Enlarge it, or lower the pool's nodes.max.")
