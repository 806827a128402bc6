"""`penstock review`: the stacks that a change touches, in one report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.repositories import commit, git

pytestmark = pytest.mark.slow

Run = Callable[..., tuple[int, str, str]]

PROGRAM = """
import pulumi

from network import build

build(pulumi.Config("shop"))
"""
NETWORK = """
from pulumi_aws import ec2, s3


def build(config):
    ec2.Vpc("net", cidr_block=config.require("cidr"))
    for name in config.require_object("buckets"):
        s3.Bucket(name)
"""


def describe(folder: Path, stack: str, *, cidr: str = "10.0.0.0/16", buckets: tuple[str, ...] = ("data",)) -> None:
    (folder / f"Pulumi.{stack}.yaml").write_text(
        f"config:\n  aws:region: us-east-1\n  shop:cidr: {cidr}\n  shop:buckets: {json.dumps(buckets)}\n"
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of three stacks with a shared module, in a folder of a git repository."""
    folder = tmp_path / "repo" / "infra"
    folder.mkdir(parents=True)
    (folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (folder / "__main__.py").write_text(PROGRAM)
    (folder / "network.py").write_text(NETWORK)
    for stack in ("dev", "old", "prod"):
        describe(folder, stack)
    git(folder.parent, "init", "--quiet", "--initial-branch=main")
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


def changed(folder: Path) -> None:
    """Change one stack so that it loses data, add one and delete one."""
    describe(folder, "dev", buckets=())
    describe(folder, "new")
    (folder / "Pulumi.old.yaml").unlink()


def summary(document: dict[str, Any]) -> dict[str, tuple[str, int]]:
    return {each["environment"]: (each["change"], each["status"]) for each in document["summary"]}


def test_changed_new_and_deleted_stacks_are_in_one_report_in_every_format(penstock: Run, project: Path) -> None:
    changed(project)
    outs = [f"--out={name}" for name in ("r.md", "r.json", "r.sarif")]

    status, out, _ = penstock("review", "--base", "HEAD", *outs)

    document = json.loads((project / "r.json").read_text())
    assert status == document["status"] == 1
    assert summary(document) == {"dev": ("changed", 1), "new": ("new", 0), "old": ("deleted", 0)}
    assert [each["data_lost"] for each in document["summary"]] == [1, 0, 1]
    assert "3 of 4 stacks are affected: 2 pass, 1 block." in out
    assert "its resources exist until `pulumi destroy`" in out
    runs = json.loads((project / "r.sarif").read_text())["runs"]
    assert [[result["ruleId"] for result in run["results"]] for run in runs] == [["DIFF-001"], [], ["DIFF-028"]]
    markdown = (project / "r.md").read_text()
    assert markdown.splitlines()[0] == "<!-- penstock review: shop -->"
    assert markdown.count("<!--") == 1
    assert markdown.count("- `data`: every object in it") == 2


def test_a_shared_module_affects_every_stack_and_a_text_about_it_none(penstock: Run, project: Path) -> None:
    (project / "README.md").write_text("About network.py.\n")

    status, out, _ = penstock("review", "--base", "HEAD")

    assert status == 0
    assert "No stack is affected." in out
    (project / "network.py").write_text(NETWORK.replace('"net"', '"other"'))
    status, out, _ = penstock("review", "--base", "HEAD", "--out", "r.json")
    assert summary(json.loads((project / "r.json").read_text())) == dict.fromkeys(
        ("dev", "old", "prod"), ("changed", 0)
    )


def test_a_review_of_one_stack_has_its_own_marker(penstock: Run, project: Path) -> None:
    changed(project)

    status, out, _ = penstock("review", "--base", "HEAD", "--stack", "new", "--out", "r.md")

    assert status == 0
    assert (project / "r.md").read_text().startswith("<!-- penstock review: shop/new -->\n")
    assert "Pulumi.dev.yaml" not in out
    status, _, err = penstock("review", "--base", "HEAD", "--stack", "mew")
    assert status == 2
    assert "Did you mean new?" in err


def test_stacks_that_fail_on_either_side_are_reported_beside_the_others(penstock: Run, project: Path) -> None:
    fails = PROGRAM + "if pulumi.get_stack() == 'prod':\n    raise ValueError('broken')\n"
    (project / "__main__.py").write_text(fails)

    status, out, _ = penstock("review", "--base", "HEAD", "--out", "r.sarif")

    assert status == 2
    assert "ValueError: broken" in out
    assert "3 of 3 stacks are affected: 2 pass, 1 block." in out
    assert "RUN-002" in (project / "r.sarif").read_text()
    commit(project)
    (project / "__main__.py").write_text(PROGRAM)
    status, out, _ = penstock("review", "--base", "HEAD")
    assert status == 0
    assert "DIFF-027" in out
    assert "ValueError: broken" in out
    assert penstock("review", "--base", "HEAD", "--block-loosened")[0] == 1


def test_commits_of_the_base_alone_are_no_part_of_the_change(penstock: Run, project: Path) -> None:
    git(project, "switch", "--quiet", "--create", "mine")
    describe(project, "prod", cidr="10.0.0.0/17")
    commit(project)
    git(project, "switch", "--quiet", "main")
    describe(project, "dev", cidr="10.0.0.0/18")
    commit(project)
    git(project, "switch", "--quiet", "mine")

    _, out, _ = penstock("review", "--base", "main")

    assert "prod: changed" in out
    assert "dev: changed" not in out
    assert "main has commits that this change lacks" in out


def test_what_cannot_be_compared_is_one_error(
    penstock: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "git knows no revision 'nowhere'\n" in penstock("review", "--base", "nowhere")[2]
    commit(project)
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{project.parent}", "shallow")
    monkeypatch.chdir(tmp_path / "shallow" / "infra")
    status, _, err = penstock("review", "--base", "HEAD~1")
    assert status == 2
    assert "git fetch --unshallow" in err
    assert "fetch-depth: 0" in err
    monkeypatch.chdir(tmp_path)
    assert penstock("review", "--base", "HEAD")[0] == 2
    assert "must end with one of .md, .sarif" in penstock("review", "--base", "HEAD", "--out", "r.txt")[2]


def test_parts_are_merged_into_the_report_that_one_run_makes(penstock: Run, project: Path, tmp_path: Path) -> None:
    changed(project)
    parts = [tmp_path / f"part{index}.json" for index in (1, 2)]
    names = ("r.md", "r.json", "r.sarif", "r.html")
    for index, part in enumerate(parts, start=1):
        penstock("review", "--base", "HEAD", "--shard", f"{index}/2", "--out", part)
    (tmp_path / "whole").mkdir()

    whole = penstock("review", "--base", "HEAD", *(f"--out={tmp_path / 'whole' / name}" for name in names))
    merged = penstock("merge", *reversed(parts), *(f"--out={tmp_path / name}" for name in names))

    assert merged == whole
    assert [(tmp_path / name).read_text() for name in names] == [
        (tmp_path / "whole" / name).read_text() for name in names
    ]
    assert "part 2 of 2 is missing" in penstock("merge", parts[0])[2]
    assert "part 1 of 2 is given more than once" in penstock("merge", *parts, parts[0])[2]
    assert "is not a part of a report" in penstock("merge", tmp_path / "r.json")[2]
    commit(project)
    penstock("review", "--base", "HEAD~1", "--shard", "1/2", "--out", parts[0])
    status, _, err = penstock("merge", *parts)
    assert status == 2
    assert "part2.json is a part of another report than" in err


@pytest.mark.usefixtures("project")
def test_parts_of_a_rehearsal_are_merged_too(penstock: Run, tmp_path: Path) -> None:
    parts = [tmp_path / f"part{index}.json" for index in (1, 2)]
    for index, part in enumerate(parts, start=1):
        penstock("rehearse", "--all", "--shard", f"{index}/2", "--format", "json", "--out", part)
    whole = tmp_path / "whole.md"
    penstock("rehearse", "--all", "--format", "markdown", "--out", whole)

    status, _, _ = penstock("merge", *parts, "--out", tmp_path / "merged.md")

    assert status == 0
    assert (tmp_path / "merged.md").read_text() == whole.read_text()
    assert whole.read_text().startswith("<!-- penstock rehearse: shop -->\n")
    assert "--shard goes with --all" in penstock("rehearse", "dev", "--shard", "1/2")[2]
    assert "'3/2' is not a part such as 2/8" in penstock("rehearse", "--all", "--shard", "3/2")[2]


OPEN = """
from pulumi_aws import ec2

ec2.SecurityGroup("door", vpc_id="vpc-0123456789abcdef0", ingress=[
    {"protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": ["0.0.0.0/0"]},
])
"""
LOOSE = "config:\n  aws:region: us-east-1\n  penstock:policies: {packs: []}\n"


@pytest.mark.parametrize(
    "base",
    [
        "config: [broken\n",
        "config: 3\n",
        "config:\n  penstock:policies: {packs: [none]}\n",
        "config:\n  penstock:policy: {}\n",
        "config:\n  penstock:policies: {rules: {aws-sg-no-world-ingress: mandatory, no-such-rule: disabled}}\n",
    ],
)
def test_a_change_that_repairs_a_broken_base_does_not_choose_its_judge(penstock: Run, project: Path, base: str) -> None:
    stack = project / "Pulumi.dev.yaml"
    stack.write_text(base)
    commit(project)
    stack.write_text(LOOSE)
    (project / "__main__.py").write_text(OPEN)

    status, out, _ = penstock("review", "--base", "HEAD", "--stack", "dev", "--out", "r.json")

    codes = {each["code"] for each in json.loads((project / "r.json").read_text())["environments"][0]["findings"]}
    assert status == 1
    assert {"DIFF-027", "DIFF-022", "aws-sg-no-world-ingress"} <= codes
    assert "those that can be read and the defaults judge this change" in out
    assert penstock("review", "--base", "HEAD", "--stack", "dev", "--head-settings")[0] == 0


def test_valid_settings_of_a_broken_base_judge_the_change(penstock: Run, project: Path) -> None:
    stack = project / "Pulumi.dev.yaml"
    stack.write_text("config:\n  penstock:policies: {unknown: 3, rules: {aws-s3-kms: mandatory}, packs: [strict]}\n")
    commit(project)
    stack.write_text(LOOSE)
    (project / "__main__.py").write_text(OPEN)

    status, out, _ = penstock("review", "--base", "HEAD", "--stack", "dev")

    assert status == 1
    assert "packs: strict → none" in out


def test_loosened_settings_block_if_asked_for(penstock: Run, project: Path) -> None:
    stack = project / "Pulumi.dev.yaml"
    stack.write_text(f"{stack.read_text()}  penstock:policies: {{packs: []}}\n")

    status, out, _ = penstock("review", "--base", "HEAD")

    assert status == 0
    assert "DIFF-022" in out
    status, out, _ = penstock("review", "--base", "HEAD", "--block-loosened", "--out", "r.json")
    assert status == 1
    (found,) = json.loads((project / "r.json").read_text())["environments"][0]["findings"]
    assert (found["code"], found["severity"]) == ("DIFF-022", "error")


def test_a_part_that_is_nested_too_deeply_is_an_error(penstock: Run, tmp_path: Path) -> None:
    part = tmp_path / "part.json"
    part.write_text("[" * 100_000)

    status, _, err = penstock("merge", part)

    assert status == 2
    assert "is not a part of a report" in err


def test_a_change_of_the_pipeline_is_named_first_in_every_format(penstock: Run, project: Path) -> None:
    action = project.parent / ".github" / "actions" / "penstock-review" / "action.yml"
    action.parent.mkdir(parents=True)
    action.write_text("runs: {}\n")
    (project / "requirements.txt").write_text("# nothing\n")
    outs = [f"--out={name}" for name in ("r.md", "r.json", "r.sarif", "r.html")]

    status, out, _ = penstock("review", "--base", "HEAD", *outs)

    files = [".github/actions/penstock-review/action.yml", "infra/requirements.txt"]
    warning = "This change edits the pipeline that reviews it"
    document = json.loads((project / "r.json").read_text())
    assert status == 0
    assert warning in out.splitlines()[1]
    assert all(file in out.splitlines()[1] for file in files)
    assert document["pipeline"] == files
    assert warning in document["notes"][0]
    assert (project / "r.md").read_text().index(warning) < (project / "r.md").read_text().index("| Stack")
    assert warning in (project / "r.html").read_text()
    (run, *_) = json.loads((project / "r.sarif").read_text())["runs"]
    assert [(each["ruleId"], each["level"]) for each in run["results"]] == [("DIFF-029", "warning")] * 2


def test_a_deleted_stack_has_one_warning_with_the_order_of_steps(penstock: Run, project: Path) -> None:
    describe(project, "old", buckets=("data", "logs", "models"))
    commit(project)
    (project / "Pulumi.old.yaml").unlink()

    status, out, _ = penstock("review", "--base", "HEAD", "--out", "r.json")

    (environment,) = json.loads((project / "r.json").read_text())["environments"]
    (found,) = environment["findings"]
    assert status == 0
    assert (found["code"], found["severity"]) == ("DIFF-028", "warning")
    assert "Deleting Pulumi.old.yaml destroys nothing: the stack keeps 4 resources, billed" in found["message"]
    assert found["hint"].startswith("Destroy the stack before you delete its file")
    assert summary(json.loads((project / "r.json").read_text())) == {"old": ("deleted", 0)}
    assert "models" in out, "lost data is still listed"
