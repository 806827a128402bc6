"""Every policy has a rationale, a fix and an id of its own."""

from __future__ import annotations

import re
from collections import Counter

from penstock.rules import registry

RULES = registry.policies()


def test_an_id_is_that_of_one_rule() -> None:
    assert [id_ for id_, count in Counter(rule.id for rule in RULES).items() if count > 1] == []


def test_a_rule_tells_what_holds_why_and_how_to_fix_it() -> None:
    sentences = [(rule.id, sentence) for rule in RULES for sentence in (rule.title, rule.rationale, rule.fix)]

    assert [each for each in sentences if not each[1].endswith(".")] == []
    assert [each for each in sentences if not (each[1][0].isupper() or each[1][0] == "`")] == []


def test_a_cis_control_names_its_benchmark_and_version() -> None:
    form = re.compile(r"(AWS|Azure|GCP|K8s|EKS|GKE|AKS) \d+(\.\d+)+: \d+(\.\d+)+†?")

    assert [(rule.id, each) for rule in RULES for each in rule.cis if not form.fullmatch(each)] == []
