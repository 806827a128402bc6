"""Rules on network security groups."""

from __future__ import annotations

import re

from penstock.azure.types import NETWORK_SECURITY_GROUP, NETWORK_SECURITY_RULE
from penstock.core.spelling import MISSPELT_WITH_AFFIX, near_matches, suggestion
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Failure, Outcome, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=NETWORK_SECURITY_GROUP,
    severity=HIGH,
    rationale="Azure rejects the second rule with SecurityRuleConflict.",
    fix="Set priority of one of the rules to a number from 100 to 4096 that no other rule of its direction has.",
    joins=True,
    sources=("Azure Virtual Network documentation, network security groups",),
)
def az_nsg_priority_once(group: View) -> Verdict:
    """No two rules of a security group have the same direction and priority."""
    beside = group.referrers(NETWORK_SECURITY_RULE, "networkSecurityGroupName")
    names = {name for rule in beside if (name := rule.given("securityRuleName")) is not None}
    rules: list[Block] = [rule for rule in group.blocks("securityRules") if rule.given("name") not in names]
    rules += beside
    if not rules:
        return NOT_APPLICABLE
    taken: set[tuple[str, int]] = set()
    failures = []
    for rule in rules:
        direction, priority = rule.text("direction"), rule.integer("priority")
        if direction is None or priority is None:
            continue
        if (direction, priority) in taken:
            message = f"another rule has the priority {priority}, {direction}, already"
            failures.append(Failure(message, "Use another priority.", rule.at("priority"), rule.owner.urn))
        taken.add((direction, priority))
    return Verdict(Outcome.FAIL, tuple(failures)) if failures else PASS


_LAST_PORT = 65535
_WHOLE = ("*", "0.0.0.0/0", "virtualnetwork")
_TAGS = ("VirtualNetwork", "Internet", "AzureLoadBalancer")
_PORTS = re.compile(r"(\d+)(?:-(\d+))?")
_ENDS = ("sourceAddressPrefix", "destinationAddressPrefix", "sourcePortRange", "destinationPortRange")
"""The sides of a rule: each is given once, or by the property of the same name in the plural."""


@RULES.rule(
    on=NETWORK_SECURITY_GROUP,
    severity=HIGH,
    rationale="Azure knows the rules of a group by their names, and rejects two of one name.",
    fix="Set name of one of the rules to another name.",
    sources=("Azure Virtual Network documentation, network security groups",),
)
def az_nsg_name_once(group: View) -> Verdict:
    """No two rules of a security group have one name."""
    rules = [rule for rule in group.blocks("securityRules") if "name" in rule]
    names = [(rule.text("name") or "").casefold() for rule in rules]
    return each(
        range(len(rules)),
        lambda at: allow(
            names[at] not in names[:at],
            f"another rule has the name {names[at]}",
            hint="Use another name.",
            path=rules[at].at("name"),
        ),
    )


def _rules(view: View) -> list[Block]:
    return [view] if view.type == NETWORK_SECURITY_RULE else view.blocks("securityRules")


@RULES.rule(
    on=(NETWORK_SECURITY_GROUP, NETWORK_SECURITY_RULE),
    each_of=_rules,
    severity=HIGH,
    rationale="Azure rejects a service tag that it does not have.",
    fix="Write VirtualNetwork, Internet, AzureLoadBalancer or another service tag, a range of addresses, or *.",
    sources=("Azure Virtual Network documentation, service tags",),
)
def az_nsg_tag(rule: Block) -> Verdict:
    """The service tags that most rules have are written as Azure writes them."""
    given = [(rule.at(key), text) for key in _ENDS[:2] if (text := rule.text(key)) is not None]
    return each(given, lambda place: _is_tag(place[1], place[0]))


