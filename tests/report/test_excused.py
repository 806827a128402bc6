"""What is waived or disabled is in every form of a report, of provider rules as of policies."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console
from tests.graphs import graph_of, resource
from tests.report.assessments import REASON, VOLUME, assessment, provider_report

from penstock.app.judge import judge_policies
from penstock.report import json as machine
from penstock.report import junit, markdown, policies, sarif, terminal
from penstock.report.assessment import Assessment
from penstock.rules.judge import Answer, Report
from penstock.rules.settings import Settings

DISABLED = {"rules": {"provider": "disabled", "aws-fsx-capacity-step": "disabled", "tags": "disabled"}}


def with_waivers() -> Assessment:
    """An assessment with a waived policy and a waived provider rule."""
    return replace(assessment(), judgement=provider_report())


def with_disabled_rules() -> Assessment:
    settings = Settings.model_validate(DISABLED)
    return Assessment(
        environment="dev",
        findings=(),
        judgement=provider_report(**DISABLED, waivers=()),
        policies=judge_policies(graph_of(resource(VOLUME, "data")), settings),
    )


def text(reported: Assessment) -> str:
    page = io.StringIO()
    terminal.show_check(reported, Console(file=page, width=200), ending="")
    return page.getvalue()


def document(reported: Assessment) -> Any:
    return json.loads(machine.render(reported))


def properties(reported: Assessment) -> Any:
    return json.loads(sarif.render(reported))["runs"][0]["properties"]


@pytest.mark.parametrize("render", [text, machine.render, sarif.render, junit.render, markdown.render])
def test_every_report_shows_waived_provider_rules_beside_waived_policies(render: Callable[[Assessment], str]) -> None:
    reported = render(with_waivers())

    for rule, resource_, reason, owner in (
        ("aws-vpc-cidr-size", "net", "The table is out of date.", "network"),
        ("aws-ebs-encrypted", "excused", "scratch", "ml"),
    ):
        assert all(part in reported for part in (rule, resource_, reason, owner, "2027-01-31"))


def test_a_person_reads_waived_provider_rules_below_their_count() -> None:
    lines = text(with_waivers()).splitlines()
    start = next(index for index, line in enumerate(lines) if "provider-rule check" in line)

    assert ", 1 waived" in lines[start]
    assert lines[start + 1 : start + 5] == [
        "Waived provider rules:",
        "  aws-vpc-cidr-size  net (Vpc): The table is out of date. (network, until 2027-01-31)",
        "Waived policies:",
        f"  aws-ebs-encrypted  excused (Volume): {REASON} (ml, until 2027-01-31)",
    ]


def test_a_machine_reads_waivers_of_both_kinds_in_one_form() -> None:
    reported = document(with_waivers())
    (of_provider,), (of_policy,) = reported["checks"]["waived"], reported["policies"]["waived"]

    assert of_provider.keys() == of_policy.keys()
    assert (of_provider["rule"], of_provider["owner"], of_provider["expires"]) == (
        "aws-vpc-cidr-size",
        "network",
        "2027-01-31",
    )
    assert properties(with_waivers())["waived"] == [of_provider, of_policy]


@pytest.mark.parametrize("render", [text, markdown.render])
def test_what_the_settings_disable_is_one_line(render: Callable[[Assessment], str]) -> None:
    reported = render(with_disabled_rules())

    assert "Disabled by settings: provider, aws-fsx-capacity-step, tags." in reported
    assert "No provider rule was evaluated." in reported


def test_a_machine_reads_what_the_settings_disable() -> None:
    reported = document(with_disabled_rules())

    assert reported["checks"]["disabled"] == ["provider", "aws-fsx-capacity-step"]
    assert reported["policies"]["disabled"] == ["tags"]
    assert properties(with_disabled_rules())["disabled"] == ["provider", "aws-fsx-capacity-step", "tags"]


def test_where_nothing_is_disabled_no_line_says_so() -> None:
    assert "Disabled" not in text(assessment())
    assert "Disabled" not in markdown.render(assessment())
    assert document(assessment())["checks"]["disabled"] == []


def changed(report: Report, outcome: str, change: Callable[[Answer], Answer]) -> Report:
    """A report with another outcome of what fails in it."""
    answers = tuple(change(each) if each.outcome == "fail" else each for each in report.answers)
    counts = report.counts.copy()
    for category, was in report.counts:
        if was == "fail":
            counts[category, outcome] = counts.pop((category, was))
    return replace(report, answers=answers, counts=counts)


def test_a_machine_reads_what_a_provider_rule_reports_in_place_of_a_policy() -> None:
    report = assessment().policies
    assert report is not None
    reported = policies.document(
        changed(report, "covered", lambda each: replace(each, covered_by="aws-ebs-size-range"))
    )

    assert reported["counts"]["encryption-at-rest"]["covered"] == 1
    (covered,) = reported["covered"]
    assert (covered["rule"], covered["by"]) == ("aws-ebs-encrypted", "aws-ebs-size-range")
    assert covered["urn"].endswith("::plain")


def test_a_machine_counts_rules_that_failed_themselves() -> None:
    report = assessment().policies
    assert report is not None
    reported = policies.document(changed(report, "error", lambda each: replace(each, defect="raised KeyError")))

    assert reported["counts"]["encryption-at-rest"]["error"] == 1
