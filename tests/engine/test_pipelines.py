"""The shell steps of pipelines under the real Pulumi CLI: exit statuses are those that the steps expect."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.pipelines.runner import Job, write_pipeline

pytestmark = pytest.mark.skipif(shutil.which("pulumi") is None, reason="the Pulumi CLI is not on the PATH")

PROGRAM = """
import pulumi

pulumi.ComponentResource("acme:index:Box", "{name}", None, None)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose only resource needs no provider, and a backend for it in a folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "Pulumi.yaml").write_text("{name: acme-ai, runtime: python}", encoding="utf-8")
    (folder / "Pulumi.dev.yaml").write_text("config: {}", encoding="utf-8")
    (folder / "__main__.py").write_text(PROGRAM.format(name="first"), encoding="utf-8")
    return folder


def steps_of(workflow: str, folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """The steps of a workflow with a name, by it."""
    file = folder / ".github" / "workflows" / f"{workflow}.yml"
    jobs = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]
    return {step["name"]: step for job in jobs.values() for step in job["steps"] if "name" in step}


def test_a_preview_finds_changes_an_update_applies_them_and_then_nothing_drifts(project: Path, tmp_path: Path) -> None:
    written = write_pipeline("github", "aws", tmp_path / "written")
    deploy, nightly = steps_of("deploy", written), steps_of("nightly", written)
    backend = tmp_path / "backend"
    backend.mkdir()
    variables = {
        "PULUMI_BACKEND_URL": f"file://{backend}",
        "PULUMI_CONFIG_PASSPHRASE": "of a test",
        "PULUMI_HOME": str(tmp_path / "home"),
    }

    def run(step: Mapping[str, Any]) -> tuple[int, bool]:
        """Its status, and whether it noted the stack as one that changes."""
        for left in ("changed", "failed"):
            shutil.rmtree(project / left, ignore_errors=True)
        contexts = {"matrix.stack": "dev", "matrix.check": "drift"}
        job = Job(project, tmp_path, contexts, variables)
        status = job.run([step])
        return status, (project / "changed" / "dev").exists()

    assert run({"run": "pulumi stack init dev"}) == (0, False)
    assert run(deploy["Preview"]) == (0, True)
    assert run(nightly["Drift"])[0] == 7
    assert run(deploy["Update"]) == (0, False)
    assert run(deploy["Preview"]) == (0, False)
    assert run(nightly["Drift"])[0] == 0
    (project / "__main__.py").write_text("raise ValueError('broken')", encoding="utf-8")
    assert run(deploy["Preview"])[0] not in (0, 7)