@RULES.rule(
    on=(NETWORK_SECURITY_GROUP, NETWORK_SECURITY_RULE),
    each_of=_rules,
    severity=HIGH,
    rationale="Azure rejects other texts, ports beyond 65535, and ranges from high to low.",
    fix="Write a port, a range from low to high, or *; several of them in destinationPortRanges.",
    sources=("Azure Virtual Network documentation, network security groups",),
)
def az_nsg_ports(rule: Block) -> Verdict:
    """Ports of a security rule are single ports, ranges from low to high, or all."""
    given = [(rule.at(key), text) for key in _ENDS[2:] if (text := rule.text(key)) is not None]
    given += [(rule.at(f"{key}s"), text) for key in _ENDS[2:] for text in rule.texts(f"{key}s")]
    return each(given, lambda place: _is_port(place[1], place[0]))


@RULES.rule(
    on=(NETWORK_SECURITY_GROUP, NETWORK_SECURITY_RULE),
    each_of=_rules,
    severity=HIGH,
    rationale="Azure rejects a rule that names an end twice, or not at all.",
    fix="Set either the property or the one of the same name in the plural, and * for everything.",
    sources=("Azure Virtual Network documentation, network security groups",),
)
def az_nsg_ends(rule: Block) -> Verdict:
    """A security rule has each of its addresses and ports in one property."""
    return together(_once(rule, key) for key in _ENDS)


def denies(group: View, direction: str, port: int) -> bool:
    """Return whether a rule denies a TCP port to the whole network, and none before it allows the port to anybody."""
    beside = group.referrers(NETWORK_SECURITY_RULE, "networkSecurityGroupName")
    all_ = [rule for rule in (*group.blocks("securityRules"), *beside) if rule.text("direction") == direction]
    for rule in sorted(all_, key=lambda rule: rule.integer("priority") or 0):
        if (rule.text("protocol") or "*").casefold() not in ("*", "tcp") or not _covers(rule, port):
            continue
        if rule.text("access") == "Allow" or _is_for_network(rule):
            return rule.text("access") != "Allow"
    return False


def _covers(rule: Block, port: int) -> bool:
    given = [rule.text("destinationPortRange") or "", *rule.texts("destinationPortRanges")]
    ranges = [found for text in given if (found := _PORTS.fullmatch(text)) is not None]
    return "*" in given or any(int(found[1]) <= port <= int(found[2] or found[1]) for found in ranges)


def _is_for_network(rule: Block) -> bool:
    sides = ("sourceAddressPrefix", "destinationAddressPrefix")
    return all((rule.text(side) or "").casefold() in _WHOLE for side in sides)


def _once(rule: Block, key: str) -> Verdict:
    forms = [f"{key}es", f"{key}s"] if key.endswith("Prefix") else [f"{key}s"]
    groups = [key.replace("AddressPrefix", "ApplicationSecurityGroups")] if key.endswith("Prefix") else []
    given = [name for name in (key, *forms, *groups) if rule.given(name) not in (None, "", [])]
    if len(given) > 1:
        return fail(f"{' and '.join(given)} are both set", hint=f"Leave {given[-1]} out.", path=rule.at(given[-1]))
    return allow(given, f"{key} is not set", hint="Use * for everything.", path=rule.at(key))


def _is_port(text: str, path: str) -> Verdict:
    found = _PORTS.fullmatch(text)
    low, high = (int(found[1]), int(found[2] or found[1])) if found is not None else (1, 0)
    hint = "Use a port such as 443, a range such as 1019-1023, or *."
    return allow(text == "*" or low <= high <= _LAST_PORT, f"{text!r} is not a range of ports", hint=hint, path=path)


def _is_tag(text: str, path: str) -> Verdict:
    known = {tag.casefold() for tag in _TAGS}
    near = near_matches(text.casefold(), known, likeness=MISSPELT_WITH_AFFIX)
    if text.casefold() in known or not near:
        return PASS
    meant = next(tag for tag in _TAGS if tag.casefold() == near[0])
    return fail(f"{text!r} is not a service tag", hint=suggestion([meant]), path=path)
