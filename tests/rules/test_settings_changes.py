"""Changed settings: what loosens the checks is told from what tightens them, for every field."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from penstock.rules.settings import Parameters, Settings
from penstock.rules.settings_changes import LOOSENING, settings_changes

TODAY = date(2026, 11, 29)
WAIVER = {
    "rule": "aws-vpc-cidr-size",
    "urn": "*::net",
    "reason": "It is torn down in May.",
    "owner": "network",
    "expires": "2026-12-31",
}


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str]]:
    """The names and directions of the changes from one block of settings to another."""
    old, new = (Settings.model_validate(each) for each in (before, after))
    return [(each.name, each.direction.value) for each in settings_changes(old, new, today=TODAY)]


@pytest.mark.parametrize(
    ("looser", "stricter", "name"),
    [
        ({"packs": []}, {"packs": ["baseline"]}, "packs"),
        ({"packs": ["cost"]}, {"packs": ["cost", "regulated"]}, "packs"),
        ({}, {"frameworks": ["soc2"]}, "frameworks"),
        ({}, {"residency": "eu"}, "residency"),
        ({"environment": "dev"}, {"environment": "prod"}, "environment"),
        ({"enforcement": {"critical": "advisory"}}, {}, "enforcement.critical"),
        ({"rules": {"provider": "disabled"}}, {}, "rules.provider"),
        ({"rules": {"provider": "advisory"}}, {}, "rules.provider"),
        ({}, {"rules": {"provider": "mandatory"}}, "rules.provider"),
        ({"rules": {"identity": "disabled"}}, {}, "rules.identity"),
        ({"rules": {"aws-vpc-cidr-size": "advisory"}}, {}, "rules.aws-vpc-cidr-size"),
        ({"rules": {"aws-sg-no-world-ingress": "disabled"}}, {}, "rules.aws-sg-no-world-ingress"),
        ({"packs": []}, {"packs": [], "rules": {"aws-efs-encrypted": "advisory"}}, "rules.aws-efs-encrypted"),
        ({}, {"unknown": "advisory"}, "unknown"),
        ({"waivers": [WAIVER]}, {}, "waiver of aws-vpc-cidr-size for *::net"),
        (
            {"waivers": [{**WAIVER, "expires": "2027-03-01"}]},
            {"waivers": [WAIVER]},
            "waiver of aws-vpc-cidr-size for *::net",
        ),
        ({}, {"parameters": {"required_tags": ["environment", "owner", "team"]}}, "parameters.required_tags"),
        ({}, {"parameters": {"allowed_regions": ["eu-west-1"]}}, "parameters.allowed_regions"),
        (
            {"parameters": {"allowed_machine_types": ["t3.large", "p5.48xlarge"]}},
            {"parameters": {"allowed_machine_types": ["t3.large"]}},
            "parameters.allowed_machine_types",
        ),
        ({"parameters": {"public_ports": [22, 80, 443]}}, {}, "parameters.public_ports"),
        ({"parameters": {"public_load_balancers": True}}, {}, "parameters.public_load_balancers"),
        ({}, {"parameters": {"max_accelerators": 8}}, "parameters.max_accelerators"),
        (
            {"parameters": {"max_accelerators": 16}},
            {"parameters": {"max_accelerators": 8}},
            "parameters.max_accelerators",
        ),
        ({}, {"parameters": {"fips": True}}, "parameters.fips"),
        ({"parameters": {"log_retention_days": 7}}, {}, "parameters.log_retention_days"),
    ],
)
def test_a_change_loosens_one_way_and_tightens_the_other(
    looser: dict[str, Any], stricter: dict[str, Any], name: str
) -> None:
    assert changes(stricter, looser) == [(name, "loosened")]
    assert changes(looser, stricter) == [(name, "tightened")]
    assert changes(looser, looser) == []


def test_another_country_and_another_reason_are_neither() -> None:
    assert changes({"residency": "de"}, {"residency": "fr"}) == [("residency", "changed")]
    reworded = {**WAIVER, "reason": "It is torn down in June."}
    assert changes({"waivers": [WAIVER]}, {"waivers": [reworded]}) == [
        ("waiver of aws-vpc-cidr-size for *::net", "changed")
    ]


def test_a_rule_that_is_lowered_to_what_it_was_changes_nothing() -> None:
    assert changes({}, {"rules": {"aws-vpc-cidr-size": "mandatory"}}) == []


def test_a_waiver_of_everything_for_years_is_remarked() -> None:
    broad = Settings.model_validate({"waivers": [{**WAIVER, "urn": "*", "expires": "2099-12-31"}]})

    (found,) = settings_changes(Settings(), broad, today=TODAY)

    assert found.note == "reason: It is torn down in May.; covers every resource; is for more than a year"


def test_every_parameter_has_a_loosening() -> None:
    assert LOOSENING.keys() == Parameters.model_fields.keys()
