"""A report in SARIF is what places that scan code take: every finding with a file, a rule and a lasting name."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.report.assessments import BUDGET, CLOUD, REASON, assessment

from penstock.findings import Finding, Severity, Source
from penstock.report import sarif
from penstock.report.assessment import Assessment


def run(told: Assessment) -> dict[str, Any]:
    document = json.loads(sarif.render(told))
    assert document["version"] == "2.1.0"
    (only,) = document["runs"]
    return dict(only)


def results(told: Assessment) -> dict[str, dict[str, Any]]:
    return {each["ruleId"]: each for each in run(told)["results"] if "suppressions" not in each}


def rules(told: Assessment) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in run(told)["tool"]["driver"]["rules"]}


def uri(result: dict[str, Any]) -> str:
    (location,) = result["locations"]
    return str(location["physicalLocation"]["artifactLocation"]["uri"])


def of(*findings: Finding) -> Assessment:
    return Assessment(environment="dev", findings=findings)


def test_findings_of_every_source_are_results() -> None:
    assert {code: each["level"] for code, each in results(assessment()).items()} == {
        "AWS-VPC-001": "warning",
        "BUDGET-001": "warning",
        "aws-ebs-encrypted": "error",
    }


def test_every_result_names_its_rule_and_a_file() -> None:
    told = run(assessment())

    for result in told["results"]:
        assert told["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        (location,) = result["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"]
        assert location["physicalLocation"]["region"]["startLine"] >= 1
        assert result["message"]["text"]


def test_a_policy_is_explained_and_ranked() -> None:
    rule = rules(assessment())["aws-ebs-encrypted"]

    assert 7 <= float(rule["properties"]["security-severity"]) < 9
    assert "security" in rule["properties"]["tags"]
    assert {"Why", "How to mend it"} <= set(re.findall(r"\*\*(.+?)\.\*\*", rule["help"]["markdown"]))
    assert "CKV_AWS_3" in rule["help"]["text"]


def test_a_cloud_rule_is_explained_by_its_sentence() -> None:
    assert rules(of(CLOUD))["AWS-VPC-001"]["shortDescription"]["text"].endswith(".")
    assert "security-severity" not in rules(of(CLOUD))["AWS-VPC-001"]["properties"]


def test_what_is_waived_is_suppressed_with_its_reason() -> None:
    (waived,) = (each for each in run(assessment())["results"] if "suppressions" in each)
    (suppression,) = waived["suppressions"]

    assert waived["ruleId"] == "aws-ebs-encrypted"
    assert suppression["kind"] == "external"
    assert REASON in suppression["justification"]
    assert "ml, until 2027-01-31" in suppression["justification"]


def test_what_could_not_be_told_is_counted() -> None:
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


@given(message=st.text(), hint=st.text(), path=st.text() | st.none(), file=st.text() | st.none())
@example(message="", hint="", path=None, file="a name longer than a file may have" * 9)
@example(message="", hint="", path=None, file="\0/main.py")
def test_no_odd_finding_ends_a_report(message: str, hint: str, path: str | None, file: str | None) -> None:
    odd = replace(BUDGET, message=message, hint=hint, path=path, file=file)

    assert len(results(of(odd))) == 1
