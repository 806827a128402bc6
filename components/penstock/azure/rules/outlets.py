"""Rules on ways out of a network: public addresses, NAT gateways and routes."""

from __future__ import annotations

from penstock.azure.types import NETWORK_NAT_GATEWAY, NETWORK_PUBLIC_IP_ADDRESS, NETWORK_ROUTE_TABLE
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.rules.checks import Each, Given, Is, IsNot, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


RULES.row(
    "az-public-address-static",
    "A standard public address is static.",
    on=NETWORK_PUBLIC_IP_ADDRESS,
    check=Where(Is("sku.name", "Standard"), IsNot("publicIPAllocationMethod", "Dynamic")),
    severity=HIGH,
    rationale="Azure rejects a standard address that changes.",
    fix="Set publicIPAllocationMethod to Static.",
    sources=("Azure Virtual Network documentation, public IP addresses",),
)
RULES.row(
    "az-route-appliance",
    "A route to a virtual appliance has its address.",
    on=NETWORK_ROUTE_TABLE,
    check=Each("routes[]", Where(Is("nextHopType", "VirtualAppliance"), Given("nextHopIpAddress"))),
    severity=HIGH,
    rationale="Azure rejects the route without.",
    fix="Set nextHopIpAddress to the private address of the appliance.",
    sources=("Azure Virtual Network documentation, traffic routing",),
)


@RULES.rule(
    on=NETWORK_NAT_GATEWAY,
    each_of="publicIpAddresses",
    severity=HIGH,
    rationale="Azure rejects a basic address on a NAT gateway.",
    fix="Set sku.name of the public address to Standard.",
    joins=True,
    sources=("Azure NAT Gateway documentation, design virtual networks",),
)
def az_nat_address(link: Block) -> Verdict:
    """The public addresses of a NAT gateway are standard ones."""
    address = link.one("id", NETWORK_PUBLIC_IP_ADDRESS)
    if address is None:
        return NOT_APPLICABLE
    sku = address.block("sku")
    name = (sku.text("name") if sku is not None else None) or "Basic"
    return allow(name != "Basic", f"{address.name} is a basic address", hint="Use Standard.", path=link.at("id"))


@RULES.rule(
    on=NETWORK_NAT_GATEWAY,
    severity=HIGH,
    rationale="Azure rejects a NAT gateway in several zones, and an address of another zone than the gateway's.",
    fix="Set zones of the NAT gateway to one zone that its public addresses are in, too, or leave zones out.",
    joins=True,
    sources=("Azure NAT Gateway documentation, availability zones",),
)
def az_nat_zone(gateway: View) -> Verdict:
    """A standard NAT gateway is in one zone at most, and its public addresses are there, too."""
    zones, sku = gateway.texts("zones"), gateway.block("sku")
    if not zones or (sku is not None and sku.text("name") != "Standard"):
        return NOT_APPLICABLE
    if len(zones) > 1:
        return fail(f"the gateway is in {len(zones)} zones", hint="Use one.", path="zones")

    def check(link: Block) -> Verdict:
        address = link.one("id", NETWORK_PUBLIC_IP_ADDRESS)
        if address is None or not address.texts("zones"):
            return NOT_APPLICABLE
        message = f"{address.name} is not in zone {zones[0]}"
        return allow(zones[0] in address.texts("zones"), message, hint="Use one zone for both.", path="zones")

    return together((allow(True, ""), each(gateway.blocks("publicIpAddresses"), check)))
