"""Rules on virtual networks that are peered, and on gateways that they share."""

from __future__ import annotations

from typing import Final

from penstock.azure.rules.ranges import ranges_of_network
from penstock.azure.types import NETWORK_SUBNET, NETWORK_VIRTUAL_NETWORK, NETWORK_VIRTUAL_NETWORK_PEERING
from penstock.core.cidr import shared_range
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.model.order import comes_after
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_GATEWAY: Final = "azure-native:network:VirtualNetworkGateway"
_SOURCE: Final = "Azure VPN Gateway documentation, gateway transit for peerings"


@RULES.rule(
    on=NETWORK_VIRTUAL_NETWORK_PEERING,
    severity=HIGH,
    rationale="Azure rejects a peering that uses a gateway which the other network does not share.",
    fix="Set allowGatewayTransit of the peering in the other direction to true, or useRemoteGateways to false.",
    joins=True,
    sources=(_SOURCE,),
)
def az_peering_transit(peering: View) -> Verdict:
    """A network whose gateway a peering uses shares it in its own peering."""
    own, remote = _ends(peering) if peering.flag("useRemoteGateways") else (None, None)
    if own is None or remote is None:
        return NOT_APPLICABLE
    back = [
        other
        for other in remote.referrers(NETWORK_VIRTUAL_NETWORK_PEERING, "virtualNetworkName")
        if _leads_to(other, own)
    ]

    def check(other: View) -> Verdict:
        message = f"{other.name} does not share the gateway of {remote.name}"
        hint = "Set its allowGatewayTransit to true."
        return allow(other.flag("allowGatewayTransit"), message, hint=hint, path="useRemoteGateways")

    return each(back, check)


@RULES.rule(
    on=NETWORK_VIRTUAL_NETWORK_PEERING,
    severity=MEDIUM,
    rationale="Azure accepts one peering alone, which stays Initiated: nothing goes between the networks.",
    fix="Create a VirtualNetworkPeering in the other direction, too.",
    joins=True,
    sources=("Azure Virtual Network documentation, virtual network peering",),
)
def az_peering_both_ways(peering: View) -> Verdict:
    """Two networks of a program that are peered are peered in both directions."""
    own, remote = _ends(peering)
    if own is None or remote is None or own.resource.external or remote.resource.external:
        return NOT_APPLICABLE
    back = any(
        _leads_to(other, own) for other in remote.referrers(NETWORK_VIRTUAL_NETWORK_PEERING, "virtualNetworkName")
    )
    message = f"no peering leads from {remote.name!r} back to {own.name!r}"
    return allow(back, message, hint="Create one.", path="remoteVirtualNetwork.id")


@RULES.rule(
    on=NETWORK_VIRTUAL_NETWORK_PEERING,
    severity=HIGH,
    rationale="Azure rejects the peering with RemoteVnetHasNoGateways while the other network has no gateway.",
    fix="Add the gateway of the other network to depends_on of the peering, or set useRemoteGateways to false.",
    joins=True,
    sources=(_SOURCE,),
)
def az_peering_remote_gateway(peering: View) -> Verdict:
    """The gateway that a peering uses is created before it."""
    _, remote = _ends(peering) if peering.flag("useRemoteGateways") else (None, None)
    if remote is None:
        return NOT_APPLICABLE
    gateways = _gateways(remote)
    path = "useRemoteGateways"
    if not gateways:
        return fail(f"{remote.name} has no gateway", hint="Use false, or create one first.", path=path)
    message = f"the peering does not come after {gateways[0].name}, the gateway of {remote.name}"
    return allow(
        any(comes_after(peering, gateway) for gateway in gateways), message, hint="Add it to depends_on.", path=path
    )


@RULES.rule(
    on=NETWORK_VIRTUAL_NETWORK_PEERING,
    severity=HIGH,
    rationale="Azure rejects the second peering with VnetAddressSpaceOverlapsWithAlreadyPeeredVnet.",
    fix="Set addressSpace of one of the networks to other ranges.",
    joins=True,
    sources=("Azure Virtual Network documentation, manage peerings: requirements",),
)
def az_peering_no_overlap_beside(peering: View) -> Verdict:
    """The networks that one network is peered with do not have overlapping ranges."""
    own, remote = _ends(peering)
    if own is None or remote is None:
        return NOT_APPLICABLE
    beside = own.referrers(NETWORK_VIRTUAL_NETWORK_PEERING, "virtualNetworkName")
    before = beside[: [each_.urn for each_ in beside].index(peering.urn)]

    def check(other: View) -> Verdict:
        _, peer = _ends(other)
        if peer is None or peer.urn == remote.urn:
            return NOT_APPLICABLE
        both = shared_range(ranges_of_network(peer), ranges_of_network(remote))
        message = f"{remote.name} and {peer.name}, which {other.name} leads to, both have addresses in {both}"
        return allow(both is None, message, hint="Use other ranges in one of them.", path="remoteVirtualNetwork.id")

    return each(before, check)


@RULES.rule(
    on=NETWORK_VIRTUAL_NETWORK_PEERING,
    severity=HIGH,
    rationale="Azure rejects the gateway of another network beside one's own, or beside that of a third.",
    fix="Set useRemoteGateways to false, or remove the network's own gateway.",
    joins=True,
    sources=(_SOURCE,),
)
def az_peering_one_gateway(peering: View) -> Verdict:
    """A network that uses the gateway of another has none itself, and uses that of one only."""
    own = peering.one("virtualNetworkName", NETWORK_VIRTUAL_NETWORK) if peering.flag("useRemoteGateways") else None
    if own is None:
        return NOT_APPLICABLE
    path, hint = "useRemoteGateways", "Use false."
    gateways = _gateways(own)
    if gateways:
        return fail(f"{own.name} has a gateway itself, {gateways[0].name}", hint=hint, path=path)
    using = [
        other
        for other in own.referrers(NETWORK_VIRTUAL_NETWORK_PEERING, "virtualNetworkName")
        if other.flag("useRemoteGateways")
    ]
    first = using[0] if using else peering
    return allow(first.urn == peering.urn, f"{first.name} uses another gateway already", hint=hint, path=path)


def _gateways(network: View) -> list[View]:
    subnets = network.referrers(NETWORK_SUBNET, "virtualNetworkName")
    return [gate for subnet in subnets for gate in subnet.referrers(_GATEWAY, "ipConfigurations[].subnet.id")]


def _ends(peering: View) -> tuple[View | None, View | None]:
    remote = peering.block("remoteVirtualNetwork")
    return peering.one("virtualNetworkName", NETWORK_VIRTUAL_NETWORK), remote.one(
        "id", NETWORK_VIRTUAL_NETWORK
    ) if remote is not None else None


def _leads_to(peering: View, network: View) -> bool:
    _, remote = _ends(peering)
    return remote is not None and remote.urn == network.urn
