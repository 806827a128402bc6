"""Preconditions in reports: in the text, JSON and Markdown, and without an effect on anything else."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from penstock.cli import app
from penstock.preconditions import Precondition
from penstock.report import json as json_report
from penstock.report import junit, markdown, sarif, terminal
from penstock.report.assessment import Assessment

URN = "urn:pulumi:s::p::aws:eks/accessEntry:AccessEntry::admin"
ROLE = Precondition("IAM role *platform*", "Nobody gets in.", "aws iam create-role --role-name platform", URN)
ENDPOINT = Precondition("A way in", "Objects are created through it.", "x" * 150, "")
PROGRAM = """
from pulumi_aws import eks
eks.AccessEntry("admin", cluster_name="c", principal_arn="arn:aws:iam::123456789012:role/platform")
"""


def assessment(*needed: Precondition) -> Assessment:
    """A report with nothing else in it."""
    return Assessment(environment="dev", findings=(), preconditions=needed)


def text_of(reported: Assessment) -> str:
    """What a terminal shows."""
    page = StringIO()
    terminal.show_check(reported, Console(file=page, width=80), ending="Done.")
    return page.getvalue()


def test_the_text_has_what_why_and_how_in_whole_lines() -> None:
    lines = text_of(assessment(ROLE, ENDPOINT)).splitlines()

    assert lines[:4] == [
        "Before the first `pulumi up`, 2 preconditions:",
        "  IAM role *platform*",
        "    Nobody gets in.",
        "    aws iam create-role --role-name platform",
    ]
    assert f"    {'x' * 150}" in lines


def test_json_has_each_as_an_object() -> None:
    document = json.loads(json_report.render(assessment(ROLE)))

    assert document["ok"]
    assert document["preconditions"] == [
        {
            "what": "IAM role *platform*",
            "why": "Nobody gets in.",
            "how": "aws iam create-role --role-name platform",
            "resource": URN,
        }
    ]


def test_markdown_has_a_section_that_breaks_no_table() -> None:
    text = markdown.render(assessment(ROLE, ENDPOINT))

    assert "preconditions of the first <code>pulumi up</code></summary>" in text
    assert r"IAM role \*platform\*" in text
    assert "`admin` (AccessEntry)" in text
    assert "`aws iam create-role --role-name platform`" in text


def test_a_report_without_preconditions_has_no_section() -> None:
    assert "Before the first" not in text_of(assessment())
    assert "of the first" not in markdown.render(assessment())
    assert json.loads(json_report.render(assessment()))["preconditions"] == []


def test_preconditions_are_no_results() -> None:
    (run,) = json.loads(sarif.render(assessment(ROLE)))["runs"]

    assert run["results"] == []
    assert len(run["properties"]["preconditions"]) == 1
    assert junit.render(assessment(ROLE)) == junit.render(assessment())


@pytest.mark.parametrize("command", ["rehearse", "check"])
def test_commands_list_them_and_end_well(command: str, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)

    ended = CliRunner().invoke(app, [command, str(tmp_path), "--stack", "dev", "--format", "json"])

    document = json.loads(ended.stdout)
    assert ended.exit_code == 0
    assert "IAM role platform in account 123456789012" in [each["what"] for each in document["preconditions"]]
    assert document["findings"] == []
