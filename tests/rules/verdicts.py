"""Asks a rule about a case, without the net that keeps a rule that raises from a user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial

from tests.programs import IT
from tests.rules.cases import RuleCase

from penstock.policies import catalogue, exemptions
from penstock.policies.rule import Rule as Policy
from penstock.policies.settings import Settings
from penstock.resources.former_types import by_present_names
from penstock.resources.graph import Graph
from penstock.resources.verdict import NOT_APPLICABLE, PASS, NotKnown, Outcome, Verdict, asked
from penstock.resources.view import Site, View
from penstock.rules import PACKAGES, rules, whole_rules
from penstock.rules.rule import Rule, WholeRule

RULES: tuple[Rule | WholeRule, ...] = (
    *(rule for package in PACKAGES for rule in rules(package)),
    *(rule for package in PACKAGES for rule in whole_rules(package)),
)
"""Every provider rule."""
EXEMPT = "exempt"


@cache
def rules_by_id() -> Mapping[str, Rule | WholeRule | Policy]:
    """Every provider rule and every policy."""
    return {**{rule.code: rule for rule in RULES}, **{rule.id: rule for rule in catalogue.catalogue()}}


def policy_of(id_: str) -> Policy:
    """The policy of an id."""
    rule = rules_by_id()[id_]
    assert isinstance(rule, Policy)
    return rule


def verdict(case: RuleCase) -> Verdict:
    """The verdict of the case's rule; raises what the rule raises."""
    rule, site = rules_by_id()[case.rule], Site(case.graph, case.quotas)
    if isinstance(rule, WholeRule):
        return rule.judge(site)
    it = View(site.graph[case.urn], site)
    if isinstance(rule, Policy):
        return asked(lambda view: rule.check.judge(view, case.settings), it) if speaks_of(rule, it) else NOT_APPLICABLE
    return rule.judge(it) if it.type in rule.on or f"{it.type.split(':')[0]}:*" in rule.on else NOT_APPLICABLE


def provider_verdicts(graph: Graph) -> Iterator[Verdict]:
    """Every verdict of provider rules on a Graph; raises what a rule raises."""
    site = Site(by_present_names(graph))
    for resource in site.graph:
        package = resource.type.partition(":")[0]
        if resource.custom and not resource.external and package in PACKAGES:
            on = (resource.type, f"{package}:*")
            yield from (rule.judge(View(resource, site)) for rule in rules(package) if set(on) & set(rule.on))
    yield from (rule.judge(site) for rule in RULES if isinstance(rule, WholeRule))


def policy_verdicts(graph: Graph, settings: Settings) -> Iterator[Verdict]:
    """Every verdict of policies on a Graph; raises what a policy or an exemption raises."""
    site = Site(by_present_names(graph))
    for resource in site.graph:
        if not resource.external:
            it = View(resource, site)
            for rule in catalogue.rules_on(resource.type):
                said = asked(partial(rule.check.judge, settings=settings), it)
                if said.outcome is Outcome.FAIL:
                    asked(partial(_excused, rule), it)
                yield said


def _excused(rule: Policy, it: View) -> Verdict:
    return PASS if exemptions.of(rule.id, it) else NOT_APPLICABLE


def speaks_of(rule: Policy, it: View) -> bool:
    """Whether a policy speaks of a resource's type."""
    return rule in catalogue.rules_on(it.type)


def outcome(case: RuleCase) -> str:
    """The outcome of the case: that of the verdict, or `exempt`."""
    return outcome_of(case, verdict(case))


def outcome_of(case: RuleCase, said: Verdict) -> str:
    """The outcome of a verdict: `exempt` where a policy is broken by what has an exemption."""
    if said.outcome is Outcome.FAIL and isinstance(rules_by_id()[case.rule], Policy):
        site = Site(case.graph)
        try:
            exemption = exemptions.of(case.rule, View(site.graph[case.urn], site))
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
    if not any(case.says in f"{failure.message} {failure.hint}" for failure in said.failures):
        wrong.append(f"no failure says {case.says!r}: {said}")
    return wrong


def check(case: RuleCase) -> None:
    """Asserts that the rule says what the case shows."""
    assert IT in case.program or isinstance(rules_by_id()[case.rule], WholeRule)
    assert differences(case) == []
