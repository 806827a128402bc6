"""The way between the machines of a fabric: in a network of its own, nothing comes in unless a rule lets it."""

from __future__ import annotations

from ipaddress import IPv4Network

from penstock.core.cidr import overlaps
from penstock.gcp.model.gke import program_gke_pools
from penstock.gcp.model.openings import firewall_opening
from penstock.gcp.rules import profiles, ranges, wiring
from penstock.gcp.types import COMPUTE_FIREWALL, COMPUTE_NETWORK, COMPUTE_SUBNETWORK
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, fail
from penstock.graph.view import Site, View
from penstock.model.openings.addresses import has_unknown, networks_of
from penstock.model.openings.reach import ALL
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_POLICY = "FirewallPolicy"


@RULES.rule(
    on=COMPUTE_NETWORK,
    severity=MEDIUM,
    rationale="VPC networks deny ingress by default, so the nodes start but do not reach each other over the network.",
    fix="Create a Firewall in the network that allows tcp, udp and icmp from the ranges of its subnetworks.",
    joins=True,
    sources=(
        "VPC documentation, firewall rules: implied deny ingress",
        "cluster-toolkit 1.95, modules/network/multivpc",
    ),
)
def gcp_fabric_firewall_ingress(network: View) -> Verdict:
    """A network of additional interfaces of several nodes has a firewall rule that allows TCP from its own ranges."""
    users = network.site.once(_pools_by_network).get(network.urn)
    if users is None:
        return NOT_APPLICABLE
    if any(_POLICY in resource.type for resource in network.site.graph):
        raise NotKnown
    own = [
        found.cidr
        for subnetwork in network.referrers(COMPUTE_SUBNETWORK, "network")
        if (found := next(ranges.of_subnetwork(subnetwork), None)) is not None
    ]
    if not own:
        return NOT_APPLICABLE
    if any(_admits(firewall, own) for firewall in network.referrers(COMPUTE_FIREWALL, "network")):
        return PASS
    return fail(
        f"no firewall rule lets the nodes of {users} reach each other over the network",
        hint=f"Add a Firewall to the network that allows tcp, udp and icmp from {own[0]}.",
    )


def _pools_by_network(site: Site) -> dict[str, str]:
    """The names of pools of several nodes, by the networks of their further interfaces that take firewall rules."""
    found: dict[str, str] = {}
    for pool in program_gke_pools(site):
        try:
            if pool.machine is None or pool.machine.fabric is None or pool.most() < 2:  # noqa: PLR2004 - several
                continue
            for network in wiring.networks(pool):
                if profiles.of_network(network) is None:
                    found.setdefault(network.urn, pool.view.name)
        except (NotKnown, TypeMismatch):
            continue
    return found


def _admits(firewall: View, own: list[IPv4Network]) -> bool:
    """Return whether a rule lets TCP in from the network's own addresses; sources by tag or account count as such."""
    opening = firewall_opening(firewall)
    if not opening.lets_in or not any(opening.reach(each).protocol in ("tcp", ALL) for each in opening.admitted):
        return False
    if opening.names_machines:
        return True
    sources = opening.sources
    if has_unknown(sources):
        raise NotKnown
    found = (network for text in sources for network in networks_of(str(text)))
    return any(overlaps(cidr, network) for network in found for cidr in own)
