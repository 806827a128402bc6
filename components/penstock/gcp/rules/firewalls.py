"""Firewall rules: what they may say, and networks that take none."""

from __future__ import annotations

import re

from penstock.catalog import limits
from penstock.core.cidr import any_range
from penstock.core.wording import listed
from penstock.gcp.rules import profiles
from penstock.gcp.types import COMPUTE_FIREWALL, COMPUTE_NETWORK
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.checks import Absent, All, Either, Given, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_TAGS = ("sourceTags", "targetTags")
_ACCOUNTS = ("sourceServiceAccounts", "targetServiceAccounts")
_SOURCES = ("sourceRanges", "sourceTags", "sourceServiceAccounts")
_PORTS = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")
_PROTOCOLS = ("tcp", "udp", "icmp", "icmpv6", "esp", "ah", "ipip", "sctp", "all")
_WITH_PORTS = ("tcp", "udp", "sctp", "6", "17", "132")


@RULES.rule(
    on=COMPUTE_FIREWALL,
    severity=HIGH,
    rationale=(
        "RoCE networks support only regional network firewall policies, and Google Cloud refuses VPC firewall rules "
        "for them."
    ),
    fix="Leave the Firewall out; without a policy the network lets all traffic pass.",
    joins=True,
    sources=("Cloud NGFW documentation, RoCE VPC networks (catalogue, gcp_network_profiles)",),
)
def gcp_fw_no_roce_rules(firewall: View) -> Verdict:
    """A network for RoCE has no VPC firewall rules."""
    network = firewall.one("network", COMPUTE_NETWORK)
    profile = profiles.of_network(network)
    if network is None or profile is None:
        return NOT_APPLICABLE if network is None else PASS
    facts = profile.facts
    if facts is None or facts.firewall_rules is None:
        raise NotKnown
    message = f"a network with {facts.name} takes no firewall rules, and allows all traffic"
    return allow(facts.firewall_rules, message, hint="Leave the rule out.", path="network")


@RULES.rule(
    on=COMPUTE_FIREWALL,
    severity=HIGH,
    rationale=(
        "The provider rejects ingress rules without a source, and the API egress rules with source tags or source "
        "service accounts."
    ),
    fix="Set sourceRanges, sourceTags or sourceServiceAccounts for INGRESS, and destinationRanges for EGRESS.",
    sources=(
        "Compute API v1, discovery document, Firewall.direction",
        "terraform-provider-google-beta 93c65b2, compute_firewall: a source for what comes in",
    ),
)
def gcp_fw_direction_sources(firewall: View) -> Verdict:
    """An ingress firewall rule names its sources, and an egress rule names no tags or service accounts as sources."""
    direction = firewall.text("direction") or "INGRESS"
    if direction not in ("INGRESS", "EGRESS"):
        return NOT_APPLICABLE
    given = [key for key in _SOURCES if firewall.count(key)]
    if direction == "INGRESS":
        hint = "Name them in sourceRanges, sourceTags or sourceServiceAccounts."
        return allow(given, "an ingress rule needs sources, and none are set", hint=hint, path="sourceRanges")
    wrong = [key for key in given if key != "sourceRanges"]
    message = f"an egress rule takes no sources, and {' and '.join(wrong)} are set"
    hint = "Leave them out, and name destinationRanges."
    return allow(not wrong, message, hint=hint, path=wrong[0] if wrong else "")


RULES.row(
    "gcp-fw-tags-or-accounts",
    "A firewall rule selects machines by network tags or by service accounts, and not by both.",
    on=COMPUTE_FIREWALL,
    check=Where(
        Either(*map(Given, (*_TAGS, *_ACCOUNTS))), Either(All(*map(Absent, _ACCOUNTS)), All(*map(Absent, _TAGS)))
    ),
    severity=HIGH,
    rationale="The API rejects tags together with service accounts in one rule.",
    fix="Use sourceTags and targetTags alone, or sourceServiceAccounts and targetServiceAccounts alone.",
    sources=("Compute API v1, discovery document, Firewall.sourceServiceAccounts and targetServiceAccounts",),
)


