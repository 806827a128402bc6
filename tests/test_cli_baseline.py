"""Known findings: what a baseline accepts does not block, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.repositories import commit, git

pytestmark = pytest.mark.slow

Run = Callable[..., tuple[int, str, str]]
PROGRAM = """
import pulumi
from pulumi_aws import ec2

for name in pulumi.Config("shop").require_object("doors"):
    ec2.SecurityGroup(name, vpc_id="vpc-0123456789abcdef0", ingress=[
        {"protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": ["0.0.0.0/0"]},
    ])
"""
RULE = "aws-sg-no-world-ingress"


def describe(folder: Path, *doors: str, stack: str = "dev") -> None:
    (folder / f"Pulumi.{stack}.yaml").write_text(
        f"config:\n  aws:region: us-east-1\n  shop:doors: {json.dumps(doors)}\n"
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose security group breaks a policy, and whose baseline accepts that; committed."""
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (folder / "__main__.py").write_text(PROGRAM)
    describe(folder, "old")
    urn = "urn:pulumi:dev::shop::aws:ec2/securityGroup:SecurityGroup::old"
    known = {"stack": "dev", "rule": RULE, "resource": urn, "path": "ingress[0].cidrBlocks"}
    (folder / "known.json").write_text(json.dumps({"findings": [known]}, indent=2) + "\n")
    git(folder, "init", "--quiet")
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


def test_a_written_baseline_accepts_what_it_was_written_from(penstock: Run, project: Path) -> None:
    before = (project / "known.json").read_text()
    (project / "known.json").unlink()
    assert penstock("check", "dev")[0] == 1

    status, out, _ = penstock("check", "dev", "--write-baseline", "known.json")

    assert status == 0
    assert (project / "known.json").read_text() == before
    assert "1 known finding of the baseline." in out


def test_only_new_findings_block(penstock: Run, project: Path) -> None:
    (project / "__main__.py").write_text("# The lines move.\n" + PROGRAM)
    describe(project, "old", "new")

    status, out, _ = penstock("check", "dev", "--baseline", "known.json", "--format", "json")

    document = json.loads(out)
    assert status == 1
    assert [each["urn"].rpartition("::")[2] for each in document["findings"] if each["code"] == RULE] == ["new"]
    assert [each["urn"].rpartition("::")[2] for each in document["known"]] == ["old"]


def test_entries_that_match_nothing_are_reported_and_block_nothing(penstock: Run, project: Path) -> None:
    describe(project)

    status, out, _ = penstock("check", "dev", "--baseline", "known.json")

    assert status == 0
    assert "[BASELINE-001]" in out
    assert f"{RULE} of old" in out


def test_a_change_cannot_accept_its_own_findings(penstock: Run, project: Path) -> None:
    describe(project, "old", "new")
    penstock("check", "dev", "--write-baseline", "known.json")

    status, out, _ = penstock("review", "--base", "HEAD", "--baseline", "known.json")

    assert status == 1
    assert "loosened  baseline of known findings: 1 finding → 2 findings" in out
    assert "1 known finding of the baseline." in out
    assert penstock("review", "--base", "HEAD", "--baseline", "known.json", "--head-settings")[0] == 0


def test_a_change_of_the_baseline_alone_is_reviewed(penstock: Run, project: Path) -> None:
    file = project / "known.json"
    content = json.loads(file.read_text())
    file.write_text(json.dumps({"findings": [*content["findings"], {**content["findings"][0], "path": "x"}]}))

    status, out, _ = penstock("review", "--base", "HEAD", "--baseline", "known.json")

    assert status == 0
    assert "dev: changed, because of known.json" in out
    assert "DIFF-022" in out


def test_lost_data_is_never_known(penstock: Run, project: Path) -> None:
    (project / "__main__.py").write_text("from pulumi_aws import s3\n\ns3.Bucket('data')\n")
    urn = "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::data"
    known = {"stack": "dev", "rule": "DIFF-001", "resource": urn, "path": ""}
    (project / "known.json").write_text(json.dumps({"findings": [known]}))
    commit(project)
    (project / "__main__.py").write_text("")

    status, out, _ = penstock("review", "--base", "HEAD", "--baseline", "known.json")

    assert status == 1
    assert "DIFF-001" in out


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(("file", "message"), [("none.json", "cannot be read"), ("Pulumi.yaml", "is not a baseline")])
def test_a_file_that_is_no_baseline_is_an_error(penstock: Run, file: str, message: str) -> None:
    status, _, err = penstock("check", "dev", "--baseline", file)

    assert status == 2
    assert message in err


RULES = """
from penstock.rules.authoring import HIGH, Category, RuleSet, Verdict, View, allow

RULES = RuleSet(Category.RESILIENCE)


@RULES.rule(on="aws:ec2/securityGroup:SecurityGroup", severity=HIGH, rationale="So.", fix="Set it.")
def acme_group_size(group: View) -> Verdict:
    \"\"\"A group has a size.\"\"\"
    return allow(not group.number("sise"), "")


@RULES.rule(on="aws:ec2/securityGroup:SecurityGroup", severity=HIGH, rationale="So.", fix="Set it.")
def acme_group_error(group: View) -> Verdict:
    \"\"\"A group has a name.\"\"\"
    raise ValueError

"""


def test_a_rule_that_is_not_evaluated_is_never_known(penstock: Run, project: Path) -> None:
    (project / "penstock_rules").mkdir()
    (project / "penstock_rules" / "groups.py").write_text(RULES)
    (project / "penstock_rules" / "broken.py").write_text("x = ")
    accepted = project / "accepted.json"

    status, out, _ = penstock("check", "dev", "--write-baseline", accepted, "--format", "json")

    assert status == 1
    assert {"RULE-001", "RULE-002", "INTERNAL"} == {each["code"] for each in json.loads(out)["findings"]}
    assert {each["rule"] for each in json.loads(accepted.read_text())["findings"]} == {RULE}
    content = json.loads(accepted.read_text())["findings"]
    added = [{"stack": "dev", "rule": code, "resource": "", "path": ""} for code in ("RULE-001", "RULE-002")]
    accepted.write_text(json.dumps({"findings": [*content, *added]}))
    assert penstock("check", "dev", "--baseline", accepted)[0] == 1
