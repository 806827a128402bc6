"""Every rule has cases of all four verdicts, a source, and a code of its own."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from tests.rulecases import IT, RULES, Case, verdict

from penstock.resources.values import UNKNOWN, Secret
from penstock.resources.verdict import Outcome
from penstock.rules.rule import Rule


def cases() -> list[Case]:
    """The cases of all subjects, from their tests."""
    found: list[Case] = []
    for file in sorted(Path(__file__).parent.glob("*/test_*.py")):
        spec = spec_from_file_location(f"cases_{file.stem}", file)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        found += getattr(module, "CASES", ())
    return found


CASES = cases()

GIVEN_IS_ENOUGH = ("aws-route-one-target", "aws-nat-elastic-ip", "aws-fsx-tiering-settings")
"""Rules that ask of some properties only whether they are given."""


def hidden(case: Case, value: object) -> Case | None:
    """A case that fails with another value of the property at fault; None where it fails elsewhere."""
    type_, inputs = case.program.get(IT, ("", {}))
    top = case.path.partition(".")[0].partition("[")[0]
    return replace(case, program={**case.program, IT: (type_, {**inputs, top: value})}) if top in inputs else None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_has_a_case_of_each_verdict(rule: Rule) -> None:
    assert {case.outcome for case in CASES if case.code == rule.id} == set(Outcome)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_what_holds_and_where_that_stands(rule: Rule) -> None:
    assert rule.title.endswith(".")
    assert rule.sources
    assert rule.rationale.endswith(".")
    assert rule.fix.endswith(".")


@pytest.mark.parametrize("value", [UNKNOWN, Secret("s")], ids=["unknown", "secret"])
def test_what_a_rule_refuses_is_no_pass_once_nobody_can_read_it(value: object) -> None:
    failing = [case for case in CASES if case.outcome is Outcome.FAIL and case.code not in GIVEN_IS_ENOUGH]
    unread = [case for each in failing if (case := hidden(each, value)) is not None]

    assert len(unread) > len(failing) / 2
    assert [str(case) for case in unread if verdict(case).outcome is Outcome.PASS] == []


def test_a_code_is_that_of_one_rule() -> None:
    codes = [rule.id for rule in RULES]

    assert sorted(codes) == sorted(set(codes))
