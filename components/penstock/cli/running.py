"""Runs a command: supervised, its errors in the format of its result, its report written before it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

import typer

from penstock.cli.options import Format
from penstock.cli.output import page, refused, result, supervisors, write
from penstock.core.errors import Defect, InvalidDescription, PenstockError, ProgramFailed, Unwritable
from penstock.core.wording import plural

if TYPE_CHECKING:
    from rich.console import Console

    from penstock.report.assessment import Assessment, Home
    from penstock.simulate.environment import Environment


handed_over: list[str] = []
"""The formats in which this process hands its reports to the command that runs it; none where a person runs it."""

AnyAssessment = TypeVar("AnyAssessment", bound="Assessment")


@contextmanager
def running(
    format_: Format,
    env: str,
    out: Path | None,
    timeout: float | None,
    program: tuple[str, str | None] | None = None,
    *,
    command: str,
) -> Iterator[None]:
    """Do the work of a command in a child process; whatever ends it is reported in the format of the result.

    What is imported inside is imported while the interpreter of the `program`, a target and its stack, starts.
    """
    from penstock.simulate.sdk_hooks import turned_off
    from penstock.simulate.supervision import Supervisor

    supervisor = Supervisor()
    supervisors.append(supervisor)
    with errors_in(format_, env, out, command=command, program=program):
        turned_off()  # a wrong name is refused before anything runs
        supervisor.in_child(timeout)
        with supervisor.program():
            if program is not None:
                from penstock.simulate.ahead import start_ahead

                start_ahead(*program)
            yield


def environment_at(env: str, stack: str | None, stack_output: list[str] | None) -> Environment:
    """Return the stack that the arguments of a command name."""
    from penstock.simulate.environment import find_environment
    from penstock.simulate.stack_outputs import read

    return find_environment(env, stack, stack_outputs=read(stack_output or ()))


@contextmanager
def errors_in(
    format_: Format, env: str, out: Path | None, *, command: str, program: tuple[str, str | None] | None = None
) -> Iterator[None]:
    """Write an error in the format of the result, too."""
    try:
        yield
    except Exception as raised:
        if isinstance(raised, typer.Exit | typer.BadParameter | Unwritable):
            raise
        error = raised if isinstance(raised, PenstockError) else defect_of(raised)
        _note_error(env, error)
        try:
            _write_error(error, format_, env, out, command=command, home=_home(program))
        except Unwritable as unwritable:
            refused(str(unwritable))  # what went wrong first matters more
        raise error from None


def defect_of(error: Exception) -> Defect:
    """An error of the machine or of Penstock. Only the system's own text is shown: another may repeat a secret."""
    from traceback import extract_tb

    if isinstance(error, OSError) and error.strerror:
        file = f"{error.filename}: " if isinstance(error.filename, str) else ""
        return Defect(f"{file}{error.strerror.lower()}. There is no result.")
    if isinstance(error, MemoryError):
        return Defect("the memory of this machine is used up. There is no result.")
    last = extract_tb(error.__traceback__)[-1]
    return Defect(
        f"Penstock itself failed: {type(error).__name__} at {Path(last.filename).name}:{last.lineno}. There is no "
        "result; please report this as a defect of Penstock."
    )


def message_of(error: PenstockError) -> str:
    """An error as a person reads it, with all that was found until then."""
    if isinstance(error, InvalidDescription):
        count = len(error.findings)
        return f"{error}\n\n{plural(count, 'problem')}. Nothing was created."
    noted = error.noted if isinstance(error, ProgramFailed) else ()
    return "\n".join([str(error), *(f"{each.severity}  {each}" for each in noted)])


def _note_error(env: str, error: PenstockError) -> None:
    """Note an error for the process that has asked for this run, if one has."""
    from penstock.simulate import run_notes

    if run_notes.is_noted():
        from penstock.report.assessment import Assessment

        note_verdict(Assessment(environment=env, findings=error.findings))


def _home(program: tuple[str, str | None] | None) -> Home | None:
    """Where the findings of a program lie, if it is known which one that is."""
    from penstock.report.assessment import home_of
    from penstock.simulate.project import locate

    with suppress(PenstockError):
        return home_of(*locate(*program)) if program is not None else None
    return None


def _write_error(
    error: PenstockError, format_: Format, env: str, out: Path | None, *, command: str, home: Home | None
) -> None:
    from penstock.report.wording import harmless_lines

    def rendered(format_: str) -> str:
        if format_ == Format.TEXT:
            return harmless_lines(message_of(error))
        from penstock.report.formats import rendered_error  # most errors are text

        return rendered_error(error.findings, environment=env, command=command, format_=format_, home=home)

    if handed_over:
        hand_over(rendered)
    elif format_ is Format.TEXT:
        if out is not None:  # on the terminal it is shown when the command ends
            write(rendered(format_.value), out)
    else:
        write(rendered(format_.value), out)


def end_with(
    assessment: AnyAssessment,
    format_: Format,
    out: Path | None,
    show: Callable[[AnyAssessment, Console], None],
) -> NoReturn:
    """Write a report without secrets, for people by `show`, and end the command."""
    from penstock.report.redacted import redacted
    from penstock.simulate import run_notes

    assessment = redacted(assessment)

    def rendered(format_: str) -> str:
        from penstock.report import formats  # text needs none

        return formats.rendered(assessment, format_)

    if run_notes.is_noted():
        note_verdict(assessment)
        hand_over(rendered)
        raise typer.Exit(0 if assessment.ok else 1)
    if format_ is Format.TEXT:
        with page(out) as console:
            show(assessment, console)
    else:
        write(rendered(format_.value), out)
    raise typer.Exit(0 if assessment.ok else 1)


def note_verdict(assessment: Assessment) -> None:
    """Send the verdict to the process that runs this one."""
    from penstock.report.stack_verdict import document, verdict_of
    from penstock.simulate import run_notes

    run_notes.note(document(verdict_of(assessment)))


def hand_over(rendered: Callable[[str], str], formats: Iterable[str] | None = None) -> None:
    """Write reports for the command that runs this process, by default in the formats that it has asked for."""
    import json

    wanted = handed_over if formats is None else formats
    print(json.dumps({each: rendered(each) for each in wanted}), file=result(), flush=True)
