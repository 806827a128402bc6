"""Findings about waivers: those that have expired, that excuse nothing, and that excuse more than they should."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import chain

from penstock.core.findings import Finding, Severity, Source
from penstock.graph.graph import Graph, Resource
from penstock.rules import packs, registry
from penstock.rules.levels import RuleKind
from penstock.rules.rule import Rule
from penstock.rules.settings import Settings
from penstock.rules.waivers import Origin, Waiver

Broken = tuple[Rule, Resource]
"""A rule, and a resource that does not keep it for certain."""


def of_waivers(
    settings: Settings, today: date, kind: RuleKind, broken: Sequence[Broken], graph: Graph, *, audits: bool
) -> Iterator[Finding]:
    """Yield the defects of waivers: expired ones, and those that excuse nothing or more than they should.

    Each is reported once: those of provider rules with the provider rules, all others with the policies.
    """
    waivers = settings.waivers
    known = {rule.id: rule for rule in registry.all_rules()} if waivers else {}
    for index, waiver in enumerate(waivers):
        origin = waiver.origin or Origin(f"waivers[{index}]")
        rule = known.get(waiver.rule)
        if (rule.kind if rule else RuleKind.POLICY) is not kind:
            continue
        if rule is None:
            message = f"no rule is called {waiver.rule!r}"
            yield _of_waiver(origin, "POLICY-001", message, "Name the rule that it waives.")
            continue
        excuses_nothing = _excuses_nothing(waiver, rule, broken, graph, audits=audits)
        if not waiver.holds_on(today):
            fix = f"Fix what it excused, or let {waiver.owner} set another day."
            message = f"the waiver of {waiver.rule} expired on {waiver.expires}"
            yield _of_waiver(origin, "POLICY-002", message, "Remove it." if excuses_nothing else fix)
        elif excuses_nothing:
            message = f"the waiver of {waiver.rule} excuses nothing: no resource like {waiver.urn} breaks the rule"
            yield _of_waiver(origin, "POLICY-003", message, "Remove it.")
        elif excesses := " and ".join(waiver.excesses(today, _waivable(rule), graph.stack, graph.project)):
            message = f"the waiver of {waiver.rule} {excesses}: urn is {waiver.urn}, expires is {waiver.expires}"
            is_bound = packs.binding(rule, settings) is not None
            hint = "Name the resources in urn, and a day within a year."
            yield _of_waiver(origin, "POLICY-004", message, hint, blocks=is_bound)


def _waivable(rule: Rule) -> tuple[str, ...]:
    """The types of which there may be several resources; a rule on the stack judges one."""
    return () if rule.is_of_stack or rule in registry.state_rules() else rule.on


def _excuses_nothing(waiver: Waiver, rule: Rule, broken: Sequence[Broken], graph: Graph, *, audits: bool) -> bool:
    """Return whether a waiver of a rule excuses nothing for certain, where `broken` are all that do not hold.

    Whoever sees a program judges those of rules, and an audit those of what it finds in the state: each excuses what
    the other does not see. What is undetermined, and what the program leaves alone, may need its waiver.
    """
    if (rule in registry.state_rules()) is not audits:
        return False
    resources = (resource for each, resource in broken if each is rule)
    left_alone = (each for each in graph if each.external and rule.judges(each.type))
    return not any(waiver.covers(rule.id, each.urn) for each in chain(resources, left_alone))


def _of_waiver(origin: Origin, code: str, message: str, hint: str, *, blocks: bool = False) -> Finding:
    return Finding(
        code=code,
        severity=Severity.ERROR if blocks or code == "POLICY-001" else Severity.WARNING,
        source=Source.POLICY,
        message=message,
        hint=hint,
        path=origin.path,
        file=origin.file,
        line=origin.line,
        column=origin.column,
    )
