"""What a program itself builds as a way into a network: connectors such as VPNs, and machines that people get on to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Final

from penstock.catalog.ways_in import connector_kinds
from penstock.model.endpoints import aks, eks, gke
from penstock.model.openings.addresses import networks_of
from penstock.model.openings.gcp import firewall_opening
from penstock.resources.verdict import NotKnown, TypeMismatch
from penstock.resources.view import Site, View

_AWS_INSTANCE: Final = "aws:ec2/instance:Instance"
_GCP_INSTANCE: Final = "gcp:compute/instance:Instance"
_GCP_SUBNETWORK: Final = "gcp:compute/subnetwork:Subnetwork"
_GCP_FIREWALL: Final = "gcp:compute/firewall:Firewall"

_IAP: Final = IPv4Network("35.235.240.0/20")
"""Where tunnels of Google's Identity-Aware Proxy come from (IAP documentation, TCP forwarding)."""

_HOLDERS: Final = {
    eks.SUBNET: ("vpcId", eks.VPC),
    _GCP_SUBNETWORK: ("network", gke.NETWORK),
    "gcp:compute/router:Router": ("network", gke.NETWORK),
    aks.SUBNET: ("virtualNetworkName", aks.NETWORK),
}
"""The property by which something in a network names that network."""


@dataclass(frozen=True, slots=True)
class WayIn:
    """A way into a network: what it is, and the resource."""

    what: str
    view: View


def ways_in(network: View) -> list[WayIn]:
    """Return the ways into a network that its own program builds; a resource whose network is not known is left out."""
    return [way for way, reached in network.site.once(_all_ways) if reached == network.urn]


def _all_ways(site: Site) -> list[tuple[WayIn, str]]:
    """Every way in of a program, with the URN of the network that it leads to."""
    found = [
        (WayIn(kind.what, view), urn)
        for kind in connector_kinds()
        for view in site.of_type(kind.type)
        for urn in _networks(view, kind.property, kind.of)
    ]
    machines: list[tuple[str, str, str, str, Callable[[View], bool]]] = [
        (_AWS_INSTANCE, "subnetId", eks.SUBNET, "machine reached by Session Manager", _takes_sessions),
        (_GCP_INSTANCE, "networkInterfaces[].subnetwork", _GCP_SUBNETWORK, "machine reached by IAP", _takes_tunnels),
        (_GCP_INSTANCE, "networkInterfaces[].network", gke.NETWORK, "machine reached by IAP", _takes_tunnels),
    ]
    for type_, path, of, what, is_reached in machines:
        found += [
            (WayIn(what, view), urn)
            for view in site.of_type(type_)
            for urn in _networks(view, path, of)
            if _surely(is_reached, view)
        ]
    return list({(way.view.urn, urn): (way, urn) for way, urn in found}.values())


def _networks(view: View, path: str, of: str) -> Iterator[str]:
    """The URNs of the networks of the program that a property leads to."""
    try:
        for target in view.found(path, of):
            if of in _HOLDERS:
                key, type_ = _HOLDERS[of]
                network = target.one(key, type_)
                if network is not None:
                    yield network.urn
            else:
                yield target.urn
    except (NotKnown, TypeMismatch):
        return


def _takes_sessions(machine: View) -> bool:
    """Return whether people get on to a machine: with a role for Session Manager, or at a public address by key."""
    return "iamInstanceProfile" in machine or bool(machine.flag("associatePublicIpAddress") and "keyName" in machine)


def _takes_tunnels(machine: View) -> bool:
    """Return whether people get on to a machine: at a public address, or through a firewall that admits IAP."""
    if any(location.value is not None for location in machine.locations("networkInterfaces[].accessConfigs[]")):
        return True
    return any(_surely(_admits_iap, firewall) for firewall in machine.site.of_type(_GCP_FIREWALL))


def _admits_iap(firewall: View) -> bool:
    opening = firewall_opening(firewall)
    ranges = [network for text in opening.sources for network in networks_of(str(text))]
    return opening.lets_in and any(isinstance(each, IPv4Network) and _IAP.subnet_of(each) for each in ranges)


def _surely(check: Callable[[View], bool], view: View) -> bool:
    """Return whether a check holds; a value that is not known yet may be the one that makes it hold."""
    try:
        return check(view)
    except NotKnown:
        return True
    except TypeMismatch:
        return False
