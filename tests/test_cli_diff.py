"""`penstock diff` as a person meets it: what it compares, what it prints, and the status it ends with."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

PROGRAM = """
import pulumi
from pulumi_aws import ec2, s3

config = pulumi.Config("shop")
vpc = ec2.Vpc("net", cidr_block=config.require("cidr"), tags={"key": config.require_secret("key")})
ec2.Subnet("private", vpc_id=vpc.id, cidr_block="10.0.1.0/24")
for name in config.require_object("buckets"):
    s3.Bucket(name, tags={"name": name})
"""


def describe(
    folder: Path, *, cidr: str = "10.0.0.0/16", buckets: tuple[str, ...] = ("data",), stack: str = "dev"
) -> None:
    """Writes the configuration of a stack."""
    (folder / f"Pulumi.{stack}.yaml").write_text(
        f"config:\n  shop:cidr: {cidr}\n  shop:key: hunter2\n  shop:buckets: {json.dumps(buckets)}\n"
    )


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a folder of a git repository, committed once."""
    folder = tmp_path / "repo" / "infra"
    folder.mkdir(parents=True)
    (folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (folder / "__main__.py").write_text(PROGRAM)
    describe(folder)
    git(folder.parent, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "first")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("bases", [(), ("--base", "HEAD", "--state", "stack.json")])
def test_one_thing_to_compare_with_is_asked_for_as_a_process_says_it(bases: tuple[str, ...]) -> None:
    penstock = [str(Path(sys.executable).with_name("penstock")), "diff", "dev", *bases]

    ended = subprocess.run(penstock, capture_output=True, text=True, check=False)

    assert ended.returncode == 2
    assert "--base and --state" in ended.stderr


@pytest.mark.usefixtures("project")
def test_nothing_changed_ends_well_and_says_so(penstock: Run, tmp_path: Path) -> None:
    status, out, _ = penstock("diff", "dev", "--base", "HEAD")

    assert status == 0
    assert "Nothing changes." in out
    assert not list((tmp_path / "scratch").iterdir())


def test_a_change_is_reported_with_its_cause_and_place_and_data_lost_blocks(penstock: Run, project: Path) -> None:
    describe(project, cidr="10.0.0.0/17", buckets=())

    status, out, _ = penstock("diff", "dev", "--base", "HEAD")

    assert status == 1
    assert "Data will be lost" in out
    assert "data: every object in it" in out
    assert "cidrBlock: 10.0.0.0/16 → 10.0.0.0/17  forces a replacement" in out
    assert "± net  Vpc  __main__.py:6" in out
    assert "follows net" in out
    assert "2 replaced, 1 deleted" in out


def test_a_change_that_harms_nothing_ends_well(penstock: Run, project: Path) -> None:
    describe(project, buckets=("data", "more"))

    status, out, _ = penstock("diff", "dev", "--base", "HEAD")

    assert status == 0
    assert "+ more  Bucket" in out


def test_machines_read_the_changes_beside_the_rehearsal(penstock: Run, project: Path, tmp_path: Path) -> None:
    describe(project, cidr="10.0.0.0/17", buckets=("data", "more"))
    file = tmp_path / "changes.json"

    status, out, _ = penstock("diff", ".", "--stack", "dev", "--base", "HEAD", "--format", "json", "--out", file)
    document = json.loads(file.read_text())

    assert (status, out) == (0, "")
    assert {key: [each["name"] for each in document["changes"][key]] for key in ("created", "updated", "deleted")} == {
        "created": ["more"],
        "updated": [],
        "deleted": [],
    }
    replaced = {each["name"]: each["causes"][0] for each in document["changes"]["replaced"]}
    assert replaced["net"] == {
        "path": "cidrBlock",
        "before": "10.0.0.0/16",
        "after": "10.0.0.0/17",
        "replaces": True,
        "because": None,
    }
    assert replaced["private"]["because"].endswith("::net")
    assert document["changes"]["data_lost"] == document["changes"]["moved"] == []
    assert document["resources"]


@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_secret_that_changes_is_not_shown(penstock: Run, project: Path, format_: str) -> None:
    file = project / "Pulumi.dev.yaml"
    file.write_text(file.read_text().replace("hunter2", "hunter3"))

    _, out, err = penstock("diff", "dev", "--base", "HEAD", "--format", format_)

    assert "tags" in out
    assert "hunter" not in out + err


@pytest.mark.parametrize("revision", ["nowhere", "HEAD~7", "--help", ""])
@pytest.mark.usefixtures("project")
def test_a_revision_that_does_not_exist_is_reported_as_such(penstock: Run, revision: str, tmp_path: Path) -> None:
    status, _, err = penstock("diff", "dev", f"--base={revision}")

    assert status == 2
    assert f"git knows no revision {revision!r}" in err
    assert not list((tmp_path / "scratch").iterdir())


def test_all_of_a_stack_that_the_revision_does_not_have_is_new(penstock: Run, project: Path) -> None:
    describe(project, stack="prod")

    status, out, _ = penstock("diff", "prod", "--base", "HEAD")

    assert status == 0
    assert "HEAD has no stack prod: all is new." in out
    assert "3 created. Nothing was changed yet." in out


def test_all_of_a_project_that_the_revision_does_not_have_is_new(penstock: Run, project: Path) -> None:
    git(project, "mv", "../infra", "../elsewhere")
    git(project.parent, "commit", "--quiet", "--message", "moved")

    status, out, _ = penstock("diff", str(project.parent / "elsewhere" / "Pulumi.dev.yaml"), "--base", "HEAD~1")

    assert status == 0
    assert "HEAD~1 has no stack dev: all is new." in out


OPEN_SSH = """
from pulumi_aws import ec2

ec2.SecurityGroup("door", vpc_id="vpc-0123456789abcdef0", ingress=[
    {"protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": ["0.0.0.0/0"]},
])
"""
SWITCHED_OFF = "{packs: [], rules: {provider: disabled}}"


def judged_by(folder: Path, settings: str) -> None:
    (folder / "Pulumi.dev.yaml").write_text(f"config:\n  aws:region: us-east-1\n  penstock:policies: {settings}\n")


@pytest.fixture
def switched_off(project: Path) -> Path:
    """A project whose change opens SSH, and switches off the rules that would refuse it."""
    judged_by(project, "{packs: [baseline]}")
    (project / "__main__.py").write_text("")
    git(project, "commit", "--quiet", "--all", "--message", "judged")
    judged_by(project, SWITCHED_OFF)
    (project / "__main__.py").write_text(OPEN_SSH)
    return project


@pytest.mark.usefixtures("switched_off")
@pytest.mark.parametrize("format_", ["text", "markdown", "html", "json", "sarif", "junit"])
def test_a_change_that_switches_off_its_judge_is_seen_in_every_format(penstock: Run, format_: str) -> None:
    status, out, _ = penstock("diff", "dev", "--base", "HEAD", "--format", format_)

    assert status == 0
    assert "DIFF-022" in out
    assert "rules.provider" in out
    assert "disabled" in out


@pytest.mark.usefixtures("switched_off")
def test_the_settings_of_the_base_judge_where_they_are_held(penstock: Run) -> None:
    status, out, _ = penstock("diff", "dev", "--base", "HEAD", "--hold-settings")

    assert status == 1
    assert "[aws-sg-no-world-ingress]" in out
    assert "loosened  packs: baseline → none" in out


def test_the_default_settings_judge_a_new_stack_where_they_are_held(penstock: Run, switched_off: Path) -> None:
    (switched_off / "Pulumi.dev.yaml").rename(switched_off / "Pulumi.other.yaml")

    status, out, _ = penstock("diff", "other", "--base", "HEAD", "--hold-settings")

    assert status == 1
    assert "[aws-sg-no-world-ingress]" in out


def test_held_settings_need_a_revision(penstock: Run, project: Path) -> None:
    status, _, err = penstock("diff", "dev", "--state", project / "none.json", "--hold-settings")

    assert status == 2
    assert "--hold-settings goes with --base" in err


CUSTOM_RULE = """
from penstock.rules.authoring import LOW, NOT_APPLICABLE, Category, RuleSet

RULES = RuleSet(Category.TAGS)


@RULES.rule(on="aws:s3/bucket:Bucket", severity=LOW, rationale="r", fix="f")
def acme_bucket_owner(bucket):
    \"\"\"A bucket has an owner.\"\"\"
    return NOT_APPLICABLE
"""


def test_a_custom_rule_that_is_removed_is_a_loosened_setting(penstock: Run, project: Path) -> None:
    rules = project / "penstock_rules"
    rules.mkdir()
    (rules / "acme.py").write_text(CUSTOM_RULE)
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "rule")
    (rules / "acme.py").unlink()

    _, out, _ = penstock("diff", "dev", "--base", "HEAD")

    assert "loosened  custom rule acme-bucket-owner: evaluated → none" in out


