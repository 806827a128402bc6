"""Runs the shell steps of rendered pipelines as their runners do: in bash, with the Penstock of this Python."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from penstock.app.init import plan_repository

CLOUDS: Final = ("aws", "gcp", "azure", "kubernetes")


def write_pipeline(system: str, cloud: str, folder: Path) -> Path:
    """Write what `penstock init --ci` writes, and return the folder."""
    options = {"cloud": cloud, "accelerator": "h100", "ci": system, "name": "acme-ai", "stack": "dev"}
    plan_repository(options, folder).write()
    return folder


def environment(**variables: str) -> dict[str, str]:
    """Variables of a job: the programs of this Python first, and no tokens of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "GITLAB_", "CI"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**kept, "PATH": path, **variables}


def bash(script: str, folder: Path, variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a script as GitHub and GitLab do: it ends at the first command that fails, also within a pipe."""
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=dict(variables), capture_output=True, text=True, check=False)


@dataclass
class Job:
    """A job of GitHub: where it runs, and its contexts, such as `github.event_name`, by their full names."""

    folder: Path
    temp: Path
    contexts: dict[str, Any]
    variables: Mapping[str, str]
    used: list[str] = field(default_factory=list)
    log: str = ""

    @property
    def summary(self) -> str:
        """What steps wrote into the summary of the job."""
        return self._file("summary").read_text(encoding="utf-8")

    @property
    def outputs(self) -> dict[str, str]:
        """What steps wrote as outputs."""
        lines = self._file("output").read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)

    def run(self, steps: Sequence[Mapping[str, Any]]) -> int:
        """Run the steps whose conditions hold, and return the status of the first that fails; actions are noted."""
        status = 0
        for step in steps:
            if not self.holds(step.get("if", "success()"), has_failed=status != 0):
                continue
            if "uses" in step:
                self.used.append(step["uses"].partition("@")[0])
                continue
            result = bash(self._filled(step["run"]), self.folder, self._variables(step))
            self.log += result.stdout + result.stderr
            status = status or result.returncode
        return status

    def holds(self, condition: str, *, has_failed: bool = False) -> bool:
        """Return whether the condition of a step or a job holds."""
        return bool(self._value(re.sub(r"^\$\{\{|\}\}$", "", str(condition).strip()), has_failed=has_failed))

    def _variables(self, step: Mapping[str, Any]) -> dict[str, str]:
        files = {f"GITHUB_{name.upper()}": str(self._file(name.split("_")[-1])) for name in ("output", "step_summary")}
        given = {name: self._filled(value) for name, value in step.get("env", {}).items()}
        fixed = {"GITHUB_WORKSPACE": str(self.folder), "RUNNER_TEMP": str(self.temp)}
        return environment(**self.variables, **files, **fixed, **given)

    def _file(self, name: str) -> Path:
        file = self.temp / f"github-{name}"
        file.touch()
        return file

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{\{(.+?)\}\}", lambda found: str(self._value(found[1], has_failed=False)), text)

    def _value(self, expression: str, *, has_failed: bool) -> Any:
        """The value of an expression: its operators are those of Python under other names."""
        functions = {
            "success": lambda: not has_failed,
            "failure": lambda: has_failed,
            "cancelled": lambda: False,
            "hashFiles": lambda pattern: "".join(str(found) for found in [Path(pattern)] if found.exists()),
            "format": lambda form, *given: form.format(*given),
        }
        names = re.compile(r"'[^']*'|\b[a-z]+(?:\.[\w-]+)+")
        text = names.sub(lambda found: found[0] if found[0][0] == "'" else repr(self.contexts[found[0]]), expression)
        text = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or "))
        return eval(" ".join(text.split()), functions)


def steps_of(action: Path) -> Sequence[Mapping[str, Any]]:
    """The steps of a composite action."""
    steps: Sequence[Mapping[str, Any]] = yaml.safe_load(action.read_text(encoding="utf-8"))["runs"]["steps"]
    return steps


def program(folder: Path, name: str, script: str) -> None:
    """Write a program in place of one that is not there, such as the Pulumi CLI."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(f"#!/usr/bin/env bash\n{script}\n", encoding="utf-8")
    file.chmod(0o755)
