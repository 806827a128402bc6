"""Each case of each rule, run once for all that it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.programs import IT
from tests.rules.cases import POLICY_CASES, PROVIDER_CASES, RuleCase, cases_by_rule, provider_cases, read_cases
from tests.rules.verdicts import EXEMPT, differences, outcome_of, rules_by_id, verdict

from penstock.graph.values import UNKNOWN, Secret
from penstock.graph.verdict import Outcome, Verdict
from penstock.rules.judge import judge
from penstock.rules.levels import Enforcement, RuleKind

SECRET = "correct-horse-battery-staple"
GIVEN_IS_ENOUGH = {"aws-route-one-target", "aws-nat-elastic-ip", "aws-fsx-tiering-settings"}
"""Rules that ask of some properties only whether they are given."""


@pytest.mark.parametrize("file", [*PROVIDER_CASES, *POLICY_CASES], ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_rules_say_what_their_cases_show(file: Path) -> None:
    found = [(case, problem) for case in read_cases(file) for problem in problems(case)]

    assert not found, "\n".join(f"{case.rule}, {case.outcome}: {problem}" for case, problem in found)


def test_a_rule_has_a_case_of_each_outcome() -> None:
    wanted = {outcome.value for outcome in Outcome}

    assert [
        rule for rule, cases in cases_by_rule().items() if {case.outcome for case in cases} - {EXEMPT} != wanted
    ] == []


def test_cases_are_of_rules_that_exist() -> None:
    assert set(cases_by_rule()) == set(rules_by_id())


def test_most_failures_are_of_inputs_that_can_be_hidden() -> None:
    failing = [case for case in provider_cases() if case.outcome == Outcome.FAIL]

    assert sum(with_hidden(case, UNKNOWN) is not None for case in failing) > len(failing) / 2


def problems(case: RuleCase) -> Iterator[str]:
    """Whatever is not as the case shows it."""
    yield from differences(case)
    if case.outcome == Outcome.FAIL:
        yield from read_although_hidden(case)
        yield from judged_although_looked_up(case)


def read_although_hidden(case: RuleCase) -> Iterator[str]:
    """What a rule refuses is no pass once nobody can read it, and no message repeats a secret."""
    for value in (UNKNOWN, Secret(SECRET)):
        hidden = with_hidden(case, value)
        if hidden is None:
            return
        said = verdict(hidden)
        if outcome_of(hidden, said) == Outcome.PASS and not may_pass_unread(case.rule, value):
            yield f"it passes where nobody can read {value!r}"
        if SECRET in shown(said):
            yield f"a secret is repeated: {said}"


def may_pass_unread(rule: str, value: object) -> bool:
    """Whether a rule needs no value: a policy may ask only that something is secret."""
    return rule in GIVEN_IS_ENOUGH or (isinstance(value, Secret) and rules_by_id()[rule].kind is RuleKind.POLICY)


def with_hidden(case: RuleCase, value: object) -> RuleCase | None:
    """The case with another value of what is at fault; None where that is elsewhere."""
    if IT not in case.program:
        return None
    type_, inputs = case.program[IT]
    hidden: Mapping[str, Any] = dict.fromkeys(inputs, value)
    if rules_by_id()[case.rule].kind is not RuleKind.POLICY:
        top = (case.path or "").partition(".")[0].partition("[")[0]
        if top not in inputs:
            return None
        hidden = {**inputs, top: value}
    return replace(case, program={**case.program, IT: (type_, hidden)})


def shown(said: Verdict) -> str:
    """All that a person reads of a verdict."""
    return " ".join(f"{failure.message} {failure.hint} {failure.path}" for failure in said.failures)


def judged_although_looked_up(case: RuleCase) -> Iterator[str]:
    """A program that only looks up what a rule refuses is not to blame for it."""
    graph = case.graph
    looked_up = replace(graph, resources={urn: replace(each, external=True) for urn, each in graph.resources.items()})
    settings = case.settings.model_copy(update={"rules": {case.rule: Enforcement.MANDATORY}})
    findings = judge(looked_up, settings, rules_by_id()[case.rule].kind, quotas=case.quotas).findings
    yield from (f"what is only looked up is judged: {each.message}" for each in findings if each.code == case.rule)
