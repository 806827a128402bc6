"""What configures the policy pack, and what it says of itself; the real pack, over its protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from pulumi.runtime.proto import analyzer_pb2 as rpc
from tests.pack import engine
from tests.pack.engine import Engine
from tests.programs import graph_of

from penstock.graph.graph import Graph
from penstock.graph.values import UNKNOWN, Secret
from penstock.pack.config import OWN
from penstock.rules import packs, registry
from penstock.rules.settings import Settings

pytestmark = pytest.mark.slow

FILE_SYSTEM = "aws:efs/fileSystem:FileSystem"
URN = f"urn:pulumi:stack::project::{FILE_SYSTEM}::it"
ABOUT = {OWN, "aws-efs-encrypted", "aws-efs-cmk", "aws-tag-no-secret"}
SECRET = "AKIA" + "IOSFODNN7EXAMPLQ"
WAIVER = {
    "rule": "aws-efs-encrypted",
    "urn": "*::it",
    "reason": "scratch data",
    "owner": "ml-platform",
    "expires": (datetime.now(tz=UTC).date() + timedelta(days=90)).isoformat(),
}


@pytest.fixture(scope="module")
def running() -> Iterator[Engine]:
    with engine.started() as pack:
        yield pack


@pytest.fixture
def pack(running: Engine) -> Engine:
    """The pack in the baseline, which somebody has turned on."""
    running.stack(packs=["baseline"])
    return running


def file_system(inputs: Mapping[str, Any] | None = None) -> Graph:
    """A bare file system breaks aws-efs-encrypted, which is in the baseline, and aws-efs-cmk, which is not."""
    return engine.with_providers(graph_of({"it": (FILE_SYSTEM, inputs or {})}))


def levels(pack: Engine, graph: Graph | None = None) -> dict[str, int]:
    """The levels of those of the two rules, and of the pack's own policy, that are broken."""
    reported = pack.registered(graph or file_system())
    return {each.policyName: each.enforcementLevel for each in reported if each.policyName in ABOUT}


def words(pack: Engine, graph: Graph | None = None) -> list[str]:
    """What the pack says of itself, all through a program."""
    reported = pack.registered(graph or file_system()) + pack.finished(graph or file_system())
    return [each.message for each in reported if each.policyName == OWN]


# ---------------------------------------------------------------------- policies


def test_the_rules_of_a_concern_that_is_named_are_policies_of_all_weights(running: Engine) -> None:
    running.stack(packs=[], rules={"encryption-at-rest": "advisory", "aws-efs-encrypted": "disabled"})

    named = {policy.name: policy.enforcementLevel for policy in running.info().policies}

    assert named["aws-efs-cmk"] == rpc.ADVISORY
    assert ABOUT & set(named) == {OWN, "aws-efs-cmk"}
    assert levels(running) == {"aws-efs-cmk": rpc.ADVISORY}


def test_each_rule_in_force_is_a_policy(pack: Engine) -> None:
    info = pack.info()

    named = {policy.name: policy for policy in info.policies}
    assert info.supportsConfig
    assert set(named) == {OWN, *(rule.id for rule in packs.enabled(registry.policies(), Settings()))}
    reported = named["aws-efs-encrypted"]
    assert reported.enforcementLevel == rpc.ADVISORY
    assert reported.severity == rpc.POLICY_SEVERITY_HIGH
    assert reported.policy_type == rpc.POLICY_TYPE_RESOURCE
    assert "CKV_AWS_42" in reported.tags
    assert reported.remediation_steps.startswith("Set encrypted")


def test_the_schema_of_settings_stands_by_itself_and_has_no_defaults(pack: Engine) -> None:
    (own,) = [policy for policy in pack.info().policies if policy.name == OWN]

    properties = own.configSchema.properties
    assert set(properties) == set(Settings.model_fields)
    assert "$ref" not in str(properties)
    assert not [key for key, schema in MessageToDict(properties).items() if "default" in schema]


def test_a_rule_that_does_not_speak_of_a_resource_does_not_count_as_kept(pack: Engine) -> None:
    graph = file_system({"encrypted": True})

    kept = pack.pack.Analyze(engine.request(graph[URN], graph))

    assert not kept.diagnostics
    left_out = {each.policy_name for each in kept.not_applicable}
    alone = {policy.name for policy in pack.info().policies if policy.policy_type == rpc.POLICY_TYPE_RESOURCE}
    assert "aws-efs-encrypted" in alone - left_out
    assert "aws-rds-encrypted" in left_out


# ---------------------------------------------------------------------- levels


def test_a_stack_that_has_turned_nothing_on_is_held_to_the_baseline(running: Engine) -> None:
    running.stack()
    running.configure()

    assert levels(running) == {"aws-efs-encrypted": rpc.ADVISORY}
    assert levels(running, engine.with_providers(graph_of({"it": (FILE_SYSTEM, {"tags": {"key": SECRET}})}))) == {
        "aws-efs-encrypted": rpc.ADVISORY,
        "aws-tag-no-secret": rpc.MANDATORY,
    }


