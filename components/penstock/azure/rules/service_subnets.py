"""Rules on subnets that a service of Azure finds by their names: of gateways, route servers and Bastion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.azure.facts.service_subnets import BastionRule, bastion_rules, service_subnets
from penstock.azure.model.openings import AzureOpening
from penstock.azure.types import (
    NETWORK_BASTION_HOST,
    NETWORK_SECURITY_GROUP,
    NETWORK_SECURITY_RULE,
    NETWORK_SUBNET,
    NETWORK_VIRTUAL_NETWORK,
)
from penstock.core.wording import listed
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.rules.checks import All, IsNot, OneOf, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_BASTION = "AzureBastionSubnet"
_OWN = {each_.service: each_.name for each_ in service_subnets().values() if each_.service is not None}
"""The subnet that each service is created in."""

RULES.row(
    "az-bastion-standard",
    "A basic Bastion has none of the features of a standard one.",
    on=NETWORK_BASTION_HOST,
    check=Where(
        OneOf("sku.name", ("Basic", "Developer")),
        All(*(IsNot(name, True) for name in ("enableTunneling", "enableIpConnect", "enableShareableLink"))),
    ),
    severity=HIGH,
    rationale="Azure rejects native clients, connections by address and links on Bastion of the tiers below Standard.",
    fix="Set sku.name to Standard, or leave the feature out.",
    sources=("Azure Bastion documentation, configuration settings",),
)
_ANYWHERE = ("*", "0.0.0.0/0")


@RULES.rule(
    on=(NETWORK_SUBNET, NETWORK_VIRTUAL_NETWORK),
    severity=HIGH,
    rationale="Gateways, route servers and Bastion route by themselves, and Azure rejects what would change their way.",
    fix="Leave the property out of the subnet, or use another subnet for what needs it.",
    sources=(
        "Azure VPN Gateway documentation, gateway settings",
        "Azure NAT Gateway documentation, troubleshoot",
        "Azure Bastion documentation, FAQ",
        "Azure Route Server documentation, FAQ",
    ),
)
def az_subnet_of_service_alone(view: View) -> Verdict:
    """The subnets of gateways, route servers and Bastion have no property that the service refuses."""

    def check(subnet: Block) -> Verdict:
        found = service_subnets().get(subnet.text("subnetName" if view.type == NETWORK_SUBNET else "name") or "")
        if found is None:
            return NOT_APPLICABLE
        return each(
            found.refuses,
            lambda key: allow(
                key not in subnet, f"{found.name} takes no {key}", hint="Leave it out.", path=subnet.at(key)
            ),
        )

    return each([view] if view.type == NETWORK_SUBNET else view.blocks("subnets"), check)


@RULES.rule(
    on=tuple(_OWN),
    each_of="ipConfigurations",
    severity=HIGH,
    rationale="Bastion, firewalls and gateways are created in the subnet of their name, and in no other.",
    fix="Set subnetName of the subnet to the name that Azure has for the service, such as AzureBastionSubnet.",
    joins=True,
    sources=(
        "Azure Bastion documentation, configuration settings",
        "Azure Firewall documentation, FAQ",
        "Azure VPN Gateway documentation, gateway settings",
    ),
)
def az_service_subnet_name(config: Block) -> Verdict:
    """Bastion, a firewall or a gateway is in the subnet that has its name."""
    link = config.block("subnet")
    subnet = link.one("id", NETWORK_SUBNET) if link is not None else None
    name = subnet.text("subnetName") if subnet is not None else None
    if link is None or name is None:
        return NOT_APPLICABLE
    wanted = _OWN[config.owner.type]
    return allow(name == wanted, f"the subnet is called {name}", hint=f"Call it {wanted}.", path=link.at("id"))


@RULES.rule(
    on=NETWORK_SUBNET,
    severity=HIGH,
    rationale="Azure rejects the security group with NetworkSecurityGroupNotCompliantForAzureBastionSubnet.",
    fix=(
        "Add the rules that Bastion needs to the security group: inbound 443 from Internet, GatewayManager and "
        "AzureLoadBalancer, outbound 22 and 3389 to VirtualNetwork, 443 to AzureCloud and 80 to Internet, and 8080 and "
        "5701 within VirtualNetwork both ways. Or leave networkSecurityGroup out."
    ),
    joins=True,
    sources=("Azure Bastion documentation, network security groups",),
)
def az_bastion_openings(subnet: View) -> Verdict:
    """A security group of AzureBastionSubnet allows all that Bastion needs."""
    link = subnet.block("networkSecurityGroup") if subnet.text("subnetName") == _BASTION else None
    group = link.one("id", NETWORK_SECURITY_GROUP) if link is not None else None
    if group is None:
        return NOT_APPLICABLE
    beside = group.referrers(NETWORK_SECURITY_RULE, "networkSecurityGroupName")
    openings = [AzureOpening(rule) for rule in (*group.blocks("securityRules"), *beside)]
    closed = [needed for needed in bastion_rules() if not _is_open(openings, needed)]
    message = f"{group.name} does not allow {listed([_described(needed) for needed in closed])}"
    return allow(not closed, message, hint="Allow it.", path="networkSecurityGroup.id")


def _is_open(openings: Sequence[AzureOpening], needed: BastionRule) -> bool:
    return all(any(_allows(opening, needed, port) for opening in openings) for port in needed.ports)


def _described(needed: BastionRule) -> str:
    ends = f"from {needed.source_prefix} to {needed.destination_prefix}"
    return f"{needed.direction.lower()} {' and '.join(map(str, needed.ports))} {ends}"


def _allows(opening: AzureOpening, needed: BastionRule, port: int) -> bool:
    """Return whether a rule allows the traffic to a port; a rule that is wider does, too."""
    return (
        opening.allows
        and opening.direction == needed.direction.casefold()
        and opening.reach.touches([port])
        and _covers(opening.sources[1], needed.source_prefix)
        and _covers(opening.destinations[1], needed.destination_prefix)
    )


def _covers(given: list[Any], prefix: str) -> bool:
    if prefix == "*":
        return True  # what is narrower still is traffic that Bastion has
    return any(text in _ANYWHERE or str(text).casefold() == prefix.casefold() for text in given)
