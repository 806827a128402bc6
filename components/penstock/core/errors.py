"""The one tree of errors.

PenstockError                 what the command line prints without a traceback, exit code 2
├── InvalidDescription        the stack file says something that cannot be built; carries every finding at once
├── UnknownFact               the catalogue has no such row; names the neighbours
├── MalformedTable            a cell of a data file is not what its column holds; has file, line and column
├── NotAProject               no Pulumi project, or no such stack, where one was asked for
├── ProgramFailed             the Pulumi program raised before it had registered everything
├── UnusableState             the state file is broken, too new, or of another stack
├── UnusableSource            a file to import cannot be read, is broken, or has an unknown format
├── NoSuchRevision            git has no such revision, or the stack cannot be rehearsed as it was there
├── UnusableFaults            a fault rule has no right form, or matches nothing that could meet its fault
├── UnusableStackOutputs      what is supplied as outputs of other stacks has not their form
├── UnusableEngine            the Pulumi CLI is asked for, and is missing, too old, or refuses the stack
├── UnusableBaseline          a file of known findings cannot be read, or has another form
├── UnusableParts             a part of a report is missing, given twice, of another report, or not a part
├── Unwritable                the report cannot be written where it was asked for
├── Unfinished                the rehearsal ended without a result: killed, out of time, or ended by the program
├── UnusablePython            the virtual environment of the program is missing, broken, or has no Pulumi
├── ImpossibleJob             no pool can hold the job that is asked for
├── CannotAsk                 a cloud is to be asked, and its SDK or credentials that it accepts are missing
├── CannotComment             a report cannot be posted: no token, no such request, or the host refuses
├── MissingExtra              a command needs a library that is an optional extra of Penstock
├── UnknownHook               the environment turns off a hook into the SDK that does not exist
└── Defect                    Penstock itself failed, or the machine refused it memory, a file or disk space
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from typing_extensions import override

from penstock.core.findings import Finding, Severity, Source


class PenstockError(Exception):
    """An error that a person can fix; its text is all they need to see. `findings` is the same for machines."""

    code: ClassVar[str]

    def __init__(self, message: str, file: str | None = None, line: int | None = None) -> None:
        place = f"{file}:{line}\n  " if line is not None else f"{file}\n  " if file is not None else ""
        super().__init__(place + message.replace("\n", "\n  "))
        self._message, self._file, self._line = message, file, line

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The error as findings: one, unless it carries several."""
        return (
            Finding(
                code=self.code,
                severity=Severity.ERROR,
                source=Source.PROGRAM,
                message=self._message,
                file=self._file,
                line=self._line,
            ),
        )


class InvalidDescription(PenstockError):
    """The description cannot be built."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        Exception.__init__(self, "\n".join(str(finding) for finding in findings))
        self._findings = tuple(findings)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every problem, in the order of the file."""
        return self._findings


class UnknownFact(PenstockError):
    """A look-up in the catalogue found nothing; the text names the nearest keys.

    `message` may be a function, which is called when somebody reads the text: most who look a fact up go on without it.
    """

    code = "RUN-004"

    def __init__(self, message: str | Callable[[], str]) -> None:
        super().__init__("" if callable(message) else message)
        self._unsaid = message if callable(message) else None

    @override
    def __str__(self) -> str:
        if self._unsaid is not None:
            super().__init__(self._unsaid())
            self._unsaid = None
        return super().__str__()

    @override
    def __reduce__(self) -> tuple[type[UnknownFact], tuple[str]]:
        return type(self), (str(self),)

    @property
    @override
    def findings(self) -> tuple[Finding, ...]:
        """The error as a finding."""
        str(self)
        return super().findings


class MalformedTable(PenstockError):
    """A data file has a cell or a column that its records cannot be made of; the text has file, line and column."""

    code = "RUN-004"


class NotAProject(PenstockError):
    """There is no Pulumi project here, or it has no such stack."""

    code = "RUN-001"


class ProgramFailed(PenstockError):
    """The program raised. The text is its own error, with the file and line in the program.

    `noted` is what had been found until then: it often shows why. `missing_key` is the key of the configuration that
    the program requires and the stack lacks, if that is why. `missing_sdk` says whether a provider's SDK is missing.
    """

    code = "RUN-002"
    noted: tuple[Finding, ...] = ()
    missing_key: str | None = None
    missing_sdk: bool = False

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The failure, and what had been found until then."""
        return (*super().findings, *self.noted)


class UnusableState(PenstockError):
    """The file is not a state of this stack that can be read."""

    code = "RUN-005"


class UnusableSource(PenstockError):
    """A file to import cannot be read, is broken, or has an unknown format; the text has the known ones."""

    code = "IMPORT-005"


class NoSuchRevision(PenstockError):
    """There is no such revision, or the stack cannot be rehearsed as it was there."""

    code = "RUN-006"


class UnusableBaseline(PenstockError):
    """A file of known findings cannot be read, or has another form."""

    code = "RUN-017"


class UnusableParts(PenstockError):
    """The parts of a report cannot be merged."""

    code = "RUN-016"


class UnusableFaults(PenstockError):
    """A fault that a rehearsal is asked to play cannot happen; the text says what would be right."""

    code = "FAULT-001"


class UnusableStackOutputs(PenstockError):
    """What is supplied as the outputs of other stacks cannot be read; the text says what would be right."""

    code = "RUN-010"


class Unwritable(PenstockError):
    """The report cannot be written where it was asked for."""

    code = "RUN-003"


class UnusableEngine(PenstockError):
    """The Pulumi CLI is asked for, and is missing, too old, or refuses the stack."""

    code = "RUN-007"


class Unfinished(PenstockError):
    """The rehearsal ended without a result: it was killed, out of time, or ended by the program."""

    code = "RUN-008"


class UnusablePython(PenstockError):
    """The Python of the program is missing, broken, or has no Pulumi; the text says what creates it."""

    code = "RUN-011"


class ImpossibleJob(PenstockError):
    """No pool of the platform can hold the job; the text says what would fit."""

    code = "RUN-012"


class CannotAsk(PenstockError):
    """A cloud is to be asked, and its SDK or credentials that it accepts are missing; the text says how to get them."""

    code = "RUN-020"


class PriceServiceFailed(PenstockError):
    """The price service of a cloud cannot be reached, refuses, or answers in a form that is not known."""

    code = "RUN-013"


class CannotComment(PenstockError):
    """A report cannot be posted as a comment: there is no token, no such request, or the host refuses."""

    code = "RUN-018"


class MissingExtra(PenstockError):
    """A command needs a library that is not installed; the text says which extra brings it."""

    code = "RUN-014"


class UnknownHook(PenstockError):
    """The environment variable for hooks into the SDK has an unknown name; the text has the known ones."""

    code = "RUN-015"


class Defect(PenstockError):
    """Penstock itself failed, or the machine refused it what it needs: memory, a file, room on a disk."""

    code = "RUN-009"