def test_what_a_pack_binds_is_not_lowered_under_the_cli(running: Engine) -> None:
    running.stack(rules={"aws-tag-no-secret": "advisory"})
    running.configure(penstock={"packs": ["strict"]})

    (text,) = words(running)

    assert "The pack strict does not allow 'aws-tag-no-secret' to be advisory" in text


def test_a_stack_file_says_how_strict_rules_are(running: Engine) -> None:
    running.stack(packs=["regulated"], rules={"aws-efs-encrypted": "advisory", "aws-efs-cmk": "mandatory"})

    assert levels(running) == {"aws-efs-encrypted": rpc.ADVISORY, "aws-efs-cmk": rpc.MANDATORY}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {"aws-efs-encrypted": rpc.ADVISORY}),
        ({"aws_efs_encrypted": "advisory"}, {"aws-efs-encrypted": rpc.ADVISORY}),
        ({"aws_efs_encrypted": {"enforcementLevel": "advisory"}}, {"aws-efs-encrypted": rpc.ADVISORY}),
        ({"aws_efs_encrypted": "disabled"}, {}),
        ({"aws_efs_encrypted": "remediate"}, {"aws-efs-encrypted": rpc.MANDATORY}),  # it has no remedy
        ({"all": "disabled"}, {}),
        ({"all": "advisory"}, {"aws-efs-encrypted": rpc.ADVISORY}),
        ({"all": "advisory", "aws_efs_encrypted": "mandatory"}, {"aws-efs-encrypted": rpc.MANDATORY}),
        (
            {"all": "advisory", "penstock": {"packs": ["sovereign"], "rules": {"aws-efs-cmk": "mandatory"}}},
            {"aws-efs-encrypted": rpc.ADVISORY, "aws-efs-cmk": rpc.MANDATORY},
        ),
        ({"all": "mandatory", "penstock": {"rules": {"aws-efs-encrypted": "disabled"}}}, {}),
        ({"encryption_at_rest": "disabled"}, {}),
        ({"aws_efs_cmk": "advisory"}, {"aws-efs-encrypted": rpc.ADVISORY, "aws-efs-cmk": rpc.ADVISORY}),
        ({"encryption_at_rest": "advisory"}, {"aws-efs-encrypted": rpc.ADVISORY, "aws-efs-cmk": rpc.ADVISORY}),
        ({"penstock": {"packs": ["regulated"]}}, {"aws-efs-encrypted": rpc.MANDATORY, "aws-efs-cmk": rpc.ADVISORY}),
        ({"penstock": {"packs": ["cost"]}}, {}),
        ({"penstock": {"rules": {"aws-efs-encrypted": "advisory"}}}, {"aws-efs-encrypted": rpc.ADVISORY}),
        ({"penstock": {"enforcement": {"high": "advisory"}}}, {"aws-efs-encrypted": rpc.ADVISORY}),
    ],
    ids=str,
)
def test_the_configuration_of_policies_wins(pack: Engine, given: dict[str, Any], expected: dict[str, int]) -> None:
    pack.configure(**given)

    assert levels(pack) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"aws_efs_cmk": "mandatory"}, {"aws-efs-encrypted": rpc.ADVISORY, "aws-efs-cmk": rpc.MANDATORY}),
        ({"penstock": {"packs": ["regulated"]}}, {"aws-efs-encrypted": rpc.MANDATORY, "aws-efs-cmk": rpc.ADVISORY}),
        (
            {
                "penstock": {
                    "packs": ["baseline"],
                    "rules": {"aws-efs-cmk": "advisory"},
                    "enforcement": {"high": "mandatory"},
                }
            },
            {"aws-efs-encrypted": rpc.MANDATORY, "aws-efs-cmk": rpc.ADVISORY},
        ),
        ({"all": "mandatory"}, {"aws-efs-encrypted": rpc.MANDATORY}),
    ],
    ids=str,
)
def test_the_configuration_of_policies_wins_where_the_stack_turns_nothing_on(
    running: Engine, given: dict[str, Any], expected: dict[str, int]
) -> None:
    running.stack()
    running.configure(**given)

    assert levels(running) == expected


def test_waivers_of_the_stack_and_of_the_configuration_hold_together(running: Engine) -> None:
    running.stack(packs=["regulated"], waivers=[WAIVER])
    running.configure(penstock={"waivers": [{**WAIVER, "rule": "aws-efs-cmk"}]})

    assert levels(running) == {}


