"""The repository's own workflows, forms and updates pass the field's linters, and pin what they use."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from tests.pipelines import linters, pins

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
SCHEMAS = {
    "vendor.github-workflows": WORKFLOWS,
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "vendor.github-issue-forms": sorted((GITHUB / "ISSUE_TEMPLATE").glob("[!c]*.yml")),
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_keep_the_schema_of_github(schema: str) -> None:
    assert linters.schema_errors(schema, *SCHEMAS[schema]) == ""


@pytest.mark.slow
def test_workflows_pass_actionlint() -> None:
    assert linters.actionlint(WORKFLOWS, ROOT) == ""


def test_workflows_pass_zizmor() -> None:
    assert linters.zizmor(ROOT, ".github", "action.yml") == ""


def test_linters_find_a_mistake(tmp_path: Path) -> None:
    workflow = tmp_path / ".github" / "workflows" / "wrong.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text(
        "on: pull_request_target\njobs: {a: {runs-on: x, permission: {}, steps: [{uses: actions/x@v4, wit: {}}]}}\n",
        encoding="utf-8",
    )

    assert "dangerous-triggers" in linters.zizmor(tmp_path, ".")
    assert "permission" in linters.schema_errors("vendor.github-workflows", workflow)
    assert '"wit"' in linters.actionlint([workflow], tmp_path)


def test_ci_runs_every_supported_python_both_systems_and_the_real_engine() -> None:
    jobs = yaml.safe_load((GITHUB / "workflows" / "ci.yml").read_text(encoding="utf-8"))["jobs"]
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    supported = {version[1] for each in classifiers if (version := re.search(r"Python :: (3\.\d+)$", each))}
    matrix = jobs["test"]["strategy"]["matrix"]
    systems = {*matrix["os"], *(each["os"] for each in matrix["include"])}

    assert supported <= {*matrix["python"], *(each["python"] for each in matrix["include"])}
    assert {system.partition("-")[0] for system in systems} == {"ubuntu", "macos"}
    assert "make test-engine" in [step.get("run") for step in jobs["engine"]["steps"]]


def test_only_the_job_that_publishes_may_ask_pypi_for_a_token() -> None:
    release = yaml.safe_load((GITHUB / "workflows" / "release.yml").read_text(encoding="utf-8"))

    assert {name for name, job in release["jobs"].items() if "environment" in job} == {"publish"}
    assert release["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    assert all("password" not in step.get("with", {}) for step in release["jobs"]["publish"]["steps"])


@pytest.mark.parametrize("file", pins.FILES, ids=pins.name_of)
def test_actions_are_pinned_by_digest_with_their_version(file: Path) -> None:
    assert pins.unpinned(file.read_text(encoding="utf-8")) == []


def test_an_action_has_one_pin_everywhere() -> None:
    assert {action: found for action, found in pins.pinned().items() if len(found) > 1} == {}


def test_the_installed_cli_is_of_the_version_that_the_sdk_is_locked_to() -> None:
    locked = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    (sdk,) = (package["version"] for package in locked if package["name"] == "pulumi")

    assert pins.cli_versions() == {sdk}


def test_pins_are_recognised() -> None:
    assert pins.unpinned("- uses: actions/checkout@v7\n") == ["actions/checkout@v7"]
    assert pins.unpinned(f"- uses: actions/checkout@{'0' * 40}\n") == [f"actions/checkout@{'0' * 40}"]
    assert pins.unpinned(f"- uses: actions/checkout@{'0' * 40} # v7.0.1\n- uses: ./.github/actions/x\n") == []
