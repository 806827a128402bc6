"""Every provider rule has a sentence, a source, and a code of its own."""

from __future__ import annotations

from tests.rules.verdicts import RULES


def test_a_rule_says_what_holds_and_where_that_stands() -> None:
    assert [rule.code for rule in RULES if not rule.sentence.endswith(".") or not rule.source] == []


def test_a_code_is_that_of_one_rule() -> None:
    codes = [rule.code for rule in RULES]

    assert sorted(codes) == sorted(set(codes))