# ---------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"packs": ["basic"]}, "penstock:policies.packs[0]: 'basic' is not allowed here."),
        ({"rules": {"aws-efs": "disabled"}}, "No rule or category is called 'aws-efs'. Did you mean aws-efs"),
        ({"colour": "red"}, "There is no field 'colour' here."),
        ({"waivers": [{"rule": "aws-efs-encrypted"}]}, "urn is missing."),
    ],
    ids=str,
)
def test_a_mistake_in_the_stack_file_is_reported_once_and_in_words(
    running: Engine, block: dict[str, Any], expected: str
) -> None:
    running.stack(**block)
    running.configure()

    reported = running.registered(file_system()) + running.registered(file_system()) + running.finished(file_system())

    (violation,) = reported
    assert expected in violation.message
    assert violation.policyName == OWN
    assert violation.enforcementLevel == rpc.MANDATORY


def test_settings_that_are_secret_are_refused_and_not_quoted(running: Engine) -> None:
    config = {"penstock:policies": '{"packs": ["hunter2"]}'}
    running.pack.ConfigureStack(rpc.AnalyzerStackConfigureRequest(config=config, config_secret_keys=list(config)))

    (text,) = words(running)

    assert "Policies take no encrypted value." in text
    assert "hunter2" not in text


def test_what_is_no_json_is_reported_in_words(running: Engine) -> None:
    running.stack({"penstock:policies": "baseline"})

    assert [text for text in words(running) if "a block of fields" in text]


def test_a_mistake_in_the_configuration_of_policies_is_reported(pack: Engine) -> None:
    pack.configure(aws_efs_encryption="disabled")

    (text,) = words(pack)
    assert "'aws-efs-encryption'" in text
    assert "Did you mean aws-efs-encrypted" in text


def test_a_mistake_is_reported_at_the_level_of_the_packs_own_policy(pack: Engine) -> None:
    pack.configure(aws_efs_encryption="disabled", penstock="advisory")
    assert levels(pack) == {OWN: rpc.ADVISORY}

    pack.configure(aws_efs_encryption="disabled", penstock="disabled")
    assert levels(pack) == {OWN: rpc.ADVISORY}  # no rule is asked, which must not look as if all were kept


def test_properties_that_no_policy_takes_are_reported_of(running: Engine) -> None:
    running.stack()
    running.configure(**{"aws-efs-encrypted": {"enforcementLevel": "advisory", "allowed": True}})

    (text,) = words(running)

    assert text.startswith("aws-efs-encrypted: a rule or a category takes a level only")


# ---------------------------------------------------------------------- waivers and doubts


def test_waivers_in_use_are_listed_once(running: Engine) -> None:
    running.stack(waivers=[WAIVER])

    assert levels(running) == {}
    assert words(running) == [
        f"1 finding waived:\n- aws-efs-encrypted at it, waived until {WAIVER['expires']} by ml-platform: scratch data"
    ]


def test_a_waiver_that_has_expired_excuses_nothing_and_is_reported(running: Engine) -> None:
    running.stack(waivers=[{**WAIVER, "expires": "2020-01-31"}])

    assert levels(running) == {"aws-efs-encrypted": rpc.ADVISORY}
    (text,) = words(running)
    assert text.startswith("POLICY-002: the waiver of aws-efs-encrypted expired on 2020-01-31")


@pytest.mark.parametrize(
    ("doubt", "level"), [("counted", None), ("advisory", rpc.ADVISORY), ("mandatory", rpc.MANDATORY)]
)
def test_what_nobody_can_tell_is_counted_in_one_line_and_reported_where_asked_for(
    running: Engine, doubt: str, level: int | None
) -> None:
    running.stack(unknown=doubt)
    graph = file_system({"encrypted": UNKNOWN})

    assert running.registered(graph) == []  # a later resource may tell
    reported = {each.policyName: each.enforcementLevel for each in running.finished(graph)}

    assert reported.get("aws-efs-encrypted") == level
    (text,) = words(running, graph)
    assert text == "1 policy check undetermined until the resources exist: aws-efs-encrypted"


@pytest.mark.parametrize(
    "sentinel",
    ["1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "3eeb2bf0-c639-47a8-9e75-3b44932eb421"],
    ids=["bool", "number"],
)
def test_a_value_that_another_language_leaves_unknown_is_unknown(pack: Engine, sentinel: str) -> None:
    graph = file_system({"encrypted": sentinel})

    assert levels(pack, graph) == {}
    assert len(words(pack, graph)) == 1


def test_a_secret_is_not_reported(running: Engine) -> None:
    running.stack(packs=["regulated"], unknown="advisory", rules={"aws-efs-encrypted": "mandatory"})
    graph = file_system({"encrypted": Secret("perhaps"), "kmsKeyId": Secret("hunter2")})

    reported = running.registered(graph) + running.finished(graph)

    assert reported
    assert not [each.message for each in reported if "perhaps" in each.message or "hunter2" in each.message]


def test_what_is_only_looked_up_is_not_judged(pack: Engine) -> None:
    """The engine registers nothing for it, and tells of it only at the end."""
    there = file_system()

    assert pack.finished(there) == []
    assert levels(pack, there) != {}
