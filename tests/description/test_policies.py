"""Policies in a stack file: read from both of its blocks, and refused in words where it is wrong."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from penstock.core.errors import InvalidDescription
from penstock.description.policies import judged
from penstock.description.positions import Place
from penstock.rules.levels import Enforcement, RuleSeverity, UndeterminedLevel

WAIVER = {
    "rule": "aws-ebs-cmk",
    "urn": "*::scratch",
    "reason": "holds nothing",
    "owner": "research",
    "expires": "2027-01-31",
}


def config(policies: Any = None, platform: Any = None) -> dict[str, str]:
    blocks = {"penstock:policies": policies, "penstock:platform": platform}
    return {key: json.dumps(block) for key, block in blocks.items() if block is not None}


def refusal(policies: Any) -> tuple[str, str, str]:
    with pytest.raises(InvalidDescription) as refused:
        judged(config(policies))
    (finding,) = refused.value.findings
    return finding.path or "", finding.message, finding.hint


def test_a_program_that_says_nothing_of_policies_is_held_to_the_baseline() -> None:
    settings = judged({})

    assert settings.packs == ("baseline",)
    assert not settings.enforcement


def test_high_severity_blocks_a_description_of_production_unless_its_settings_say_otherwise() -> None:
    prod, lowered = {"environment": "prod"}, {"enforcement": {"high": "advisory"}}

    assert judged(config(platform=prod)).enforcement == {RuleSeverity.HIGH: Enforcement.MANDATORY}
    assert judged(config(lowered, prod)).enforcement == {RuleSeverity.HIGH: Enforcement.ADVISORY}
    assert not judged(config(platform={"environment": "staging"})).enforcement
    assert not judged(config({"environment": "prod"})).enforcement


def test_a_description_tells_its_environment_frameworks_and_ceiling() -> None:
    description = {
        "environment": "prod",
        "compliance": {"frameworks": ["hipaa"], "residency": "eu"},
        "waivers": [WAIVER],
        "budget": {"monthly_usd": 1000, "max_accelerators": 64},
    }

    settings = judged(config(platform=description))

    assert (settings.environment, settings.frameworks, settings.residency) == ("prod", ("hipaa",), "eu")
    assert settings.parameters.max_accelerators == 64
    assert [waiver.expires for waiver in settings.waivers] == [date(2027, 1, 31)]


def test_what_is_said_of_policies_wins_over_the_description_and_waivers_add_up() -> None:
    settings = judged(
        config(
            {"environment": "staging", "unknown": "mandatory", "waivers": [WAIVER]},
            {"environment": "prod", "waivers": [WAIVER]},
        )
    )

    assert settings.environment == "staging"
    assert settings.unknown is UndeterminedLevel.MANDATORY
    assert len(settings.waivers) == 2


@pytest.mark.parametrize(
    ("policies", "path", "message", "hint"),
    [
        ({"pack": ["cost"]}, ".pack", "no field 'pack'", "packs"),
        ({"packs": ["hippa"]}, ".packs[0]", "'hippa' is not allowed", "baseline"),
        ({"rules": {"aws-ebs-encrypt": "disabled"}}, ".rules.aws-ebs-encrypt", "No rule", "aws-ebs-encrypted"),
        ({"rules": {"aws-ebs-encrypted": "off"}}, ".rules.aws-ebs-encrypted", "'off' is not allowed", "disabled"),
        ({"waivers": [{**WAIVER, "rule": "ebs"}]}, ".waivers[0].rule", "No rule is called 'ebs'", ""),
        ({"waivers": [{**WAIVER, "expires": "soon"}]}, ".waivers[0].expires", "'soon'", "2027-03-31"),
        ({"waivers": [{**WAIVER, "reason": ""}]}, ".waivers[0].reason", "", "Why"),
        ({"parameters": {"public_ports": [70000]}}, ".parameters.public_ports[0]", "70000 is out of bounds", ""),
        ("baseline", "", "block of fields", "packs"),
    ],
)
def test_what_is_wrong_is_reported_with_its_place_and_what_would_be_right(
    policies: Any, path: str, message: str, hint: str
) -> None:
    reported = refusal(policies)

    assert reported[0].startswith("penstock:policies")
    assert reported[0].endswith(path)
    assert message in reported[1]
    assert hint in reported[2]


def test_all_that_is_wrong_is_reported_at_once() -> None:
    waivers = [{**WAIVER, "rule": "ebs", "expires": "soon"}, 3, {**WAIVER, "rule": 3}]

    with pytest.raises(InvalidDescription) as refused:
        judged(config({"packs": ["baselin"], "rules": {"tagz": "advisory"}, "waivers": waivers}))

    reported = [(finding.path or "").removeprefix("penstock:policies.") for finding in refused.value.findings]
    wrong = ["packs[0]", "rules.tagz", "waivers[0].rule", "waivers[0].expires", "waivers[1]", "waivers[2].rule"]
    assert sorted(reported) == sorted(wrong)


@pytest.mark.parametrize(
    "policies", [{"rules": {"nothing-like-it": "disabled"}}, {"waivers": [{**WAIVER, "rule": "x"}]}]
)
def test_a_name_unlike_any_is_not_answered_with_hundreds(policies: Any) -> None:
    *_, hint = refusal(policies)

    assert hint.endswith(".")
    assert len(hint) < 250
    assert ("encryption-at-rest" in hint) == ("rules" in policies)


def test_a_waiver_that_says_not_who_answers_for_it_is_refused() -> None:
    unowned = {key: value for key, value in WAIVER.items() if key != "owner"}

    assert refusal({"waivers": [unowned]})[:2] == ("penstock:policies.waivers[0].owner", "owner is missing.")


@pytest.mark.parametrize(
    ("block", "path", "message"),
    [
        ({"waivers": "all"}, "penstock:policies.waivers", "A list belongs here"),
        ({"waivers": {"rule": "aws-ebs-cmk"}}, "penstock:policies.waivers", "A list belongs here"),
        ({"waivers": 5}, "penstock:policies.waivers", "A list belongs here"),
        ({"parameters": 5}, "penstock:policies.parameters", "A block of fields belongs here"),
        ({"enforcement": {"severe": "advisory"}}, "penstock:policies.enforcement.severe", "'severe' is not allowed"),
        ({"waivers": [{**WAIVER, "rule": "ebs"}]}, "penstock:policies.waivers[0].rule", "'ebs'"),
    ],
)
def test_what_is_wrong_beside_a_description_is_reported_of_the_settings(block: Any, path: str, message: str) -> None:
    platform = {"waivers": [WAIVER], "budget": {"max_accelerators": 8}}

    with pytest.raises(InvalidDescription) as refused:
        judged(config(block, platform))

    (finding,) = refused.value.findings
    assert finding.path == path
    assert message in finding.message


@pytest.mark.parametrize(
    ("platform", "path"),
    [
        ({"waivers": [WAIVER, {**WAIVER, "rule": "ebs"}]}, "waivers[1].rule"),
        ({"compliance": {"residency": "Europe"}}, "compliance.residency"),
        ({"environment": "production"}, "environment"),
        ({"budget": {"max_accelerators": -1}}, "budget.max_accelerators"),
    ],
)
def test_what_a_description_says_wrongly_is_reported_of_the_description(platform: Any, path: str) -> None:
    places = {("config", "penstock:platform", *platform): Place(7, 5)}

    with pytest.raises(InvalidDescription) as refused:
        judged(config({"waivers": [WAIVER]}, platform), "Pulumi.dev.yaml", places)

    (finding,) = refused.value.findings
    assert (finding.path, finding.line) == (path, 7)


def test_a_waiver_may_excuse_what_an_audit_finds_in_a_state() -> None:
    (waiver,) = judged(config({"waivers": [{**WAIVER, "rule": "state-secret-in-properties"}]})).waivers

    assert waiver.rule == "state-secret-in-properties"


def test_a_waiver_knows_where_it_is_written() -> None:
    places = {
        ("config", "penstock:policies", "waivers", 0): Place(4, 9),
        ("config", "penstock:platform", "waivers"): Place(20, 5),
    }
    both = config({"waivers": [WAIVER]}, {"waivers": [WAIVER]})

    origins = [waiver.origin for waiver in judged(both, "Pulumi.dev.yaml", places).waivers]

    assert origins == [
        ("penstock:policies.waivers[0]", "Pulumi.dev.yaml", 4, 9),
        ("waivers[0]", "Pulumi.dev.yaml", 20, 5),
    ]
    assert [waiver.origin for waiver in judged(both).waivers] == [
        ("penstock:policies.waivers[0]", None, None, None),
        ("waivers[0]", None, None, None),
    ]


@pytest.mark.parametrize("platform", [{"compliance": "hipaa"}, {"budget": [5]}, {"waivers": "all"}, "text", []])
def test_a_description_that_nobody_has_judged_yet_adds_what_it_can(platform: Any) -> None:
    assert judged(config({"packs": ["cost"]}, platform)).packs == ("cost",)


TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize(
    "block",
    [
        TOKEN,
        {"packs": [TOKEN]},
        {"rules": {TOKEN: "disabled"}},
        {"waivers": [{**WAIVER, "reason": f"see {TOKEN}"}]},
        {"parameters": {"allowed_registries": ["encrypted-by-pulumi"]}},
        {"parameters": {"allowed_registries": [{"secure": "v1:abc"}]}},
        "encrypted-by-pulumi",
    ],
)
def test_a_secret_is_refused_and_not_repeated(block: Any) -> None:
    with pytest.raises(InvalidDescription) as refused:
        judged(config(block))

    assert {finding.code for finding in refused.value.findings} == {"SPEC-016"}
    assert TOKEN not in str(refused.value)


BINDING = ("strict", "regulated", "hipaa", "gdpr", "soc2", "pci", "iso27001")


@pytest.mark.parametrize(
    ("lowered", "path"),
    [
        ({"rules": {"aws-s3-acl-private": "advisory"}}, "penstock:policies.rules.aws-s3-acl-private"),
        ({"rules": {"aws-s3-acl-private": "disabled"}}, "penstock:policies.rules.aws-s3-acl-private"),
        ({"rules": {"identity": "disabled"}}, "penstock:policies.rules.identity"),
        ({"enforcement": {"critical": "advisory"}}, "penstock:policies.enforcement.critical"),
    ],
)
@pytest.mark.parametrize("pack", BINDING)
def test_a_critical_rule_of_a_binding_pack_is_not_lowered(pack: str, lowered: dict[str, Any], path: str) -> None:
    where, message, hint = refusal({"packs": [pack], **lowered})

    assert where == path
    assert message.startswith(f"The pack {pack} does not allow ")
    assert hint.startswith("Waive the rule")


@pytest.mark.parametrize(
    "block",
    [
        {"packs": ["baseline"], "rules": {"aws-s3-acl-private": "advisory"}},
        {"packs": ["baseline"], "enforcement": {"critical": "advisory"}},
        {"packs": ["strict"], "rules": {"aws-s3-acl-private": "mandatory", "aws-ebs-encrypted": "disabled"}},
        {"packs": ["strict"], "rules": {"cost": "disabled", "provider": "advisory"}},
        {"packs": ["gdpr"], "enforcement": {"high": "advisory"}},
    ],
)
def test_what_no_pack_binds_may_be_lowered(block: dict[str, Any]) -> None:
    judged(config(block))


def test_every_mistake_is_reported_at_once_with_the_nearest_name() -> None:
    block = {
        "packs": ["strict", "basline"],
        "rules": {"aws-ebs-encrypt": "disabled"},
        "waivers": [{**WAIVER, "rule": "aws-efs-encryptd"}, {**WAIVER, "reason": "x"}, {**WAIVER, "owner": "-"}],
    }

    with pytest.raises(InvalidDescription) as refused:
        judged(config(block))

    found = {finding.path: finding.message + finding.hint for finding in refused.value.findings}
    assert "baseline" in found["penstock:policies.packs[1]"]
    assert "aws-ebs-encrypted" in found["penstock:policies.rules.aws-ebs-encrypt"]
    assert "aws-efs-encrypted" in found["penstock:policies.waivers[0].rule"]
    assert "in words" in found["penstock:policies.waivers[1].reason"]
    assert "a person or a team" in found["penstock:policies.waivers[2].owner"]


@pytest.mark.parametrize(
    "block",
    [
        {"rules": {"aws-fsx-capacity-step": "advisory"}},
        {"rules": {"provider": "disabled"}},
        {"waivers": [{**WAIVER, "rule": "aws-fsx-capacity-step"}]},
    ],
)
def test_lowering_a_provider_rule_leaves_the_baseline_unchanged(block: dict[str, Any]) -> None:
    found = judged(config(block))

    assert found.packs == ("baseline",)
    assert not found.enforcement