@RULES.rule(
    on=COMPUTE_FIREWALL,
    severity=HIGH,
    rationale="The provider requires exactly one of the two.",
    fix="Set either allows or denies, and create two rules where both are needed.",
    sources=("terraform-provider-google-beta 93c65b2, compute_firewall: exactly one of allow and deny",),
)
def gcp_fw_allow_or_deny(firewall: View) -> Verdict:
    """A firewall rule either allows or denies traffic."""
    allows, denies = firewall.count("allows"), firewall.count("denies")
    if allows and denies:
        return fail("allows and denies exclude one another", hint="Make two rules out of it.", path="denies")
    hint = "Name protocols and ports in allows or in denies."
    return allow(allows or denies, "neither allows nor denies is set", hint=hint, path="allows")


@RULES.rule(
    on=COMPUTE_FIREWALL,
    severity=HIGH,
    rationale="The API rejects other priorities.",
    fix="Set priority to a number from 0 to 65535.",
    sources=("Compute API v1, discovery document, Firewall.priority",),
)
def gcp_fw_priority(firewall: View) -> Verdict:
    """The priority of a firewall rule is from 0 to 65535."""
    priority = firewall.integer("priority")
    if priority is None:
        return NOT_APPLICABLE
    most = limits.find_limit("firewall_priority", "gcp").most
    hint = f"Use {min(max(priority, 0), most)}."
    return allow(0 <= priority <= most, f"priority {priority} is out of range", hint=hint, path="priority")


@RULES.rule(
    on=COMPUTE_FIREWALL,
    severity=HIGH,
    rationale="The API rejects other texts, and ports of protocols other than TCP, UDP and SCTP.",
    fix="Set ports to numbers or ranges such as 443 or 8000-9000, with protocol tcp, udp or sctp.",
    sources=("Compute API v1, discovery document, Firewall.allowed: ports of TCP, UDP and SCTP",),
)
def gcp_fw_ports(firewall: View) -> Verdict:
    """Ports of a firewall rule are numbers or ranges such as 8000-9000, of a protocol that has ports."""
    openings = [*firewall.blocks("allows"), *firewall.blocks("denies")]
    return each((each_ for each_ in openings if each_.count("ports")), _ports)


@RULES.rule(
    on=COMPUTE_FIREWALL,
    each_of=lambda firewall: [*firewall.blocks("allows"), *firewall.blocks("denies")],
    severity=HIGH,
    rationale="The API rejects other protocols.",
    fix="Set protocol to tcp, udp, icmp, icmpv6, esp, ah, ipip, sctp, all or a protocol number.",
    sources=("Compute API v1, discovery document, Firewall.allowed.IPProtocol",),
)
def gcp_fw_protocol(opening: Block) -> Verdict:
    """The protocol of a firewall rule is a name that Google Cloud knows, all, or a number from 0 to 255."""
    protocol = (opening.text("protocol") or "").lower()
    number = int(protocol) if protocol.isdecimal() else None
    good = protocol in _PROTOCOLS if number is None else number <= limits.find_limit("ip_protocol", "gcp").most
    hint = f"Use one of {listed(_PROTOCOLS)}, or a number."
    return allow(good, f"{protocol!r} is not a protocol", hint=hint, path=opening.at("protocol"))


@RULES.rule(
    on=COMPUTE_FIREWALL,
    severity=HIGH,
    rationale="The API rejects other texts.",
    fix="Set sourceRanges and destinationRanges to ranges such as 10.0.0.0/8.",
    sources=("Compute API v1, discovery document, Firewall.sourceRanges and destinationRanges: CIDR",),
)
def gcp_fw_ranges(firewall: View) -> Verdict:
    """Sources and destinations of a firewall rule are address ranges in CIDR notation."""

    def check(key: str) -> Verdict:
        for text in firewall.texts(key):
            if any_range(text) is None:
                return fail(f"{text!r} is not a range of addresses", hint="Write one such as 10.0.0.0/8.", path=key)
        return PASS

    return each((key for key in ("sourceRanges", "destinationRanges") if key in firewall), check)


def _ports(opening: Block) -> Verdict:
    protocol, path = (opening.text("protocol") or "").lower(), opening.at("ports")
    if protocol not in _WITH_PORTS:
        hint = "Leave the ports out, or name tcp or udp."
        return fail(f"protocol {protocol!r} has no ports", hint=hint, path=path)
    highest = limits.find_limit("port", "gcp").most
    for text in opening.texts("ports"):
        found = _PORTS.fullmatch(text)
        first, last = (int(found[1]), int(found[2] or found[1])) if found is not None else (1, 0)
        if not first <= last <= highest:
            hint = "Write one such as 443, or a range such as 8000-9000."
            return fail(f"{text!r} is not a port or range of ports", hint=hint, path=path)
    return PASS
