"""Every rule has cases of all four verdicts, a source, and a code of its own."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from tests.rulecases import RULES, Case

from penstock.rehearsal.rules.rule import Rule, WholeRule
from penstock.rehearsal.rules.verdict import Outcome


def cases() -> dict[str, set[Outcome]]:
    """The verdicts that have a case, by code, from the tests of all subjects."""
    found: dict[str, set[Outcome]] = {}
    for file in Path(__file__).parent.glob("*/test_*.py"):
        spec = spec_from_file_location(f"cases_{file.stem}", file)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        for case in getattr(module, "CASES", ()):
            assert isinstance(case, Case)
            found.setdefault(case.code, set()).add(case.outcome)
    return found


CASES = cases()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_has_a_case_of_each_verdict(rule: Rule | WholeRule) -> None:
    assert CASES.get(rule.code, set()) == set(Outcome)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_says_what_holds_and_where_that_stands(rule: Rule | WholeRule) -> None:
    assert rule.sentence.endswith(".")
    assert rule.source


def test_a_code_is_that_of_one_rule() -> None:
    codes = [rule.code for rule in RULES]

    assert sorted(codes) == sorted(set(codes))
