"""Rules on regions: they exist, and what is in a virtual network is in its region."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from penstock.azure.model.places import name_of_location, region
from penstock.azure.types import (
    NETWORK_NAT_GATEWAY,
    NETWORK_PRIVATE_ENDPOINT,
    NETWORK_ROUTE_TABLE,
    NETWORK_SECURITY_GROUP,
    NETWORK_SUBNET,
    NETWORK_VIRTUAL_NETWORK,
    STORAGECACHE_AML_FILESYSTEM,
)
from penstock.catalog.regions import all_regions
from penstock.catalog.tables import rows
from penstock.core.wording import did_you_mean
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.repeated import first_holders
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_BESIDE: Final = {
    "networkSecurityGroup": NETWORK_SECURITY_GROUP,
    "natGateway": NETWORK_NAT_GATEWAY,
    "routeTable": NETWORK_ROUTE_TABLE,
}
"""What a subnet names by its id, and what is then in the region of its network."""


_PROVIDER: Final = "pulumi:providers:azure-native"
_SEPARATE: Final = re.compile(
    r"(usgov|usdod|usnat|ussec|china).+|.+(euap|stg|stage|staging)|edge.*|.*(edgezone|extended).*"
)
"""Regions of clouds with accounts of their own, and those of early access, which the catalogue does not have."""

_first_locations = partial(first_holders, "azure-native", ("location",), name_of_location)


@RULES.rule(
    on=("azure-native:*", _PROVIDER),
    severity=HIGH,
    rationale="Resource Manager answers LocationNotAvailableForResourceType or InvalidLocation.",
    fix="Set location, or azure-native:location of the stack's configuration, to an existing region.",
    joins=True,
    sources=("Azure Resource Manager, locations (catalogue, azure_regions)",),
)
def az_location_exists(view: View) -> Verdict:
    """The location of a provider or a resource exists; a wrong one is reported at the first that names it."""
    given = view.text("location")
    if not given:
        return NOT_APPLICABLE
    name = name_of_location(given)
    known = tuple(region.name for region in all_regions("azure"))
    if name in known or any(row["location"] == name for row in rows("azure/geographies")):
        return PASS
    if _SEPARATE.fullmatch(name):
        raise NotKnown
    if view.site.once(_first_locations)[name] != (view.urn, "location"):
        return NOT_APPLICABLE
    hint = did_you_mean(name, known) or "Use one such as eastus."
    return fail(f"location {given} does not exist", hint=hint, path="location")


@RULES.rule(
    on=NETWORK_SUBNET,
    severity=HIGH,
    rationale="Azure rejects a security group, a NAT gateway or a route table of another region.",
    fix="Set location of what the subnet names to that of the virtual network.",
    joins=True,
    sources=("Azure Virtual Network documentation, FAQ",),
)
def az_subnet_region(subnet: View) -> Verdict:
    """The security group, NAT gateway and route table of a subnet are in the region of its virtual network."""

    def check(key: str) -> Verdict:
        block = subnet.block(key)
        named = block.one("id", _BESIDE[key]) if block is not None else None
        if block is None or named is None:
            return NOT_APPLICABLE
        return _together(named, subnet, block.at("id"))

    return each(_BESIDE, check)


@RULES.rule(
    on=(NETWORK_PRIVATE_ENDPOINT, STORAGECACHE_AML_FILESYSTEM),
    severity=HIGH,
    rationale="Azure rejects a subnet of another region.",
    fix="Set location to that of the virtual network.",
    joins=True,
    sources=(
        "Azure Private Link documentation, private endpoints",
        "Azure Managed Lustre documentation, prerequisites",
    ),
)
def az_region_of_subnet(view: View) -> Verdict:
    """Private endpoints and file systems are in the region of their subnet."""
    holder: Block | None = view if view.type == STORAGECACHE_AML_FILESYSTEM else view.block("subnet")
    subnet = (
        holder.one("filesystemSubnet" if view.type == STORAGECACHE_AML_FILESYSTEM else "id", NETWORK_SUBNET)
        if holder
        else None
    )
    return NOT_APPLICABLE if subnet is None else _together(view, subnet, "location")


def _together(view: View, subnet: View, path: str) -> Verdict:
    network = subnet.one("virtualNetworkName", NETWORK_VIRTUAL_NETWORK)
    if network is None:
        return NOT_APPLICABLE
    own, wanted = region(view), region(network)
    message = f"{view.name} is in {own}, and {network.name} in {wanted}"
    return allow(own == wanted, message, hint=f"Use {wanted}.", path=path)
