"""The remedy of tags adds what is known, changes nothing else, and invents nothing."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.cases import RuleCase, policy_cases
from tests.rules.verdicts import outcome, rules_by_id

from penstock.graph.values import UNKNOWN, Secret
from penstock.rules.remedies import tag_environment
from penstock.rules.settings import Parameters, Settings

PROD = Settings(environment="prod")
REMEDIED = (
    "tag-required-aws",
    "tag-required-gcp",
    "tag-required-az",
    "tag-gke-labels",
    "tag-sql-labels",
    "tag-aks-pool",
)


def test_it_adds_the_environment_and_keeps_other_tags() -> None:
    assert tag_environment("tags")({"tags": {"owner": "training"}}, PROD) == {
        "tags": {"owner": "training", "environment": "prod"}
    }


def test_it_makes_tags_where_there_are_none() -> None:
    assert tag_environment("tags")({"bucket": "example"}, PROD) == {"tags": {"environment": "prod"}}


def test_it_reaches_labels_inside_of_objects() -> None:
    changed = tag_environment("settings.userLabels")({"settings": {"tier": "db-g1-small"}}, PROD)

    assert changed == {"settings": {"tier": "db-g1-small", "userLabels": {"environment": "prod"}}}


@pytest.mark.parametrize(
    ("path", "written"), [("tags", "Environment"), ("labels", "environment"), ("resourceLabels", "environment")]
)
def test_it_writes_the_key_as_it_is_required_and_labels_of_google_in_small_letters(path: str, written: str) -> None:
    settings = Settings(environment="dev", parameters=Parameters(required_tags=("Environment", "Owner")))

    assert tag_environment(path)({}, settings) == {path: {written: "dev"}}


@pytest.mark.parametrize(
    "tags",
    [{"environment": "staging"}, {"Environment": "staging"}, {"environment": UNKNOWN}, UNKNOWN, Secret({"a": "b"})],
)
def test_it_leaves_alone_what_is_given_or_not_known(tags: Any) -> None:
    assert tag_environment("tags")({"tags": tags}, PROD) == {}


@pytest.mark.parametrize(
    "settings", [Settings(), Settings(environment="prod", parameters=Parameters(required_tags=("owner",)))]
)
def test_it_does_nothing_where_the_environment_is_not_known_or_not_required(settings: Settings) -> None:
    assert tag_environment("tags")({}, settings) == {}


@pytest.mark.parametrize("rule", REMEDIED)
def test_what_lacks_only_the_environment_keeps_the_rule_afterwards(rule: str) -> None:
    (case,) = (each for each in policy_cases() if each.rule == rule and each.outcome == "fail" and _is_first(each))
    type_, inputs = case.program["it"]
    settings = Settings(environment="prod", parameters=Parameters(required_tags=("environment",)))
    remedy = rules_by_id()[rule].remedy
    assert remedy is not None

    fixed = {**inputs, **remedy(inputs, settings)}

    assert outcome(RuleCase(rule, "fail", {"it": (type_, inputs)}, settings=settings)) == "fail"
    assert outcome(RuleCase(rule, "pass", {"it": (type_, fixed)}, settings=settings)) == "pass"


def _is_first(case: RuleCase) -> bool:
    return case is next(each for each in policy_cases() if each.rule == case.rule and each.outcome == "fail")
