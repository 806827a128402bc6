"""Programs in other languages under the real Pulumi CLI, against the simulated clouds, as people run them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

EXAMPLES = Path(__file__).parents[2] / "examples"
PROVIDER = Path(sys.executable).with_name("pulumi-resource-penstock")
WHOLE_LIFE = ["preview", "up", "second up", "refresh", "destroy"]
MOST_SECONDS = 1800


def needs(*programs: str) -> pytest.MarkDecorator:
    """Skips a test without these programs on the PATH."""
    missing = [program for program in ("pulumi", *programs) if shutil.which(program) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not on the PATH: {', '.join(missing)}")


def run(folder: Path, *command: str | Path) -> str:
    """Run a command in a folder as a person would, but away from this person's Pulumi account."""
    home = folder.parent / "pulumi"
    home.mkdir(exist_ok=True)
    variables = {
        "PULUMI_HOME": str(home),
        "PULUMI_BACKEND_URL": home.as_uri(),
        "PULUMI_CONFIG_PASSPHRASE": "test",
        "PULUMI_SKIP_UPDATE_CHECK": "true",
    }
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=MOST_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rehearsed(folder: Path) -> Mapping[str, Any]:
    """The report of `penstock rehearse FOLDER --engine pulumi`."""
    command = [sys.executable, "-m", "penstock", "rehearse", str(folder), "--engine", "pulumi", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=MOST_SECONDS)
    assert done.returncode in (0, 1), done.stderr
    report: Mapping[str, Any] = json.loads(done.stdout)
    return report


def example(name: str, folder: Path) -> Path:
    """A copy of an example."""
    return Path(shutil.copytree(EXAMPLES / name, folder / name))


def created(report: Mapping[str, Any]) -> Counter[str]:
    """How many resources of each type there were."""
    return Counter(resource["type"] for resource in report["resources"])


def assert_whole_life(report: Mapping[str, Any]) -> None:
    assert report["ok"], report["findings"]
    assert [step["name"] for step in report["engine"]["steps"]] == WHOLE_LIFE


@needs("pulumi-language-yaml")
def test_yaml_builds_a_platform(tmp_path: Path) -> None:
    report = rehearsed(example("yaml", tmp_path))

    assert_whole_life(report)
    types = created(report)
    assert types["penstock:index:Platform"] == 1
    assert types["aws:eks/nodeGroup:NodeGroup"] == 3
    assert types["aws:fsx/lustreFileSystem:LustreFileSystem"] == 1


@needs("node", "npm", "pulumi-language-nodejs")
def test_typescript_adds_pieces_to_an_existing_cluster(tmp_path: Path) -> None:
    folder = example("typescript", tmp_path)
    run(folder, "npm", "install", "--no-audit", "--no-fund")
    run(folder, "pulumi", "package", "add", PROVIDER)

    run(folder, "npx", "tsc", "--noEmit")
    report = rehearsed(folder)

    assert_whole_life(report)
    types = created(report)
    assert types["aws:eks/nodeGroup:NodeGroup"] == 1
    assert types["aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"] == 1
    preview, up, *_ = report["engine"]["steps"]
    assert preview["changes"] == up["changes"], "the preview shows all, though the bucket of the file system is new"


@pytest.mark.slow  # the SDK of Go compiles for minutes, once
@needs("go", "pulumi-language-go")
def test_go_adds_a_pool_to_an_existing_cluster(tmp_path: Path) -> None:
    folder = example("go", tmp_path)
    run(folder, "pulumi", "package", "add", PROVIDER)
    run(folder, "go", "mod", "tidy")

    report = rehearsed(folder)

    assert_whole_life(report)
    assert created(report)["aws:eks/nodeGroup:NodeGroup"] == 1


def yaml_program(folder: Path, resources: Mapping[str, Any]) -> Path:
    """A project in YAML with these resources."""
    (folder / "program").mkdir()
    project = {"name": "gpus", "runtime": "yaml", "resources": resources}
    (folder / "program" / "Pulumi.yaml").write_text(yaml.safe_dump(project))
    (folder / "program" / "Pulumi.dev.yaml").write_text("config: {aws:region: us-east-1}")
    return folder / "program"


@needs("pulumi-language-yaml")
def test_all_mistakes_are_reported_in_the_preview_and_nothing_is_created(tmp_path: Path) -> None:
    properties = {
        "environment": "dev",
        "cloud": {"provider": "aws", "region": "us-east-1"},
        "cluster": {"deployerCidrs": ["203.0.113.0/24"]},
        "nodePools": [{"name": "train", "accelerator": "h1000", "nodes": {"min": 4, "max": 2}}],
    }
    folder = yaml_program(tmp_path, {"train": {"type": "penstock:index:Platform", "properties": properties}})

    report = rehearsed(folder)

    text = json.dumps(report["findings"])
    assert [step["name"] for step in report["engine"]["steps"]] == ["preview"]
    assert "nodePools[0].accelerator" in text
    assert "'h1000' is not an accelerator AWS offers in us-east-1. Did you mean h100?" in text
    assert "nodePools[0].nodes.min" in text
    assert "SPEC-066" in text
    assert "Traceback" not in text
    assert not created(report)


@needs("pulumi-language-yaml")
def test_no_error_shows_a_secret(tmp_path: Path) -> None:
    """The engine prints the value of an input that is wrong."""
    platform = {
        "environment": "dev",
        "owner": {"fn::secret": "hunter2hunter2"},
        "cloud": {"provider": "aws", "region": "us-east-1"},
    }
    bucket = {"key": {"arn": {"fn::secret": "hunter3hunter3"}, "alias": "a"}}
    folder = yaml_program(
        tmp_path,
        {
            "train": {"type": "penstock:index:Platform", "properties": platform},
            "data": {"type": "penstock:aws:Bucket", "properties": bucket},
        },
    )

    text = json.dumps(rehearsed(folder))

    assert "hunter2" not in text
    assert "hunter3" not in text
