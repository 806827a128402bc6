"""What a finding's code promises, for forms that explain each code once: what holds, why it matters, how to mend it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from penstock.findings import Finding, Source
from penstock.policies import state_rules
from penstock.policies.catalogue import catalogue
from penstock.policies.rule import Rule, Weight
from penstock.report.wording import resource_of
from penstock.rules import rule_packages, rules, whole_rules

_OTHERS = {
    Source.SPEC: "The stack file describes what can be built.",
    Source.CLOUD: "The cloud takes what the program asks for.",
    Source.POLICY: "Policies and their waivers are in order.",
    Source.BUDGET: "The environment costs no more than its budget allows.",
    Source.PROGRAM: "The program runs to its end, and tells all that it makes.",
}
"""What holds by a source, where a code has no sentence of its own."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A code and what holds when all is well; `weight` is there for policies, `rule` where it is the id of one."""

    code: str
    what: str
    group: str
    weight: Weight | None = None
    rule: Rule | None = None


def promise_of(finding: Finding) -> Promise:
    """The promise that a finding breaks; its group is the concern of a policy, and otherwise who complains."""
    rule = policy_rules().get(finding.code)
    if rule is not None:
        return Promise(rule.id, rule.what, rule.concern.value, rule.weight, rule)
    sentence = _cloud_sentence(finding) if finding.source is Source.CLOUD else ""
    return Promise(finding.code, sentence or _OTHERS[finding.source], finding.source.value)


@cache
def policy_rules() -> dict[str, Rule]:
    """The policy rules by id, those on a state among them."""
    return {rule.id: rule for rule in (*catalogue(), *state_rules.RULES)}


def _cloud_sentence(finding: Finding) -> str:
    """The sentence of a cloud rule, of the provider whose resource is at fault where that is known."""
    type_ = resource_of(finding.urn or "")[1]
    package = type_.partition(":")[0]
    return next(
        (
            sentence
            for name in ((package,) if package in rule_packages() else rule_packages())
            for code, sentence in _sentences(name)
            if code == finding.code
        ),
        "",
    )


def _sentences(package: str) -> Iterator[tuple[str, str]]:
    yield from ((rule.code, rule.sentence) for rule in rules(package))
    yield from ((rule.code, rule.sentence) for rule in whole_rules(package))
