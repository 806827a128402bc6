"""The findings and evaluated rules of an environment, from which all formats of a report are written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.core.findings import Finding
from penstock.preconditions import Precondition
from penstock.rules.judge import Report
from penstock.secrets.redaction import Redaction
from penstock.simulate.project import PulumiProject, as_typed

if TYPE_CHECKING:
    from penstock.changes.diff import Changes
    from penstock.report.coverage import Coverage
    from penstock.rules.settings_changes import SettingChange


@dataclass(frozen=True, slots=True)
class Home:
    """Where findings lie: the files of a program below `folder`, and in `file` what has no place of its own."""

    file: Path
    folder: Path
    project: str = ""
    """The name of the Pulumi project."""

    def typed(self, file: str) -> str:
        """A file of a finding, of the program or of the stack, as a person in this folder would type it."""
        whole = self.folder / file
        return str(as_typed(whole.resolve())) if is_file(whole) else file


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """The result of a check on an environment.

    `cloud` is the one of its description, None for a program without one; `judgement` is what the cloud rules said,
    `policies` what the policy rules did, `changes` those from what stood before: each None where it was not asked for.
    `preconditions` are what must exist before the first `pulumi up`, `coverage` what of the program the rules judged;
    None where the report is about something else.
    """

    environment: str
    findings: tuple[Finding, ...]
    cloud: str | None = None
    judgement: Report | None = None
    policies: Report | None = None
    changes: Changes | None = None
    settings_changes: tuple[SettingChange, ...] = ()
    """Changes of the settings that judge the stack, where those before are known."""
    command: str = "check"
    """The command that reports: comments of different commands on one pull request are kept apart by it."""
    preconditions: tuple[Precondition, ...] | None = None
    coverage: Coverage | None = None
    home: Home | None = None
    known: tuple[Finding, ...] = ()
    """Findings that a baseline accepts: they do not block."""
    redaction: Redaction | None = None
    """The secrets of the run, which no report may have; None where there are none, or where they are gone already."""

    @property
    def ok(self) -> bool:
        """True if nothing was found that blocks."""
        return not any(finding.blocks for finding in self.findings)


def is_file(path: Path) -> bool:
    """Return whether there is a file of this name, be it a name at all."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have: exports of stacks may hold any
        return False


def home_of(project: PulumiProject, stack: str) -> Home:
    """The home of a stack's findings: its file if it has one, and the project's folder."""
    files = (project.stack_file(stack), project.root / "Pulumi.yaml", project.root / "Pulumi.yml")
    return Home(as_typed(next((file for file in files if file.is_file()), files[0])), project.root, project.name)
