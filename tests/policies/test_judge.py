"""Judging a whole program: packs, levels, undetermined results, waivers and exemptions."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.programs import Program, Ref, graph_of

from penstock.app.judge import judge_policies
from penstock.core.findings import Finding, Severity, Source
from penstock.graph.values import UNKNOWN
from penstock.policies import exemptions
from penstock.rules import packs, registry
from penstock.rules.judge import INTERNAL, Report
from penstock.rules.levels import Category, RuleSeverity
from penstock.rules.settings import Settings
from penstock.rules.waivers import Origin, Waiver

TODAY = date(2026, 11, 21)
VOLUME = "aws:ebs/volume:Volume"
CLEAR: Program = {"data": (VOLUME, {"availabilityZone": "us-east-1a", "size": 8})}
WAIVER = {"rule": "aws-ebs-encrypted", "urn": "*::data", "reason": "empty", "owner": "me", "expires": "2026-12-31"}


def report(program: Program = CLEAR, *, preview: bool = False, **settings: Any) -> Report:
    graph = graph_of(program, preview=preview)
    return judge_policies(graph, Settings.model_validate(settings), today=TODAY)


def reported(of: Report) -> dict[str, Finding]:
    return {finding.code: finding for finding in of.findings}


def test_a_broken_rule_tells_what_is_wrong_how_to_fix_it_and_where() -> None:
    finding = reported(report(packs=["strict"]))["aws-ebs-encrypted"]

    assert (finding.severity, finding.source, finding.path) == (Severity.ERROR, Source.POLICY, "encrypted")
    assert finding.message == "encrypted is not set"
    assert finding.hint.startswith("Set encrypted to true")
    assert (finding.urn or "").endswith("::data")


def test_packs_decide_what_is_asked() -> None:
    assert "aws-ebs-cmk" not in reported(report())
    assert "aws-ebs-cmk" in reported(report(packs=["regulated"]))
    assert "aws-ebs-cmk" in reported(report(frameworks=["hipaa"]))
    assert reported(report(packs=["cost"])) == {}


def test_naming_a_category_enables_its_rules_as_naming_one_does() -> None:
    named = report(packs=[], rules={"encryption-at-rest": "advisory", "aws-ebs-encrypted": "disabled"})
    bucket: Program = {"data": ("gcp:storage/bucket:Bucket", {"location": "US", "forceDestroy": True})}

    assert set(reported(named)) == {"aws-ebs-cmk"}
    assert reported(named)["aws-ebs-cmk"].severity is Severity.WARNING
    assert reported(report(packs=[], rules={"encryption-at-rest": "disabled"})) == {}
    assert "gcp-gcs-no-force-destroy" not in reported(report(bucket, packs=[], rules={"resilience": "mandatory"}))


def test_every_rule_is_in_a_pack() -> None:
    assert [rule.id for rule in registry.policies() if not any(packs.holds(pack, rule) for pack in packs.PACKS)] == []


@pytest.mark.parametrize(
    ("settings", "severity"),
    [
        ({}, Severity.WARNING),
        ({"packs": ["strict"]}, Severity.ERROR),
        ({"packs": ["baseline", "hipaa"]}, Severity.ERROR),
        ({"enforcement": {"high": "mandatory"}}, Severity.ERROR),
        ({"packs": ["strict"], "enforcement": {"high": "advisory"}}, Severity.WARNING),
        ({"rules": {"encryption-at-rest": "advisory"}}, Severity.WARNING),
        ({"rules": {"encryption-at-rest": "advisory", "aws-ebs-encrypted": "mandatory"}}, Severity.ERROR),
        ({"rules": {"aws-ebs-encrypted": "disabled"}}, None),
        ({"packs": [], "rules": {"aws-ebs-encrypted": "advisory"}}, Severity.WARNING),
    ],
)
def test_the_nearest_level_wins_the_rule_before_its_category_before_its_weight(
    settings: dict[str, Any], severity: Severity | None
) -> None:
    finding = reported(report(**settings)).get("aws-ebs-encrypted")

    assert (finding.severity if finding else None) is severity


def test_what_is_for_production_only_is_asked_there_only() -> None:
    bucket: Program = {"data": ("gcp:storage/bucket:Bucket", {"location": "US", "forceDestroy": True})}

    assert "gcp-gcs-no-force-destroy" in reported(report(bucket, environment="prod"))
    assert "gcp-gcs-no-force-destroy" not in reported(report(bucket, environment="dev"))
    assert "gcp-gcs-no-force-destroy" not in reported(report(bucket))


@pytest.mark.parametrize(
    ("doubt", "severity"), [("counted", None), ("advisory", Severity.WARNING), ("mandatory", Severity.ERROR)]
)
def test_what_cannot_be_reported_is_counted_and_found_where_that_is_wanted(
    doubt: str, severity: Severity | None
) -> None:
    unread: Program = {"data": (VOLUME, {"encrypted": UNKNOWN})}

    found = report(unread, unknown=doubt)

    assert found.counts[Category.AT_REST, "unknown"] == 1
    assert found.counts[Category.AT_REST, "pass"] == 0
    finding = reported(found).get("aws-ebs-encrypted")
    assert (finding.severity if finding else None) is severity


def test_a_waiver_excuses_until_its_last_day_and_no_longer() -> None:
    last = date(2026, 12, 31)
    settings = Settings.model_validate({"waivers": [WAIVER]})
    graph = graph_of(CLEAR)

    on_the_last_day = judge_policies(graph, settings, today=last)
    the_day_after = judge_policies(graph, settings, today=date(2027, 1, 1))

    assert on_the_last_day.findings == ()
    assert [answer.waiver.owner for answer in on_the_last_day.of("waived") if answer.waiver] == ["me"]
    assert set(reported(the_day_after)) == {"aws-ebs-encrypted", "POLICY-002"}


@pytest.mark.parametrize(
    ("change", "code"),
    [({"urn": "*::other"}, "POLICY-003"), ({"rule": "aws-efs-encrypted"}, "POLICY-003"), ({"rule": "x"}, "POLICY-001")],
)
def test_a_waiver_that_excuses_nothing_is_reported(change: dict[str, str], code: str) -> None:
    found = reported(report(waivers=[{**WAIVER, **change}]))

    assert set(found) == {"aws-ebs-encrypted", code}
    assert found[code].path == "waivers[0]"


@pytest.mark.parametrize("rule", ["aws-ebs-encrypted", "state-secret-in-properties"])
def test_one_that_has_expired_is_reported_wherever_it_is_looked_at(rule: str) -> None:
    found = reported(report(waivers=[{**WAIVER, "rule": rule, "expires": "2026-11-20"}]))

    assert found["POLICY-002"].hint == "Fix what it excused, or let me set another day."


def test_what_is_wrong_with_a_waiver_is_reported_where_it_is_written() -> None:
    waiver = Waiver.model_validate({**WAIVER, "urn": "*::other"})
    origin = Origin("penstock:policies.waivers[4]", "Pulumi.dev.yaml", 12, 7)

    (found,) = judge_policies(graph_of({}), Settings(waivers=(waiver.written_at(origin),)), today=TODAY).findings

    assert (found.path, found.file, found.line, found.column) == origin


def test_a_waiver_that_may_be_needed_yet_is_not_called_useless() -> None:
    unread: Program = {"data": (VOLUME, {"encrypted": UNKNOWN})}

    assert not reported(report(unread, waivers=[WAIVER]))
    assert set(reported(report(unread, waivers=[{**WAIVER, "urn": "*::other"}]))) == {"POLICY-003"}


def test_nor_is_one_of_what_this_run_leaves_alone() -> None:
    graph = graph_of({**CLEAR, "other": ("aws:efs/fileSystem:FileSystem", {})})
    alone = replace(graph, resources={urn: replace(each, external=True) for urn, each in graph.resources.items()})
    waivers = [WAIVER, {**WAIVER, "urn": "*::other"}]

    findings = judge_policies(alone, Settings.model_validate({"waivers": waivers}), today=TODAY).findings

    assert [(each.code, each.path) for each in findings] == [("POLICY-003", "waivers[1]")]


def test_nor_is_one_of_a_state_where_no_state_is_looked_at() -> None:
    assert set(reported(report(waivers=[{**WAIVER, "rule": "state-secret-in-properties"}]))) == {"aws-ebs-encrypted"}


@given(st.text("abc*?[]:", min_size=1))
def test_a_waiver_covers_no_other_rule(pattern: str) -> None:
    covered = report(waivers=[{**WAIVER, "rule": "aws-efs-encrypted", "urn": pattern}])

    assert "aws-ebs-encrypted" in reported(covered)


@pytest.mark.parametrize(
    ("outputs", "messages"),
    [
        ({"password": "made-by-hand"}, ["the input password is in clear, and its name says that it is secret"]),
        (
            {"url": "postgres://app:made-by-hand@db/app", "nothing": None},
            [
                "the input password is in clear, and its name says that it is secret",
                "the output url has a password in an address in clear",
            ],
        ),
    ],
)
def test_what_a_component_offers_is_looked_at_like_what_it_is_given(
    outputs: dict[str, object], messages: list[str]
) -> None:
    graph = graph_of({"db": ("penstock:shop:Database", {"password": "made-by-hand"})})
    whole = replace(graph, resources={urn: replace(each, outputs=outputs) for urn, each in graph.resources.items()})

    assert [each.message for each in judge_policies(whole, Settings(), today=TODAY).findings] == messages


def test_what_only_exists_already_is_not_judged() -> None:
    graph = graph_of(CLEAR)
    looked_up = replace(graph, resources={urn: replace(each, external=True) for urn, each in graph.resources.items()})

    assert judge_policies(looked_up, Settings(), today=TODAY).findings == ()


def test_a_rule_that_raises_is_an_internal_finding_and_stops_no_other(monkeypatch: Any) -> None:
    class Broken(Exception):
        pass

    def fails(*_: object) -> None:
        raise Broken

    broken = next(rule for rule in registry.policies() if rule.id == "aws-ebs-encrypted")
    monkeypatch.setattr(type(broken.check), "judge", fails)
    found = report({**CLEAR, "group": ("aws:efs/fileSystem:FileSystem", {})}, packs=["regulated"])

    assert reported(found)[INTERNAL].severity is Severity.ERROR
    assert found.count("fail") > 0


def test_an_exemption_that_raises_is_an_internal_finding(monkeypatch: Any) -> None:
    def fails(*_: object) -> None:
        raise KeyError

    monkeypatch.setattr(exemptions, "exemption_of", fails)
    found = report(CLEAR, packs=["regulated"])

    assert reported(found)[INTERNAL].severity is Severity.ERROR
    assert found.count("fail") == 0


def test_an_image_that_is_not_known_yet_leaves_an_exemption_open() -> None:
    container = {"name": "plugin", "image": Ref("mirror", "url"), "securityContext": {"privileged": True}}
    daemons: Program = {
        "plugin": ("kubernetes:apps/v1:DaemonSet", {"spec": {"template": {"spec": {"containers": [container]}}}}),
        "mirror": ("aws:ecr/repository:Repository", {}),
    }

    unread = {answer.rule.id for answer in report(daemons, preview=True).of("unknown")}

    assert "k8s-pod-not-privileged" in unread


def test_levels_by_weight_are_as_the_guide_says() -> None:
    advised = {RuleSeverity.MEDIUM, RuleSeverity.LOW}
    found = report(packs=["regulated"], enforcement={})

    for answer in found.of("fail"):
        severity = reported(found)[answer.rule.id].severity
        assert severity is (Severity.WARNING if answer.rule.severity in advised else Severity.ERROR)
