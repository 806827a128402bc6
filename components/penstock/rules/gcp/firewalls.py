"""Firewall rules: what they may say, and networks that take none."""

from __future__ import annotations

import re
from ipaddress import ip_network

from penstock.catalog import limits
from penstock.resources.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.resources.view import Block, View
from penstock.rules.gcp import profiles
from penstock.rules.gcp.types import FIREWALL, NETWORK
from penstock.rules.rule import rule
from penstock.wording import listed

_API = "Compute API v1, discovery document, Firewall"
_PROVIDER = "terraform-provider-google-beta 93c65b2, compute_firewall"
_SOURCES = ("sourceRanges", "sourceTags", "sourceServiceAccounts")
_PORTS = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")
_PROTOCOLS = ("tcp", "udp", "icmp", "icmpv6", "esp", "ah", "ipip", "sctp", "all")
_WITH_PORTS = ("tcp", "udp", "sctp", "6", "17", "132")


@rule("GCP-FW-001", on=FIREWALL, source="Cloud NGFW documentation, RoCE VPC networks (catalogue, gcp_network_profiles)")
def a_network_for_rdma_takes_no_firewall_rule(firewall: View) -> Verdict:
    """A network for RoCE has no firewall rules of its own: it lets everything pass, or has a policy made for it."""
    network = firewall.one("network", NETWORK)
    profile = profiles.of_network(network)
    if network is None or profile is None:
        return NOT_APPLICABLE if network is None else PASS
    facts = profile.facts
    if facts is None or facts.firewall_rules is None:
        raise NotKnown
    message = f"a network with {facts.name} takes no firewall rules, and lets everything pass without"
    return allow(facts.firewall_rules, message, hint="Leave the rule out.", path="network")


@rule("GCP-FW-002", on=FIREWALL, source=f"{_API}.direction; {_PROVIDER}: a source for what comes in")
def a_rule_says_whom_it_is_about(firewall: View) -> Verdict:
    """A rule for what comes in names its sources; one for what goes out names no tags or accounts as sources."""
    direction = firewall.text("direction") or "INGRESS"
    if direction not in ("INGRESS", "EGRESS"):
        return NOT_APPLICABLE
    given = [key for key in _SOURCES if firewall.count(key)]
    if direction == "INGRESS":
        hint = "Name them in sourceRanges, sourceTags or sourceServiceAccounts."
        return allow(given, "the rule is about what comes in, and says not from where", hint=hint, path="sourceRanges")
    wrong = [key for key in given if key != "sourceRanges"]
    message = f"the rule is about what goes out, and {' and '.join(wrong)} tell where something comes from"
    hint = "Leave them out, and name destinationRanges."
    return allow(not wrong, message, hint=hint, path=wrong[0] if wrong else "")


@rule("GCP-FW-003", on=FIREWALL, source=f"{_API}.sourceServiceAccounts and targetServiceAccounts")
def a_rule_names_tags_or_accounts(firewall: View) -> Verdict:
    """A rule tells machines apart by their tags or by their service accounts, and not by both."""
    tags = [key for key in ("sourceTags", "targetTags") if firewall.count(key)]
    accounts = [key for key in ("sourceServiceAccounts", "targetServiceAccounts") if firewall.count(key)]
    if not tags and not accounts:
        return NOT_APPLICABLE
    message = f"{' and '.join(accounts)} cannot stand beside {' and '.join(tags)}"
    hint = "Name machines by tags alone, or by service accounts alone."
    return allow(not tags or not accounts, message, hint=hint, path=accounts[0] if accounts else "")


@rule("GCP-FW-004", on=FIREWALL, source=f"{_PROVIDER}: exactly one of allow and deny")
def a_rule_allows_or_denies(firewall: View) -> Verdict:
    """A rule either allows something or denies something."""
    allows, denies = firewall.count("allows"), firewall.count("denies")
    if allows and denies:
        return fail("a rule cannot allow and deny", hint="Make two rules out of it.", path="denies")
    hint = "Name protocols and ports in allows or in denies."
    return allow(allows or denies, "the rule neither allows nor denies anything", hint=hint, path="allows")


@rule("GCP-FW-005", on=FIREWALL, source=f"{_API}.priority")
def a_priority_is_within_its_bounds(firewall: View) -> Verdict:
    """The priority of a rule is from 0 to 65535."""
    priority = firewall.integer("priority")
    if priority is None:
        return NOT_APPLICABLE
    most = limits.find_limit("firewall_priority", "gcp").most
    hint = f"Use {min(max(priority, 0), most)}."
    return allow(0 <= priority <= most, f"no rule has priority {priority}", hint=hint, path="priority")


@rule("GCP-FW-006", on=FIREWALL, source=f"{_API}.allowed: ports of TCP, UDP and SCTP")
def ports_are_of_a_protocol_that_has_some(firewall: View) -> Verdict:
    """Ports are numbers or ranges such as 8000-9000, of a protocol that has ports."""
    openings = [*firewall.blocks("allows"), *firewall.blocks("denies")]
    return each((each_ for each_ in openings if each_.count("ports")), _ports)


@rule("GCP-FW-009", on=FIREWALL, source=f"{_API}.allowed.IPProtocol")
def a_protocol_is_one_that_google_names(firewall: View) -> Verdict:
    """A protocol is one of a few names, all of them, or a number from 0 to 255."""

    def check(opening: Block) -> Verdict:
        protocol = (opening.text("protocol") or "").lower()
        number = int(protocol) if protocol.isdecimal() else None
        good = protocol in _PROTOCOLS if number is None else number <= limits.find_limit("ip_protocol", "gcp").most
        hint = f"Use one of {listed(_PROTOCOLS)}, or a number."
        return allow(good, f"{protocol!r} is no protocol", hint=hint, path=opening.at("protocol"))

    return each([*firewall.blocks("allows"), *firewall.blocks("denies")], check)


@rule("GCP-FW-008", on=FIREWALL, source=f"{_API}.sourceRanges and destinationRanges: CIDR")
def ranges_of_a_rule_are_ranges(firewall: View) -> Verdict:
    """Sources and destinations are ranges of addresses such as 10.0.0.0/8."""

    def check(key: str) -> Verdict:
        for text in firewall.texts(key):
            try:
                ip_network(text, strict=False)
            except ValueError:
                return fail(f"{text!r} is no range of addresses", hint="Write one such as 10.0.0.0/8.", path=key)
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
            return fail(f"{text!r} is no port or range of ports", hint=hint, path=path)
    return PASS
