"""The guide on pipelines: its workflows pass the linters, and what it names is in the files that are written."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from tests.pipelines import linters, pins
from tests.pipelines.runner import CLOUDS, Job, write_pipeline

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "pipelines.md").read_text(encoding="utf-8")

WHO = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")


def workflows() -> Mapping[str, str]:
    return dict(re.findall(r"^```yaml\n# (\.github/workflows/\S+)\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE))


@pytest.mark.slow
def test_workflows_of_the_guide_pass_actionlint_and_pin_actions(tmp_path: Path) -> None:
    write_pipeline("github", "aws", tmp_path)
    (tmp_path / ".git").mkdir()
    files = [tmp_path / name for name in workflows()]
    for file, text in zip(files, workflows().values(), strict=True):
        file.write_text(text, encoding="utf-8")

    assert len(files) == 2
    assert linters.actionlint(files, tmp_path) == ""
    assert linters.schema_errors("vendor.github-workflows", *files) == ""
    used = {use for text in workflows().values() for use in re.findall(r"uses: (\S+@\S+ # \S+)", text)}
    assert {use.partition("@")[2] for use in used} <= {pin for found in pins.pinned().values() for pin in found}


@pytest.mark.parametrize("cloud", CLOUDS)
@pytest.mark.parametrize("system", ["github", "gitlab", "jenkins"])
def test_the_guide_names_every_setting_that_a_pipeline_reads(system: str, cloud: str, tmp_path: Path) -> None:
    written = write_pipeline(system, cloud, tmp_path)
    text = "".join(file.read_text(encoding="utf-8") for file in written.rglob("*") if file.is_file())
    settings = re.findall(r"\b(?:vars|secrets|fromJSON\(inputs\.variables\))\.(\w+)|credentialsId: '([\w-]+)'", text)

    assert {name for found in settings for name in found if name and f"`{name}" not in GUIDE} == set()


@pytest.mark.slow
def test_shards_of_the_guide_review_every_stack_once_and_merge(tmp_path: Path) -> None:
    project = write_pipeline("github", "aws", tmp_path / "project")
    git(project, "init --quiet", "add .", "commit --quiet -m base", "update-ref refs/remotes/origin/main HEAD")
    for name in ("prod", "stage"):
        shutil.copy(project / "Pulumi.dev.yaml", project / f"Pulumi.{name}.yaml")
    git(project, "add .", "commit --quiet -m stacks")
    jobs = yaml.safe_load(workflows()[".github/workflows/review-shards.yaml"])["jobs"]
    part = next(step for step in jobs["part"]["steps"] if "env" in step)
    (merge,) = (step for step in jobs["review"]["steps"] if "merge" in step.get("run", ""))
    for shard in jobs["part"]["strategy"]["matrix"]["shard"]:
        job = Job(project, tmp_path, {"matrix.shard": shard}, {"GITHUB_BASE_REF": "main"})
        assert job.run([part]) == 0, job.log
    job = Job(project, tmp_path, {}, {})

    assert job.run([merge]) == 0, job.log
    report = (project / "review.md").read_text(encoding="utf-8")
    assert report.startswith("<!-- penstock review")
    assert "2 of 3 stacks are affected" in report


def git(folder: Path, *commands: str) -> None:
    for command in commands:
        subprocess.run(["git", *WHO, *shlex.split(command)], cwd=folder, check=True)
