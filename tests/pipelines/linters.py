"""The field's linters of pipelines: actionlint, zizmor, and the schemas of GitHub's and GitLab's files."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import pytest

_ACTIONLINT: Final = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
_SCRIPTS: Final = Path(sysconfig.get_path("scripts"))


@cache
def _actionlint() -> tuple[str, ...]:
    """The command of actionlint, which Go builds once and keeps in its own cache."""
    if installed := shutil.which("actionlint"):
        return (installed,)
    go = shutil.which("go")
    if go is None:
        pytest.skip("actionlint is not on the PATH, and there is no Go to build it")
    command = (go, "run", _ACTIONLINT)
    built = subprocess.run([*command, "-version"], capture_output=True, text=True, check=False)
    if built.returncode:
        pytest.skip(f"Go cannot build actionlint: {built.stderr.strip().splitlines()[-1]}")
    return command


def actionlint(workflows: Iterable[Path], root: Path) -> str:
    """Return what actionlint reports on workflows of a repository, and on the actions in it that they use."""
    # Neither shellcheck nor pyflakes is on every machine: findings must not depend on them.
    command = [*_actionlint(), "-shellcheck=", "-pyflakes=", "-no-color", *(str(each) for each in workflows)]
    return _output(command, root)


def zizmor(root: Path, *inputs: str) -> str:
    """Return what zizmor reports, offline, on the pipelines in folders and files of a repository."""
    options = ["--offline", "--quiet", "--strict-collection", "--persona", "pedantic", "--color", "never"]
    command = [str(_SCRIPTS / "zizmor"), *options, "--config", str(Path(__file__).with_name("zizmor.yml")), *inputs]
    found = _output(command, root)
    return "" if found.startswith("No findings to report") else found


def schema_errors(schema: str, *files: Path) -> str:
    """Return where files break a schema that check-jsonschema ships, such as `vendor.gitlab-ci`."""
    command = [str(_SCRIPTS / "check-jsonschema"), "--builtin-schema", schema, *map(str, files)]
    return _output(command, files[0].parent)


def _output(command: list[str], folder: Path) -> str:
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr if ran.returncode else ""
