"""A finding about a platform points to the description, where a person can change something."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
Run = Callable[..., tuple[int, str, str]]
PROGRAM = """import pulumi
from penstock import description
from penstock.platform import Platform

Platform(description.parse(pulumi.Config("penstock").require_object("platform")))
"""
STACK = """config:
  penstock:quotas: {L-417A185B: 100}
  penstock:platform:
    environment: prod
    cloud: {provider: aws, region: us-east-1}
    cluster: {admins: ["arn:aws:iam::123456789012:role/platform"], access: restricted, protect: false}
    network: {allowed_cidrs: [203.0.113.0/24]}
    node_pools:
      - {name: pre-train, accelerator: l4, nodes: 2}
      - {name: train, accelerator: h100, nodes: 2, zone: us-east-1a}
    storage:
      - {name: scratch, kind: lustre, capacity_tib: 19.2, throughput_mbps_per_tib: 250, fabric: efa}
  penstock:policies: {packs: [strict]}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "Pulumi.yaml").write_text("name: mine\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)
    (tmp_path / "Pulumi.dev.yaml").write_text(STACK)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(reported: str) -> Mapping[str, Any]:
    return {each["code"]: each for each in json.loads(reported)["findings"]}


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("command", ["rehearse", "check"])
def test_findings_of_rules_and_policies_point_to_the_block(penstock: Run, command: str) -> None:
    status, out, _ = penstock(command, "dev", "--format", "json")

    assert status == 1
    places = {code: (each["file"], each["line"]) for code, each in found(out).items()}
    assert places["aws-quota-vcpu"] == ("Pulumi.dev.yaml", 10)
    assert places["res-protect-stateful"] == ("Pulumi.dev.yaml", 6)
    assert "__main__.py" not in {file for file, _ in places.values()}


@pytest.mark.usefixtures("project")
def test_so_does_code_scanning(penstock: Run) -> None:
    _, out, _ = penstock("check", "dev", "--format", "sarif")

    results = {each["ruleId"]: each for each in json.loads(out)["runs"][0]["results"]}
    physical = results["res-protect-stateful"]["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"].endswith("Pulumi.dev.yaml")
    assert physical["region"]["startLine"] == 6


@pytest.mark.usefixtures("project")
def test_a_change_speaks_of_the_description(penstock: Run) -> None:
    for command in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["git", *command.split()], check=True, capture_output=True)
    Path("Pulumi.dev.yaml").write_text(STACK.replace("name: scratch", "name: fast"))
    renamed = found(penstock("diff", "dev", "--base", "HEAD", "--format", "json")[1])
    Path("Pulumi.dev.yaml").write_text(STACK.replace(", fabric: efa", ""))
    replaced = found(penstock("diff", "dev", "--base", "HEAD", "--format", "json")[1])

    assert renamed["DIFF-003"]["hint"] == "To keep it, keep its name: a description has no place for an alias."
    assert (renamed["DIFF-003"]["file"], renamed["DIFF-003"]["line"]) == ("Pulumi.dev.yaml", 12)
    assert replaced["DIFF-002"]["hint"].endswith("first apply `protect: false` in its block alone.")
    assert (replaced["DIFF-002"]["file"], replaced["DIFF-002"]["line"]) == ("Pulumi.dev.yaml", 12)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("old", "new", "field", "line"),
    [
        ("us-east-1", "us-west-2", "cloud.region", 5),
        ("network: {", "network: {cidr: 10.9.0.0/16, ", "network.cidr", 7),
        ("environment: prod", "environment: staging", "environment", 4),
    ],
)
def test_what_is_replaced_names_the_field_that_changed(
    penstock: Run, old: str, new: str, field: str, line: int
) -> None:
    for command in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["git", *command.split()], check=True, capture_output=True)
    Path("Pulumi.dev.yaml").write_text(STACK.replace(old, new))

    findings = json.loads(penstock("diff", "dev", "--base", "HEAD", "--format", "json")[1])["findings"]

    scratch = [each for each in findings if each["code"] in ("DIFF-001", "DIFF-002") and "scratch" in each["urn"]]
    assert scratch
    assert all(f"Leave `{field}` as it is" in each["hint"] and each["line"] == line for each in scratch)


def test_paths_in_one_report_are_relative_to_one_folder(penstock: Run, project: Path) -> None:
    waiver = {"rule": "aws-ebs-cmk", "urn": "*", "reason": "keys follow", "owner": "team", "expires": "2999-01-01"}
    (project / "sub").mkdir()
    (project / "sub" / "Pulumi.yaml").write_text("name: sub\nruntime: python\n")
    (project / "sub" / "__main__.py").write_text("from pulumi_aws import ec2\nec2.Vpc('v', cidr_block='10.0.0.0/8')\n")
    config = {"config": {"penstock:policies": {"packs": ["baseline"], "waivers": [waiver]}}}
    (project / "sub" / "Pulumi.dev.yaml").write_text(yaml.safe_dump(config))

    _, out, _ = penstock("check", "sub", "--stack", "dev")

    assert "sub/__main__.py:2  cidrBlock  [aws-vpc-cidr-size]" in out
    assert "sub/Pulumi.dev.yaml:" in out


@pytest.mark.parametrize("caught", [False, True], ids=["raised", "made readable for the Pulumi CLI"])
def test_charts_that_a_folder_lacks_are_reported_with_the_line_of_the_folder(
    penstock: Run, project: Path, *, caught: bool
) -> None:
    mirrored = STACK.replace("allowed_cidrs: [203.0.113.0/24]", "allowed_cidrs: [203.0.113.0/24], chart_mirror: charts")
    (project / "Pulumi.dev.yaml").write_text(mirrored)
    (project / "charts" / "nvidia-device-plugin").mkdir(parents=True)
    (project / "charts" / "nvidia-device-plugin" / "Chart.yaml").write_text("version: 0.1.0\n")
    if caught:
        lines = PROGRAM.splitlines()
        raised = ["except Exception as invalid:", "    raise pulumi.RunError(str(invalid)) from None"]
        (project / "__main__.py").write_text("\n".join([*lines[:-1], "try:", f"    {lines[-1]}", *raised]))

    status, out, _ = penstock("rehearse", "dev", "--format", "json")

    findings = json.loads(out)["findings"]
    assert status == 2
    assert {(each["code"], each["path"], each["line"]) for each in findings} == {
        ("SPEC-190", "network.chart_mirror", 7)
    }
    lacking = {each["message"].partition("chart ")[2].split()[0]: each["message"] for each in findings}
    assert set(lacking) == {"cluster-autoscaler", "nvidia-device-plugin", "aws-efa-k8s-device-plugin"}
    assert "0.20.0; it has 0.1.0" in lacking["nvidia-device-plugin"]
