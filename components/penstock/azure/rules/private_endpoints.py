"""Rules on private endpoints, and on the private zones by which clients find them."""

from __future__ import annotations

from typing import Final

from penstock.azure.facts import private_zones
from penstock.azure.model.places import region
from penstock.azure.types import (
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DBFORPOSTGRESQL_SERVER,
    KEYVAULT_VAULT,
    NETWORK_PRIVATE_DNS_ZONE_GROUP,
    NETWORK_PRIVATE_ENDPOINT,
    NETWORK_VIRTUAL_NETWORK,
    PRIVATEDNS_PRIVATE_ZONE,
    PRIVATEDNS_VIRTUAL_NETWORK_LINK,
    STORAGE_ACCOUNT,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.checks import Is
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


_PREFIX: Final = "privatelink."
_OF_PUBLIC_CLOUD: Final = (".azure.com", ".azure.net", ".windows.net", ".azurecr.io", ".azconfig.io", ".azureml.ms")
"""How zones of other clouds than the public one do not end."""

_OF_CLUSTERS: Final = ".azmk8s.io"
_DELEGATED: Final = "delegatedSubnetResourceId"
_CONNECTIONS: Final = ("privateLinkServiceConnections", "manualPrivateLinkServiceConnections")

_OF_STORAGE = ("blob", "dfs", "file", "queue", "table", "web")
_PARTS: Final = {
    STORAGE_ACCOUNT: (*_OF_STORAGE, *(f"{part}_secondary" for part in _OF_STORAGE)),
    KEYVAULT_VAULT: ("vault",),
    CONTAINERREGISTRY_REGISTRY: ("registry",),
}
"""The parts of a service that an endpoint may lead to."""

RULES.row(
    "az-private-zone-global",
    "Private zones and their links are global.",
    on=(PRIVATEDNS_PRIVATE_ZONE, PRIVATEDNS_VIRTUAL_NETWORK_LINK),
    check=Is("location", "global"),
    severity=HIGH,
    rationale="Azure has private zones in no region, and rejects another location.",
    fix="Set location to global.",
    sources=("Azure DNS documentation, private zones",),
)


@RULES.rule(
    on=NETWORK_PRIVATE_ENDPOINT,
    each_of="privateLinkServiceConnections",
    severity=HIGH,
    rationale="Azure connects an endpoint with one part of a service, and rejects one that the service does not have.",
    fix="Set groupIds to one part of the service, such as blob, with an endpoint for each part.",
    joins=True,
    sources=("Azure Private Link documentation, private endpoints",),
)
def az_endpoint_part(link: Block) -> Verdict:
    """A private endpoint leads to one part of the service that it is for."""
    target = link.one("privateLinkServiceId", *_PARTS)
    if target is None:
        return NOT_APPLICABLE
    parts, path, groups = _PARTS[target.type], link.at("groupIds"), link.texts("groupIds")
    hint = f"Use {parts[0]}." if len(parts) == 1 else f"Use one of {', '.join(_OF_STORAGE)}."
    if len(groups) != 1:
        return fail(f"the endpoint is for {len(groups)} parts of {target.name}", hint=hint, path=path)
    return allow(groups[0] in parts, f"{target.name} has no part {groups[0]!r}", hint=hint, path=path)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS rejects a zone of another name or region with InvalidPrivateDNSZoneResourceID.",
    fix="Set privateZoneName to privatelink.REGION.azmk8s.io, or to a name below it, of the cluster's own region.",
    joins=True,
    sources=("AKS documentation, private clusters: private DNS zones",),
)
def az_aks_zone_region(cluster: View) -> Verdict:
    """The private zone that the API server of a cluster writes its name into is that of its region."""
    access = cluster.block("apiServerAccessProfile")
    zones = access.found("privateDNSZone", PRIVATEDNS_PRIVATE_ZONE) if access is not None else []
    name = zones[0].text("privateZoneName") if zones else None
    if access is None or name is None or not name.endswith(_OF_CLUSTERS):
        return NOT_APPLICABLE
    own = f"{region(cluster)}{_OF_CLUSTERS}"
    message = f"the cluster is in {region(cluster)}, and its zone is {name}"
    return allow(name.endswith(f".{own}"), message, hint=f"Use {_PREFIX}{own}.", path=access.at("privateDNSZone"))


