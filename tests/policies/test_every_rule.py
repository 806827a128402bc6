"""Every policy rule has cases of all four verdicts, says why and how to mend it, and reads what its provider knows."""

from __future__ import annotations

from collections import Counter
from importlib import import_module

import pytest
from tests.policies.cases import PolicyCase, answer, cases, outcome

from penstock.rehearsal import sdk_types
from penstock.rehearsal.sdk_paths import is_known
from penstock.rules import registry
from penstock.rules.rule import Rule

VERDICTS = {"pass", "fail", "unknown", "n/a"}
for _package in ("aws", "gcp", "azure_native", "kubernetes", "random"):
    import_module(f"pulumi_{_package}")

RULES = registry.policies()


@pytest.mark.parametrize("case", cases(), ids=str)
def test_a_rule_says_what_its_cases_expect(case: PolicyCase) -> None:
    said = answer(case)

    assert outcome(case) == case.outcome, said
    if said is not None and case.outcome == "fail":
        assert any(case.says in failure.message for failure in said.verdict.failures), said.verdict


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_has_cases_of_all_four_verdicts(rule: Rule) -> None:
    assert {case.outcome for case in cases() if case.rule == rule.id} >= VERDICTS


def test_cases_are_of_rules_that_exist() -> None:
    assert {case.rule for case in cases()} == {rule.id for rule in RULES}


@pytest.mark.parametrize("case", cases(), ids=str)
def test_cases_have_only_properties_that_the_sdk_declares(case: PolicyCase) -> None:
    for type_, inputs in case.program.values():
        wrong = [each for each in sdk_types.mismatches(type_, inputs) if each.code == "TYPE-001"]
        assert not wrong, type_


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_reads_types_and_properties_that_the_sdk_declares(rule: Rule) -> None:
    for type_ in rule.on:
        assert is_known(type_), type_
        assert [path for path in rule.reads(type_) if not is_known(type_, path)] == [], type_


def test_an_id_is_that_of_one_rule() -> None:
    assert [id_ for id_, count in Counter(rule.id for rule in RULES).items() if count > 1] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_tells_what_holds_why_and_how_to_mend_it(rule: Rule) -> None:
    for sentence in (rule.title, rule.rationale, rule.fix):
        assert sentence.endswith("."), sentence
        assert sentence[0].isupper() or sentence[0] == "`", sentence
