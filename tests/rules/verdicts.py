"""Asks a rule about a case, without the net that keeps a rule that raises from a user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache

from tests.programs import IT
from tests.rules.cases import RuleCase

from penstock.catalog.former_types import by_present_names
from penstock.graph.graph import STACK_TYPE, Graph
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Outcome, Verdict, asked
from penstock.graph.view import Site, View
from penstock.policies import exemptions
from penstock.rules import registry
from penstock.rules.judge import with_stack
from penstock.rules.levels import RuleKind
from penstock.rules.rule import Rule
from penstock.rules.settings import Settings

TODAY = date(2026, 11, 21)
RULES: tuple[Rule, ...] = tuple(registry.rules_of(RuleKind.PROVIDER))
"""Every provider rule."""
EXEMPT = "exempt"


@cache
def rules_by_id() -> Mapping[str, Rule]:
    """Every provider rule and every policy."""
    return {rule.id: rule for rule in (*RULES, *registry.policies())}


def verdict(case: RuleCase) -> Verdict:
    """The verdict of the case's rule; raises what the rule raises."""
    rule, it = rules_by_id()[case.rule], judged(case)
    asked_of_it = registry.rules_on(it.type, rule.kind, _packages(it.site))
    return rule.judge(it, case.settings) if rule in asked_of_it else NOT_APPLICABLE


def judged(case: RuleCase) -> View:
    """What the rule of a case judges: its resource, or all of the program."""
    site = Site(with_stack(case.graph), case.quotas, TODAY, case.existing)
    (stack,) = site.graph.of_type(STACK_TYPE)
    of_stack = rules_by_id()[case.rule].is_of_stack or IT not in case.program
    return View(stack if of_stack else site.graph[case.urn], site)


def verdicts(graph: Graph, kind: RuleKind, settings: Settings) -> Iterator[Verdict]:
    """Every verdict of the rules of a kind on a Graph; raises what a rule or an exemption raises."""
    site = Site(by_present_names(with_stack(graph)))
    packages = _packages(site)
    for resource in site.graph:
        if not resource.external:
            it = View(resource, site)
            for rule in registry.rules_on(resource.type, kind, packages):
                said = rule.judge(it, settings)
                if said.outcome is Outcome.FAIL and kind is RuleKind.POLICY:
                    asked(lambda view, rule=rule: _excused(rule, view), it)  # type: ignore[misc]
                yield said


def _packages(site: Site) -> frozenset[str]:
    return frozenset(resource.type.partition(":")[0] for resource in site.graph)


def _excused(rule: Rule, it: View) -> Verdict:
    return PASS if exemptions.exemption_of(rule.id, it) else NOT_APPLICABLE


def outcome(case: RuleCase) -> str:
    """The outcome of the case: that of the verdict, or `exempt`."""
    return outcome_of(case, verdict(case))


def outcome_of(case: RuleCase, said: Verdict) -> str:
    """The outcome of a verdict: `exempt` where a policy is broken by what has an exemption."""
    if said.outcome is Outcome.FAIL and rules_by_id()[case.rule].kind is RuleKind.POLICY:
        try:
            exemption = exemptions.exemption_of(case.rule, judged(case))
        except NotKnown:
            return Outcome.UNKNOWN.value
        return Outcome.FAIL.value if exemption is None else EXEMPT
    return said.outcome.value


def differences(case: RuleCase) -> list[str]:
    """Each thing that the rule does not say as the case shows it."""
    said = verdict(case)
    found = outcome_of(case, said)
    if found != case.outcome:
        return [f"the outcome is {found}: {said}"]
    if found != Outcome.FAIL:
        return []
    wrong = []
    if case.path is not None and case.path not in {failure.path for failure in said.failures}:
        wrong.append(f"no failure points at {case.path!r}: {said}")
    if not any(
        case.says in f"{failure.message} {failure.hint or rules_by_id()[case.rule].fix}" for failure in said.failures
    ):
        wrong.append(f"no failure says {case.says!r}: {said}")
    return wrong


def check(case: RuleCase) -> None:
    """Asserts that the rule says what the case shows."""
    assert IT in case.program or rules_by_id()[case.rule].is_of_stack
    assert differences(case) == []