@RULES.rule(
    on=NETWORK_PRIVATE_ENDPOINT,
    each_of="privateLinkServiceConnections",
    severity=HIGH,
    rationale="Azure connects no endpoint with a PostgreSQL server that is in a virtual network itself.",
    fix=(
        "Leave the endpoint out, since clients in the network reach the server by its name; or leave "
        "network.delegatedSubnetResourceId of the server out."
    ),
    joins=True,
    sources=("Azure Database for PostgreSQL documentation, Private Link: limits",),
)
def az_endpoint_of_injected_server(link: Block) -> Verdict:
    """A PostgreSQL server with a private endpoint is in no virtual network itself."""
    servers = link.found("privateLinkServiceId", DBFORPOSTGRESQL_SERVER)
    if not servers:
        return NOT_APPLICABLE
    server, path = servers[0], link.at("privateLinkServiceId")
    network = server.block("network")
    message = f"{server.name} is in a virtual network itself"
    return allow(network is None or _DELEGATED not in network, message, hint="Leave the endpoint out.", path=path)


@RULES.rule(
    on=NETWORK_VIRTUAL_NETWORK,
    severity=HIGH,
    rationale="The machines of a virtual network register in one zone, and Azure rejects the second link.",
    fix="Set registrationEnabled of all links of the network but one to false.",
    joins=True,
    sources=("Azure DNS documentation, automatic registration",),
)
def az_private_zone_registration(network: View) -> Verdict:
    """At most one link of a virtual network registers its machines."""
    links = [
        link
        for link in network.referrers(PRIVATEDNS_VIRTUAL_NETWORK_LINK, "virtualNetwork.id")
        if link.flag("registrationEnabled")
    ]
    if not links:
        return NOT_APPLICABLE
    message = f"{' and '.join(link.name for link in links)} register machines of {network.name}"
    hint, path = "Set registrationEnabled of one of them to false.", "registrationEnabled"
    return allow(True, "") if len(links) == 1 else fail(message, hint=hint, path=path, urn=links[-1].urn)


@RULES.rule(
    on=NETWORK_VIRTUAL_NETWORK,
    severity=HIGH,
    rationale="Azure links a network with one zone of a name, and rejects a second one.",
    fix="Leave the link with one of the zones out, and keep the records of both in the other.",
    joins=True,
    sources=("Azure DNS documentation, private zones",),
)
def az_private_zone_once(network: View) -> Verdict:
    """A virtual network is linked with one private zone of each name."""
    links = network.referrers(PRIVATEDNS_VIRTUAL_NETWORK_LINK, "virtualNetwork.id")
    names = [(link.text("privateZoneName") or "").casefold() for link in links]

    def check(at: int) -> Verdict:
        if names[at] not in names[:at]:
            return PASS
        message = f"{links[names.index(names[at])].name} leads {network.name} to a zone {names[at]} already"
        return fail(message, hint="Leave this link out.", path="privateZoneName", urn=links[at].urn)

    return each([at for at, name in enumerate(names) if name], check)


@RULES.rule(
    on=NETWORK_PRIVATE_DNS_ZONE_GROUP,
    severity=HIGH,
    rationale=(
        "Azure accepts any zone, and clients look the service up in its own: they find the public address, which "
        "refuses them or is reached past the endpoint."
    ),
    fix=(
        "Set privateDnsZoneId to the zone that Azure has for the part of the service, such as "
        "privatelink.vaultcore.azure.net for a vault."
    ),
    joins=True,
    sources=("Azure Private Link documentation, private DNS zone values",),
)
def az_endpoint_zone(group: View) -> Verdict:
    """The zones of a private endpoint are those of the part of the service that it leads to."""
    endpoint = group.one("privateEndpointName", NETWORK_PRIVATE_ENDPOINT)
    links = [link for key in _CONNECTIONS for link in endpoint.blocks(key)] if endpoint is not None else []
    parts = [part for link in links for part in link.texts("groupIds")]
    zones = [zone for part in parts for zone in private_zones.zones_of(part)]
    if endpoint is None or not parts or not all(map(private_zones.zones_of, parts)):
        return NOT_APPLICABLE

    def check(config: Block) -> Verdict:
        zone = config.one("privateDnsZoneId", PRIVATEDNS_PRIVATE_ZONE)
        name = zone.text("privateZoneName") if zone is not None else None
        if zone is None or name is None or not name.startswith(_PREFIX) or not name.endswith(_OF_PUBLIC_CLOUD):
            return NOT_APPLICABLE
        message = f"{zone.name!r} is the zone {name}, where nobody looks for the part {' or '.join(parts)}"
        hint = f"Use {' or '.join(dict.fromkeys(zones))}."
        return allow(name in zones, message, hint=hint, path=config.at("privateDnsZoneId"))

    return each(group.blocks("privateDnsZoneConfigs"), check)
