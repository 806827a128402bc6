"""Remedies keep their rule, change nothing else, and leave alone what already keeps it or is undetermined."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.programs import IT
from tests.rules.cases import RuleCase, policy_cases
from tests.rules.verdicts import outcome, rules_by_id

from penstock.graph.values import UNKNOWN, Secret
from penstock.rules import registry
from penstock.rules.remedies import in_turn, set_to
from penstock.rules.settings import Settings

SETTINGS = Settings()
REMEDIED = tuple(
    rule for rule in registry.policies() if rule.remedy is not None and rule.category == "encryption-in-transit"
)
FAILING = tuple(case for case in policy_cases() if case.outcome == "fail" and rules_by_id()[case.rule] in REMEDIED)


def changes(case: RuleCase) -> dict[str, object]:
    remedy = rules_by_id()[case.rule].remedy
    assert remedy is not None
    return remedy(case.graph[case.urn].inputs, case.settings)


def remedied(case: RuleCase) -> RuleCase:
    type_, inputs = case.program[IT]
    return replace(case, program={**case.program, IT: (type_, {**inputs, **changes(case)})})


def test_what_is_remedied_keeps_its_rule() -> None:
    assert [str(case) for case in FAILING if outcome(case) != "fail" or outcome(remedied(case)) != "pass"] == []


def test_a_path_is_set_and_its_neighbours_stay() -> None:
    inputs = {"options": {"https": True, "nested": {"version": "1.0", "name": "a"}}, "name": "b"}

    assert set_to("options.nested.version", "1.2")(inputs, SETTINGS) == {
        "options": {"https": True, "nested": {"version": "1.2", "name": "a"}}
    }
    assert inputs["options"] == {"https": True, "nested": {"version": "1.0", "name": "a"}}


def test_objects_on_the_way_are_made() -> None:
    assert set_to("options.version", "1.2")({}, SETTINGS) == {"options": {"version": "1.2"}}


@pytest.mark.parametrize("value", ["1.2", "1.3", UNKNOWN, Secret("1.0")])
def test_what_is_right_or_cannot_be_reported_stays(value: object) -> None:
    assert set_to("version", "1.2", keep=("1.3",))({"version": value}, SETTINGS) == {}


@pytest.mark.parametrize("options", [UNKNOWN, "odd", ["odd"]])
def test_what_is_no_object_stays(options: object) -> None:
    assert set_to("options.version", "1.2")({"options": options}, SETTINGS) == {}


def test_remedies_in_turn_find_what_those_before_left() -> None:
    both = in_turn(set_to("options.version", "1.2"), set_to("options.profile", "modern", keep=("strict",)))

    assert both({}, SETTINGS) == {"options": {"version": "1.2", "profile": "modern"}}
    assert both({"options": {"profile": "strict"}}, SETTINGS) == {"options": {"version": "1.2", "profile": "strict"}}
    assert both({"options": {"version": "1.2", "profile": "strict"}}, SETTINGS) == {}


def test_a_remedy_strengthens_only_what_is_weak() -> None:
    remedy = rules_by_id()["gcp-ssl-policy"].remedy
    assert remedy is not None

    assert remedy({"minTlsVersion": "TLS_1_1", "profile": "RESTRICTED"}, SETTINGS) == {"minTlsVersion": "TLS_1_2"}
    assert remedy({"minTlsVersion": "TLS_1_2", "profile": "COMPATIBLE"}, SETTINGS) == {"profile": "MODERN"}
