"""The way between the machines of a fabric: in a network of its own, nothing comes in unless a rule lets it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Network

from penstock.resources.verdict import NOT_APPLICABLE, PASS, Misfit, NotKnown, Verdict, fail
from penstock.resources.view import Block, Site, View
from penstock.rules.gcp import nodes, profiles, ranges, wiring
from penstock.rules.gcp.types import FIREWALL, NETWORK, SUBNETWORK
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_ANY_TCP = ("tcp", "all", "6")
_POLICY = "FirewallPolicy"


@RULES.rule(
    "gcp-fabric-firewall-ingress",
    on=NETWORK,
    severity=MEDIUM,
    rationale="VPC networks deny ingress by default, so the nodes start but do not reach each other over this network.",
    fix="Create a Firewall in the network that allows tcp, udp and icmp from the ranges of its subnetworks.",
    reads=("name", "networkProfile"),
    joins=True,
    sources=(
        "VPC documentation, firewall rules: implied deny ingress",
        "cluster-toolkit 1.95, modules/network/multivpc",
    ),
)
def machines_of_a_fabric_reach_each_other(network: View) -> Verdict:
    """A network of additional interfaces of several nodes has a firewall rule that allows TCP from its own ranges."""
    users = network.site.once(_pools_by_network).get(network.urn)
    if users is None:
        return NOT_APPLICABLE
    if any(_POLICY in resource.type for resource in network.site.graph):
        raise NotKnown
    own = [
        found.cidr
        for subnetwork in network.referrers(SUBNETWORK, "network")
        if (found := next(ranges.of_subnetwork(subnetwork), None)) is not None
    ]
    if not own:
        return NOT_APPLICABLE
    if any(_admits(firewall, own) for firewall in network.referrers(FIREWALL, "network")):
        return PASS
    return fail(
        f"no firewall rule lets the nodes of {users} reach each other over this network",
        hint=f"Make a Firewall in it that allows tcp, udp and icmp from {own[0]}.",
    )


def _pools_by_network(site: Site) -> dict[str, str]:
    """The names of pools of several nodes, by the networks of their further interfaces that take firewall rules."""
    found: dict[str, str] = {}
    for pool in nodes.all_pools(site):
        try:
            if pool.machine is None or pool.machine.fabric is None or nodes.most(pool) < 2:  # noqa: PLR2004 - several
                continue
            for network in wiring.networks(pool):
                if profiles.of_network(network) is None:
                    found.setdefault(network.urn, pool.view.name)
        except (NotKnown, Misfit):
            continue
    return found


def _admits(firewall: View, own: list[IPv4Network]) -> bool:
    """Whether a rule lets TCP in from the network's own addresses; one by tags or accounts is taken at its word."""
    if (firewall.text("direction") or "INGRESS") != "INGRESS" or firewall.flag("disabled"):
        return False
    if not any(_is_tcp(opening) for opening in firewall.blocks("allows")):
        return False
    if firewall.count("sourceTags") or firewall.count("sourceServiceAccounts"):
        return True
    return any(cidr.overlaps(source) for cidr in own for source in _sources(firewall))


def _sources(firewall: View) -> Iterator[IPv4Network]:
    for text in firewall.texts("sourceRanges"):
        with suppress(ValueError):  # another rule tells of what is no range
            yield IPv4Network(text, strict=False)


def _is_tcp(opening: Block) -> bool:
    return (opening.text("protocol") or "").lower() in _ANY_TCP
