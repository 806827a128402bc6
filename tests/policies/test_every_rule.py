"""Every policy says why and how to mend it, and reads what its provider knows."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.policies.sdk_paths import is_known

from penstock.policies import catalogue as rules
from penstock.policies.rule import Concern

RULES = rules.catalogue()


@pytest.mark.parametrize("concern", Concern)
def test_a_rule_reads_types_and_properties_that_the_sdk_declares(concern: Concern) -> None:
    of_concern = [rule for rule in RULES if rule.concern is concern]

    assert [(rule.id, type_) for rule in of_concern for type_ in rule.on if not is_known(type_)] == []
    assert [
        (rule.id, type_, path)
        for rule in of_concern
        for type_ in rule.on
        for path in rule.reads(type_)
        if not is_known(type_, path)
    ] == []


def test_an_id_is_that_of_one_rule() -> None:
    assert [id_ for id_, count in Counter(rule.id for rule in RULES).items() if count > 1] == []


def test_a_rule_tells_what_holds_why_and_how_to_mend_it() -> None:
    sentences = [(rule.id, sentence) for rule in RULES for sentence in (rule.what, rule.why, rule.fix)]

    assert [each for each in sentences if not each[1].endswith(".")] == []
    assert [each for each in sentences if not (each[1][0].isupper() or each[1][0] == "`")] == []
