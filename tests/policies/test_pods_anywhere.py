"""A pod that breaks a policy breaks it wherever the table of kinds, or the shape of another kind, has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.model.test_pod_templates import placed
from tests.model.views import it
from tests.programs import IT
from tests.rules.cases import RuleCase, policy_cases
from tests.rules.verdicts import outcome_of, rules_by_id, verdict

from penstock.graph.verdict import Outcome
from penstock.kubernetes.facts import pod_homes
from penstock.kubernetes.model.pods.containers import WORKLOADS
from penstock.rules import registry
from penstock.rules.settings import Settings

POD = "kubernetes:core/v1:Pod"
OTHER = "kubernetes:example.com/v1:Widget"
GATED = {("k8s-login-not-off", "kubernetes:kubeflow.org/v1:Notebook")}
"""Kinds behind a login of their platform, which a rule leaves to it."""


def broken_pods() -> list[RuleCase]:
    """The failing cases of policies on all workloads whose `it` is a pod, told apart by rule and specification."""
    return [
        case
        for case in policy_cases()
        if case.outcome == Outcome.FAIL
        and case.program.get(IT, ("", {}))[0] == POD
        and set(WORKLOADS) <= {*rules_by_id()[case.rule].on, *pod_homes.partial_containers()}
        and list(case.program[IT][1]) == ["spec"]
        and not case.prior
    ]


def moved(case: RuleCase, type_: str, inputs: dict[str, Any]) -> RuleCase:
    """The case with the pod in another kind."""
    return RuleCase(case.rule, case.outcome, {**case.program, IT: (type_, inputs)}, settings=case.settings)


def outcomes(case: RuleCase) -> Iterator[tuple[str, str, str]]:
    """The verdict of the rule of a case on its pod at each place of each kind."""
    spec = case.program[IT][1]["spec"]
    for homes in (pod_homes.whole_specs(), pod_homes.partial_specs()):
        for type_, paths in homes.items():
            for path in paths:
                there = moved(case, type_, placed(path, spec))
                yield type_, path, outcome_of(there, verdict(there))


@pytest.mark.parametrize("case", broken_pods(), ids=str)
def test_a_pod_that_breaks_a_policy_breaks_it_in_each_kind(case: RuleCase) -> None:
    rule = rules_by_id()[case.rule]
    without = getattr(rule.check, "without", ())
    parts = {(type_, path) for type_, paths in pod_homes.partial_specs().items() for path in paths}

    for type_, path, outcome in outcomes(case):
        wanted = {Outcome.FAIL, "exempt"} if (type_, path) not in parts else {Outcome.FAIL, Outcome.UNKNOWN, "exempt"}
        assert outcome in wanted or type_.endswith(without) or (case.rule, type_) in GATED, (type_, path)


@pytest.mark.parametrize("case", broken_pods(), ids=str)
def test_a_pod_that_breaks_a_policy_does_not_pass_in_a_kind_outside_the_table(case: RuleCase) -> None:
    spec = case.program[IT][1]["spec"]
    if not all(isinstance(each, dict) and "image" in each for each in spec.get("containers", [{}])):
        spec = {**spec, "containers": [{"name": "a", "image": "b", **each} for each in spec.get("containers", [{}])]}
    there = moved(case, OTHER, {"spec": {"groups": [{"podTemplate": {"spec": spec}}]}})

    assert outcome_of(there, verdict(there)) in {Outcome.FAIL, Outcome.UNKNOWN, "exempt"}


def test_an_object_without_pods_is_judged_by_no_rule_of_pods() -> None:
    cohort = it(OTHER, metadata={"name": "a"}, spec={"size": 1})
    of_pods = [rule for rule in registry.all_rules() if pod_homes.UNLISTED in rule.on]

    assert of_pods
    assert [rule.id for rule in of_pods if rule.judge(cohort, Settings()).outcome != Outcome.NOT_APPLICABLE] == []
