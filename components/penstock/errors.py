"""The one tree of errors.

PenstockError                 what the command line prints without a traceback, exit code 2
├── InvalidDescription        the stack file says something that cannot be built; carries every finding at once
├── UnknownFact               the catalogue has no such row; names the neighbours
├── NotAProject               no Pulumi project, or no such stack, where one was asked for
└── ProgramFailed             the Pulumi program raised before it had registered everything
"""

from __future__ import annotations

from collections.abc import Sequence

from penstock.findings import Finding


class PenstockError(Exception):
    """What a person can mend; its text is all they need to see."""


class InvalidDescription(PenstockError):
    """The description cannot be built. `findings` holds every problem, in the order of the file."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("\n".join(str(finding) for finding in findings))
        self.findings = tuple(findings)


class UnknownFact(PenstockError):
    """A look-up in the catalogue found nothing; the text names the nearest keys."""


class NotAProject(PenstockError):
    """There is no Pulumi project here, or it has no such stack."""


class ProgramFailed(PenstockError):
    """The program raised. The text is its own error, with the file and line in the program."""
