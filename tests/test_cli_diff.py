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


def test_a_stack_that_was_not_there_yet_is_reported_as_such(penstock: Run, project: Path) -> None:
    describe(project, stack="prod")

    status, _, err = penstock("diff", "prod", "--base", "HEAD")

    assert status == 2
    assert "at HEAD" in err
    assert "prod" in err


def test_a_project_that_was_not_there_yet_is_reported_as_such(penstock: Run, project: Path) -> None:
    git(project, "mv", "../infra", "../elsewhere")
    git(project.parent, "commit", "--quiet", "--message", "moved")

    status, _, err = penstock("diff", str(project.parent / "elsewhere" / "Pulumi.dev.yaml"), "--base", "HEAD~1")

    assert status == 2
    assert "there is no such project yet" in err


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
