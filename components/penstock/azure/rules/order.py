"""Rules on order: what a resource needs of another exists before it, although no value of it is handed over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from penstock.azure.model.pools import AksPool, aks_pools
from penstock.azure.rules.pools import POOLS
from penstock.azure.types import (
    COGNITIVESERVICES_ACCOUNT,
    COGNITIVESERVICES_DEPLOYMENT,
    COMPUTE_CAPACITY_RESERVATION,
    COMPUTE_CAPACITY_RESERVATION_GROUP,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DBFORPOSTGRESQL_SERVER,
    KEYVAULT_VAULT,
    MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY,
    NETWORK_PRIVATE_ENDPOINT,
    NETWORK_SECURITY_GROUP,
    NETWORK_VIRTUAL_NETWORK,
    PRIVATEDNS_PRIVATE_ZONE,
    PRIVATEDNS_VIRTUAL_NETWORK_LINK,
    RESOURCES_RESOURCE_GROUP,
    STORAGE_ACCOUNT,
)
from penstock.graph.values import Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each
from penstock.graph.view import Site, View
from penstock.model.order import comes_after
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_PARENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "resourceGroupName": (RESOURCES_RESOURCE_GROUP,),
    "virtualNetworkName": (NETWORK_VIRTUAL_NETWORK,),
    "networkSecurityGroupName": (NETWORK_SECURITY_GROUP,),
    "resourceName": (CONTAINERSERVICE_MANAGED_CLUSTER, MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY),
    "accountName": (STORAGE_ACCOUNT,),
    "vaultName": (KEYVAULT_VAULT,),
    "registryName": (CONTAINERREGISTRY_REGISTRY,),
    "serverName": (DBFORPOSTGRESQL_SERVER,),
    "privateEndpointName": (NETWORK_PRIVATE_ENDPOINT,),
    "privateZoneName": (PRIVATEDNS_PRIVATE_ZONE,),
    "capacityReservationGroupName": (COMPUTE_CAPACITY_RESERVATION_GROUP,),
}
"""The properties by which a resource names what it is in."""

_ID = "/subscriptions/"


@RULES.rule(
    on="azure-native:*",
    severity=HIGH,
    rationale=(
        "A name that is written out makes nothing wait: the engine creates both at the same time, and the first "
        "`pulumi up` fails with ResourceGroupNotFound or ParentResourceNotFound."
    ),
    fix="Set the property to the output of the resource, such as its name, or add the resource to depends_on.",
    joins=True,
    sources=("Azure Resource Manager documentation, troubleshoot: not found",),
)
def az_parent_first(view: View) -> Verdict:
    """A resource is created after the resource of the program that it is in."""

    def check(key: str) -> Verdict:
        if view.resource.property_dependencies.get(key):
            return PASS
        name = view.text(key)
        named = (view.site.named(type_, name) for type_ in _PARENTS[key] if name is not None)
        parent = next((each for each in named if each is not None and each.type != view.type), None)
        if parent is None:
            return NOT_APPLICABLE
        message = f"nothing makes this wait for {parent.name}, which it is in"
        return allow(comes_after(view, parent), message, hint=f"Use the name of {parent.name} as its output.", path=key)

    return each([key for key in _PARENTS if key in view], check)


@RULES.rule(
    on="azure-native:*",
    severity=HIGH,
    rationale="An id that is written out makes nothing wait, and Azure rejects what names something that is not there.",
    fix="Set the property to the id of the resource as its output, or add the resource to depends_on.",
    joins=True,
    sources=("Azure Resource Manager documentation, troubleshoot: not found",),
)
def az_named_first(view: View) -> Verdict:
    """A resource is created after the resources of the program that it names by their ids."""
    ids = view.site.once(_ids)
    written = list(_written_ids(view.resource.inputs, ""))
    named = [(path, ids[id_]) for path, id_ in written if id_ in ids]
    if "" in ids and len(named) < len(written):
        raise NotKnown  # it may be the id of a resource that has none yet

    def check(place: tuple[str, str]) -> Verdict:
        path, urn = place
        other = View(view.site.graph[urn], view.site)
        message = f"nothing makes this wait for {other.name}, which it names"
        return allow(comes_after(view, other), message, hint=f"Use the id of {other.name} as its output.", path=path)

    judged = each([place for place in named if place[1] != view.urn], check)
    return PASS if judged is NOT_APPLICABLE and _awaits_an_output(view) else judged


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="Azure rejects machines in a group in which nothing of their size is reserved yet.",
    fix="Add the CapacityReservation to depends_on of the pool.",
    joins=True,
    sources=("Azure virtual machines documentation, on-demand capacity reservation",),
)
def az_aks_reservation_first(pool: AksPool) -> Verdict:
    """A node pool on reserved machines is created after a reservation in its group."""
    group = pool.block.one("capacityReservationGroupID", COMPUTE_CAPACITY_RESERVATION_GROUP)
    held = group.referrers(COMPUTE_CAPACITY_RESERVATION, "capacityReservationGroupName") if group is not None else []
    if not held:
        return NOT_APPLICABLE
    waits = any(comes_after(pool.view, reservation) for reservation in held)
    message, hint = f"the pool does not wait for {held[0].name}", f"Add {held[0].name} to depends_on."
    return allow(waits, message, hint=hint, path=pool.block.at("capacityReservationGroupID"))


@RULES.rule(
    on=DBFORPOSTGRESQL_SERVER,
    severity=HIGH,
    rationale="Azure creates no server in a network that does not know its private DNS zone.",
    fix="Add the VirtualNetworkLink of the zone to depends_on of the server.",
    joins=True,
    sources=("Azure Database for PostgreSQL documentation, private access",),
)
def az_postgres_zone_linked(server: View) -> Verdict:
    """A server in a network of its own is created after a link of its private DNS zone."""
    place = server.block("network")
    zone = place.one("privateDnsZoneArmResourceId", PRIVATEDNS_PRIVATE_ZONE) if place is not None else None
    if place is None or zone is None:
        return NOT_APPLICABLE
    links = zone.referrers(PRIVATEDNS_VIRTUAL_NETWORK_LINK, "privateZoneName")
    path = place.at("privateDnsZoneArmResourceId")
    if not links:
        return allow(False, f"no network is linked to {zone.name}", hint="Link the server's network.", path=path)
    waits = any(comes_after(server, link) for link in links)
    message, hint = f"the server does not wait for {links[0].name}", f"Add {links[0].name} to depends_on."
    return allow(waits, message, hint=hint, path=path)


@RULES.rule(
    on=COGNITIVESERVICES_DEPLOYMENT,
    severity=HIGH,
    rationale=(
        "Azure changes one deployment of an account at a time, and rejects the others with RequestConflict: another "
        "operation is being performed on the parent resource."
    ),
    fix="Add each deployment of the account to depends_on of the next one.",
    joins=True,
    sources=("[?] Azure/bicep issue 11211: deployments of one account",),
)
def az_openai_deployments_in_turn(deployment: View) -> Verdict:
    """A model deployment is created before or after each other deployment of its account."""
    account = deployment.one("accountName", COGNITIVESERVICES_ACCOUNT)
    if account is None:
        return NOT_APPLICABLE
    all_ = account.referrers(COGNITIVESERVICES_DEPLOYMENT, "accountName")
    before = all_[: [each.urn for each in all_].index(deployment.urn)]
    beside = next((o for o in before if not comes_after(deployment, o) and not comes_after(o, deployment)), None)
    name = beside.name if beside is not None else ""
    message = f"nothing orders this and {name!r} of the same account, and Azure rejects the second one meanwhile"
    return allow(beside is None, message, hint=f"Add {name!r} to depends_on.", path="accountName")


def _ids(site: Site) -> Mapping[str, str]:
    """The URNs of the resources of Azure in the program, by their ids, which are empty while they are not known."""
    return {
        resource.id.casefold(): resource.urn
        for resource in site.graph
        if resource.type.startswith("azure-native:") and not resource.external
    }


def _awaits_an_output(view: View) -> bool:
    """Return whether a property is the output of a resource of Azure that is not known yet: it makes the view wait."""
    resources = view.site.graph.resources
    unknown = [key for key, value in view.resource.inputs.items() if _holds_unknown(value)]
    sources = {urn for key in unknown for urn in view.resource.property_dependencies.get(key, ())}
    return any(urn in resources and resources[urn].type.startswith("azure-native:") for urn in sources)


def _holds_unknown(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_holds_unknown, value.values()))
    return any(map(_holds_unknown, value)) if isinstance(value, list) else isinstance(value, Unknown)


def _written_ids(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """The ids among the inputs of a resource, with their paths."""
    if isinstance(value, str):
        if value.startswith(_ID):
            yield path, value.casefold()
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _written_ids(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _written_ids(item, f"{path}[{index}]")
