"""The command as a person meets it: what it prints, and the status it ends with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tests.preflight.awsserver import AwsServer
from tests.preflight.clusterserver import ClusterServer, kubectl_in
from tests.preflight.googleserver import GoogleServer

from penstock.preconditions import Precondition
from penstock.preflight import Asked, Reply, Status
from penstock.report.formats import rendered
from penstock.report.preflight import PreflightReport, report_of, show

ROOT = Path(__file__).parents[2]
ROLE = Precondition(
    "IAM role *platform*", "Nobody gets in.", "aws iam create-role", "urn:pulumi:s::p::t::admin", kind="k"
)
MET = Asked(Precondition("A way in", "x", "y", ""), Reply(Status.MET, "It is there."))
NOT_MET = Asked(ROLE, Reply(Status.NOT_MET, "There is none."))
NOT_ASKED = Asked(Precondition("A quota", "x", "y", ""), Reply(Status.NOT_ASKED, "No right.", "Grant it."))


def run(variables: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    ambient = {key: value for key, value in os.environ.items() if not key.startswith(("AWS_", "GOOGLE_", "AZURE_"))}
    command = [sys.executable, "-m", "penstock", "preflight", *arguments]
    variables = {**ambient, "PYTHONPATH": str(ROOT / "components"), **variables}
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)


def report(*asked: Asked) -> PreflightReport:
    return report_of(asked, environment="dev", cloud="aws", callers=("somebody",))


def text_of(reported: PreflightReport) -> str:
    page = StringIO()
    show(reported, Console(file=page, width=80))
    return page.getvalue()


def test_text_has_what_is_not_met_first_with_what_to_do() -> None:
    lines = text_of(report(MET, NOT_ASKED, NOT_MET)).splitlines()

    assert lines == [
        "Asked as somebody.",
        "✗ IAM role *platform*",
        "    There is none.",
        "    Nobody gets in.",
        "    aws iam create-role",
        "? A quota",
        "    No right.",
        "    x",
        "    Grant it.",
        "✓ A way in",
        "    It is there.",
        "",
        "3 preconditions: 1 met, 1 not met, 1 could not be asked. Nothing was changed.",
    ]


def test_json_has_the_status_and_the_fix_of_each() -> None:
    document = json.loads(rendered(report(MET, NOT_MET, NOT_ASKED), "json"))

    assert document["ok"] is False
    assert [(each["status"], each["fix"]) for each in document["preconditions"]] == [
        ("met", ""),
        ("not_met", "aws iam create-role"),
        ("not_asked", "Grant it."),
    ]


def test_markdown_breaks_no_table() -> None:
    text = rendered(report(MET, NOT_MET), "markdown")

    assert r"| ✗ | IAM role \*platform\* | There is none. | `aws iam create-role` | `admin` (t) |" in text
    assert text.index("✗") < text.index("✓")


def test_formats_of_findings_have_what_is_not_met_as_an_error() -> None:
    results = json.loads(rendered(report(MET, NOT_MET, NOT_ASKED), "sarif"))["runs"][0]["results"]

    assert [each["level"] for each in results] == ["error", "warning"]
    assert 'failures="1"' in rendered(report(NOT_MET), "junit")


@pytest.mark.parametrize(("asked", "ok"), [((MET,), True), ((MET, NOT_ASKED), True), ((NOT_MET,), False), ((), True)])
def test_only_what_is_not_met_blocks(asked: tuple[Asked, ...], ok: bool) -> None:
    assert report(*asked).ok is ok


@pytest.mark.slow
def test_an_account_of_aws_is_asked(aws: AwsServer) -> None:
    ended = run(aws.variables, "aws-train", "--format", "json")

    document = json.loads(ended.stdout)
    assert ended.returncode == 1
    assert "account 123456789012" in document["callers"][0]
    assert {each["status"] for each in document["preconditions"]} == {"met", "not_met", "not_asked"}
    assert aws.variables["AWS_SECRET_ACCESS_KEY"] not in ended.stdout + ended.stderr


@pytest.mark.slow
def test_a_project_of_google_cloud_is_asked(google: GoogleServer, tmp_path: Path) -> None:
    ended = run(google.variables(tmp_path), "gcp-train")

    assert ended.returncode == 1
    assert "✗ Google group ml-platform@example.com" in ended.stdout
    assert "could not be asked. Nothing was changed." in ended.stdout
    assert "ya29" not in ended.stdout + ended.stderr


@pytest.mark.slow
def test_a_cluster_is_asked(cluster: ClusterServer, tmp_path: Path) -> None:
    file = cluster.kubeconfig(tmp_path)
    file.write_text(file.read_text().replace('"test"', '"edge"'))
    variables = {"KUBECONFIG": str(file), "PATH": f"{kubectl_in(tmp_path)}:{os.environ['PATH']}"}

    ended = run(variables, "edge", "--format", "markdown")

    assert ended.returncode == 1
    assert "4 nodes of pool serve" in ended.stdout
    assert "secret-token" not in ended.stdout + ended.stderr


@pytest.mark.slow
def test_without_credentials_there_is_no_result() -> None:
    nowhere = {
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    }
    ended = run(nowhere, "aws-train")

    assert (ended.returncode, ended.stdout) == (2, "")
    assert "aws sso login" in ended.stderr
