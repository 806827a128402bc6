"""A report in SARIF is what places that scan code take: every finding with a file, a rule and a lasting name."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from os import fsdecode
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.report.assessments import BUDGET, CLOUD, REASON, TEXTS, assessment

from penstock.core.findings import Finding, Severity, Source
from penstock.report import sarif
from penstock.report.assessment import Assessment, Home


def run(reported: Assessment) -> dict[str, Any]:
    document = json.loads(sarif.render(reported))
    assert document["version"] == "2.1.0"
    (only,) = document["runs"]
    return dict(only)


def results(reported: Assessment) -> dict[str, dict[str, Any]]:
    return {each["ruleId"]: each for each in run(reported)["results"]}


def rules(reported: Assessment) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in run(reported)["tool"]["driver"]["rules"]}


def uri(result: dict[str, Any]) -> str:
    (location,) = result["locations"]
    return str(location["physicalLocation"]["artifactLocation"]["uri"])


def of(*findings: Finding) -> Assessment:
    return Assessment(environment="dev", findings=findings)


def test_findings_of_every_source_are_results() -> None:
    assert {code: each["level"] for code, each in results(assessment()).items()} == {
        "aws-vpc-cidr-size": "warning",
        "BUDGET-001": "warning",
        "aws-ebs-encrypted": "error",
    }


def test_every_result_names_its_rule_and_a_file() -> None:
    reported = run(assessment())

    for result in reported["results"]:
        assert reported["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        (location,) = result["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"]
        assert location["physicalLocation"]["region"]["startLine"] >= 1
        assert result["message"]["text"]


def test_a_policy_is_explained_and_ranked() -> None:
    rule = rules(assessment())["aws-ebs-encrypted"]

    assert 7 <= float(rule["properties"]["security-severity"]) < 9
    assert "security" in rule["properties"]["tags"]
    assert {"Why", "How to fix it"} <= set(re.findall(r"\*\*(.+?)\.\*\*", rule["help"]["markdown"]))
    assert "CKV_AWS_3" in rule["help"]["text"]


def test_a_cloud_rule_is_explained_by_its_sentence() -> None:
    assert rules(of(CLOUD))["aws-vpc-cidr-size"]["shortDescription"]["text"].endswith(".")
    assert "security-severity" not in rules(of(CLOUD))["aws-vpc-cidr-size"]["properties"]


def test_what_is_waived_is_listed_and_opens_no_alert() -> None:
    reported = run(assessment())
    (waived,) = reported["properties"]["waived"]

    assert not [result for result in reported["results"] if "excused" in str(result["locations"])]
    assert (waived["rule"], waived["reason"], waived["owner"]) == ("aws-ebs-encrypted", REASON, "ml")
    assert waived["expires"] == "2027-01-31"


def test_what_could_not_be_reported_is_counted() -> None:
    counts = run(assessment())["properties"]

    assert counts["policies"] == {"pass": 1, "fail": 1, "unknown": 1, "waived": 1, "exempt": 0}
    assert counts["cloudRules"] == {"passed": 5, "unknown": 1}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a folder of a repository, asked about from elsewhere."""
    folder = tmp_path / "repo" / "infra"
    folder.mkdir(parents=True)
    (folder.parent / ".git").mkdir()
    for name in ("storage.py", "network.py", "Pulumi.dev.yaml"):
        (folder / name).touch()
    monkeypatch.chdir(tmp_path)
    return folder


def test_files_are_named_from_the_root_of_the_repository(project: Path) -> None:
    found = results(assessment(folder=project))

    assert uri(found["aws-ebs-encrypted"]) == "infra/storage.py"
    assert found["aws-ebs-encrypted"]["locations"][0]["physicalLocation"]["region"] == {"startLine": 7}
    assert uri(found["BUDGET-001"]) == "infra/Pulumi.dev.yaml"


def test_a_file_named_from_here_is_found_too(project: Path) -> None:
    spec = Finding(
        code="SPEC-010",
        severity=Severity.ERROR,
        source=Source.SPEC,
        message="no field",
        file="repo/infra/Pulumi.dev.yaml",
        line=4,
        column=2,
    )

    (result,) = results(replace(assessment(folder=project), findings=(spec,))).values()

    assert uri(result) == "infra/Pulumi.dev.yaml"
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 2}


def test_a_file_may_have_any_name_that_a_system_takes() -> None:
    home = Home(Path(fsdecode(b"Pulumi.\xff.yaml")), Path.cwd())

    (result,) = results(replace(of(BUDGET), home=home)).values()

    assert uri(result).endswith("Pulumi.%FF.yaml")


def prints(*findings: Finding) -> list[str]:
    return [each["partialFingerprints"]["primaryLocationLineHash"] for each in run(of(*findings))["results"]]


def test_a_finding_keeps_its_name_when_lines_move_and_words_change() -> None:
    assert prints(CLOUD) == prints(replace(CLOUD, line=99, message="10 is none", hint=""))
    assert prints(CLOUD) != prints(replace(CLOUD, urn="urn:pulumi:s::p::aws:ec2/vpc:Vpc::other"))
    assert prints(CLOUD) != prints(replace(CLOUD, path="tags"))


def test_findings_that_are_alike_keep_names_of_their_own() -> None:
    first, second = prints(BUDGET, BUDGET)

    assert first != second
    assert (first[-2:], second[-2:]) == (":1", ":2")


def test_the_runs_of_two_stacks_stand_beside_each_other() -> None:
    assert run(of())["automationDetails"]["id"] == "penstock/dev/"
    assert run(of())["results"] == []


@pytest.mark.parametrize("code", ["aws-ebs-encrypted", "aws-vpc-cidr-size", "BUDGET-001"])
def test_every_rule_has_what_github_requires_of_one(code: str) -> None:
    rule = rules(assessment())[code]

    assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))


def test_of_more_than_github_takes_the_gravest_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_RESULTS", 2)

    reported = run(assessment())

    assert [each["level"] for each in reported["results"]] == ["error", "warning"]
    assert reported["properties"]["leftOut"] == 1
    assert {rule["id"] for rule in reported["tool"]["driver"]["rules"]} == {
        each["ruleId"] for each in reported["results"]
    }


@given(message=TEXTS, hint=TEXTS, path=TEXTS | st.none(), file=TEXTS | st.none())
@example(message="", hint="", path=None, file="\ud800/main.py")
@example(message="", hint="", path=None, file="a name longer than a file may have" * 9)
@example(message="", hint="", path=None, file="\0/main.py")
def test_no_odd_finding_ends_a_report(message: str, hint: str, path: str | None, file: str | None) -> None:
    odd = replace(BUDGET, message=message, hint=hint, path=path, file=file)

    assert len(results(of(odd))) == 1
