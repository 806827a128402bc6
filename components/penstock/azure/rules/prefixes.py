"""Rules on the prefixes of virtual networks and subnets: whole ranges, and not too small."""

from __future__ import annotations

from ipaddress import ip_interface

from penstock.azure.rules.ranges import ranges_of_subnet
from penstock.azure.types import NETWORK_SUBNET, NETWORK_VIRTUAL_NETWORK
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=(NETWORK_VIRTUAL_NETWORK, NETWORK_SUBNET),
    severity=HIGH,
    rationale="Azure rejects what is not the prefix of a whole range, such as 10.0.0.1/16.",
    fix="Set the prefix to the first address of the range and its length, such as 10.0.0.0/16.",
    sources=("Azure Virtual Network documentation, FAQ",),
)
def az_network_prefix(view: View) -> Verdict:
    """The prefixes of virtual networks and subnets begin at their range, and have its length."""
    space = view if view.type == NETWORK_SUBNET else view.block("addressSpace")
    if space is None:
        return NOT_APPLICABLE
    single = space.text("addressPrefix") if view.type == NETWORK_SUBNET else None
    places = [(text, space.at(f"addressPrefixes[{at}]")) for at, text in enumerate(space.texts("addressPrefixes"))]
    places += [(single, space.at("addressPrefix"))] if single is not None else []
    return each(places, lambda place: _whole(*place))


@RULES.rule(
    on=NETWORK_SUBNET,
    severity=HIGH,
    rationale="Azure keeps five addresses of each subnet, and rejects one that is smaller than /29.",
    fix="Set addressPrefix to a range of /29 or larger.",
    sources=("Azure Virtual Network documentation, FAQ",),
)
def az_subnet_least(subnet: View) -> Verdict:
    """A subnet has a range of /29 or larger."""
    least = limits.find_limit("subnet_prefix", "azure").most
    return each(
        ranges_of_subnet(subnet),
        lambda own: allow(
            own.cidr.prefixlen <= least, f"{own.cidr} is too small", hint=f"Use a /{least} or larger.", path=own.path
        ),
    )


def _whole(text: str, path: str) -> Verdict:
    try:
        found = ip_interface(text)
    except ValueError:
        return fail(f"{text!r} is not a prefix", hint="Use one such as 10.0.0.0/16.", path=path)
    whole = "/" in text and found.ip == found.network.network_address
    return allow(whole, f"{text} does not begin at its range", hint=f"Use {found.network}.", path=path)