@pytest.mark.parametrize("target", ["../../outside.md", "/dev/null"])
def test_a_report_follows_no_link_out_of_the_project(penstock: Run, project: Path, tmp_path: Path, target: str) -> None:
    (tmp_path / "outside.md").write_text("mine")
    (project / "report.md").symlink_to(target)
    (project / "reports").symlink_to("../..")

    for name in ("report.md", "reports/outside.md"):
        status, _, err = penstock("diff", "dev", "--base", "HEAD", "--out", name)

        assert status == 2
        assert "is a link that leads out of the project" in err
    assert (tmp_path / "outside.md").read_text() == "mine"


def test_a_report_follows_a_link_within_the_project(penstock: Run, project: Path) -> None:
    (project / "report.md").symlink_to("written.md")

    status, _, _ = penstock("diff", "dev", "--base", "HEAD", "--out", "report.md")

    assert status == 0
    assert "Nothing changes." in (project / "written.md").read_text()


def test_a_budget_that_is_raised_is_a_loosened_setting(penstock: Run, project: Path) -> None:
    budget = (
        "from pulumi_aws import budgets\n"
        "budgets.Budget('cap', budget_type='COST', limit_amount='{}', limit_unit='USD', time_unit='MONTHLY')\n"
    )
    (project / "__main__.py").write_text(budget.format(1000))
    git(project, "commit", "--quiet", "--all", "--message", "budget")
    (project / "__main__.py").write_text(budget.format(5000))

    status, out, _ = penstock("diff", "dev", "--base", "HEAD")

    assert status == 0
    assert "loosened  budget cap: 1,000 a month → 5,000 a month" in out


