"""State of stacks under the real Pulumi CLI, as the guide on state moves and restores it: a folder is the bucket."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    shutil.which("pulumi") is None or shutil.which("pulumi-language-yaml") is None,
    reason="the Pulumi CLI or its YAML language is not on the PATH",
)

PROGRAM = "name: state\nruntime: yaml\noutputs:\n  answer: {answer}\n"


class Stack:
    """A project of one output, whose state is in two places one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.first, self.bucket = folder / "project", folder / "first", folder / "bucket"
        for each in (self.folder, self.first, self.bucket):
            each.mkdir()
        self._environment = os.environ | {
            "PULUMI_HOME": str(folder / "home"),
            "PULUMI_CONFIG_PASSPHRASE": "bootstrap",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
        }

    def answer_with(self, answer: int) -> None:
        """Change the program."""
        (self.folder / "Pulumi.yaml").write_text(PROGRAM.format(answer=answer))

    def pulumi(self, *arguments: str, fails: bool = False) -> str:
        """Run the CLI and return what it says."""
        done = subprocess.run(
            ["pulumi", *arguments, "--non-interactive"],
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    @property
    def state(self) -> Path:
        """The state in the bucket."""
        return self.bucket / ".pulumi/stacks/state/prod.json"


@pytest.fixture
def stack(tmp_path: Path) -> Stack:
    """A stack that was created in a folder, and moved into the bucket by export and import."""
    stack = Stack(tmp_path)
    stack.answer_with(42)
    stack.pulumi("login", f"file://{stack.first}")
    stack.pulumi("stack", "init", "prod")
    stack.pulumi("up", "--yes", "--skip-preview")
    stack.pulumi("stack", "export", "--file", "state.json")
    stack.pulumi("login", f"file://{stack.bucket}")
    stack.pulumi("stack", "init", "prod")
    stack.pulumi("stack", "import", "--file", "state.json")
    return stack


def test_a_moved_stack_needs_no_change(stack: Stack) -> None:
    stack.pulumi("preview", "--expect-no-changes")

    assert stack.pulumi("stack", "output", "answer").strip() == "42"


def test_an_earlier_version_is_restored_by_its_object_and_not_by_import(stack: Stack) -> None:
    stack.pulumi("up", "--yes", "--skip-preview")
    stack.answer_with(43)
    stack.pulumi("up", "--yes", "--skip-preview")
    earlier = min((stack.bucket / ".pulumi/backups/state/prod").glob("*.json"))

    assert "deserialize" in stack.pulumi("stack", "import", "--file", str(earlier), fails=True)
    shutil.copy(earlier, stack.state)

    assert stack.pulumi("stack", "output", "answer").strip() == "42"
    assert "answer: 42 => 43" in stack.pulumi("preview")


def test_the_lock_of_a_dead_job_is_named_and_can_be_cancelled(stack: Stack) -> None:
    lock = stack.bucket / ".pulumi/locks/organization/state/prod/dead.json"
    lock.parent.mkdir(parents=True, exist_ok=True)
    holder = {"pid": 1, "username": "ci", "hostname": "runner-7", "timestamp": "2026-11-29T12:00:00Z"}
    lock.write_text(json.dumps(holder))

    assert "created by ci@runner-7" in stack.pulumi("up", "--yes", "--skip-preview", fails=True)
    stack.pulumi("cancel", "--yes")

    stack.pulumi("up", "--yes", "--skip-preview")
    assert not lock.exists()