def test_a_value_with_line_ends_forges_no_line(penstock: Run, project: Path) -> None:
    describe(project, buckets=("data\nNothing changes.\n",))

    _, out, _ = penstock("diff", "dev", "--base", "HEAD")

    assert "Nothing changes." not in [line.strip() for line in out.splitlines()]
    assert r"data\nNothing changes.\n" in out
    assert "\N{REPLACEMENT CHARACTER}" not in out


def test_links_that_lead_out_of_the_project_are_left_out_of_its_revision(
    penstock: Run, project: Path, tmp_path: Path
) -> None:
    (project / "elsewhere").symlink_to(tmp_path)
    (project / "beside").symlink_to("../..")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "links")

    status, out, _ = penstock("diff", "dev", "--base", "HEAD")

    assert status == 0
    assert "Nothing changes." in out


def test_a_program_that_failed_at_the_revision_is_reported_with_both(
    penstock: Run, project: Path, tmp_path: Path
) -> None:
    (project / "__main__.py").write_text("raise ValueError('as it was')")
    git(project, "commit", "--quiet", "--all", "--message", "broken")
    (project / "__main__.py").write_text(PROGRAM)

    status, _, err = penstock("diff", "dev", "--base", "HEAD")

    assert status == 2
    assert "at HEAD: __main__.py:1" in err
    assert "as it was" in err
    assert not list((tmp_path / "scratch").iterdir())


def test_outside_of_git_there_is_nothing_to_compare_with(
    penstock: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = tmp_path / "alone"
    project.rename(alone)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.chdir(alone)

    status, _, err = penstock("diff", "dev", "--base", "HEAD")

    assert status == 2
    assert "not a git repository" in err


@pytest.mark.parametrize("options", [(), ("--base", "HEAD", "--state", "x.json")], ids=["neither", "both"])
@pytest.mark.usefixtures("project")
def test_it_compares_with_one_thing(penstock: Run, options: tuple[str, ...]) -> None:
    status, _, err = penstock("diff", "dev", *options)

    assert status == 2
    assert "--base" in err


@pytest.mark.usefixtures("project")
def test_a_broken_state_is_reported_to_people_and_machines(penstock: Run, tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    file.write_text("{")

    status, out, err = penstock("diff", "dev", "--state", file, "--format", "json")

    assert status == 2
    assert "is not readable JSON" in err
    assert [finding["code"] for finding in json.loads(out)["findings"]] == ["RUN-005"]


def test_a_state_is_compared_with(penstock: Run, project: Path, tmp_path: Path) -> None:
    _, out, _ = penstock("rehearse", "dev", "--format", "json")
    resources = [
        {
            "urn": each["urn"],
            "type": each["type"],
            "custom": "id" in each["outputs"],
            "id": each["outputs"].get("id", ""),
            "inputs": each["inputs"],
            "outputs": each["outputs"],
            "parent": each["parent"] or "",
        }
        for each in json.loads(out)["resources"]
    ]
    file = tmp_path / "export.json"
    file.write_text(json.dumps({"version": 3, "deployment": {"resources": resources}}))
    describe(project, buckets=())

    status, out, _ = penstock("diff", "dev", "--state", file)

    assert status == 1
    assert "- data  Bucket" in out


@pytest.mark.usefixtures("project")
def test_verbose_adds_the_checks_of_the_rehearsal(penstock: Run) -> None:
    _, brief, _ = penstock("diff", "dev", "--base", "HEAD")
    _, whole, _ = penstock("diff", "dev", "--base", "HEAD", "--verbose")

    assert "provider-rule check" not in brief
    assert "provider-rule checks passed" in whole
