"""A command that stays: it shows a new verdict after each change of what it depends on, until Ctrl-C."""

from __future__ import annotations

import signal
import sys
import time
from datetime import datetime
from multiprocessing.connection import wait
from types import FrameType
from typing import TYPE_CHECKING, Final, NoReturn

from penstock.app.warm_up import warm_up
from penstock.simulate.project import as_typed, locate
from penstock.simulate.warm import Command, WarmProcess

if TYPE_CHECKING:
    from rich.console import Console

    from penstock.report.stack_verdict import StackVerdict
    from penstock.simulate.warm import FinishedRun
    from penstock.simulate.watching import ChangeWatch

INTERRUPTED: Final = 130
"""The status of a watch that Ctrl-C ends, as of every command that it ends."""

LONGEST_RUN_S: Final = 60.0
"""The time after which a run is given up where nobody has said another: a program in an endless loop ends."""


def keep_watching(command: Command, target: str, stack: str | None) -> NoReturn:
    """Show the verdict of a command on a stack, and a new one after each change; Ctrl-C ends it with status 130.

    `command` takes the target and the stack.

    A run that a change makes obsolete is ended.

    Raises:
        NotAProject: there is no such stack.
        Unfinished: the process that runs the command was ended.
    """
    project, name = locate(target, stack)
    warm = WarmProcess(command, warm_up)  # before there is a second thread: what forks has one
    from rich.console import Console

    from penstock.simulate.watching import ChangeWatch, Dependencies

    signal.signal(signal.SIGINT, _interrupted)
    signal.signal(signal.SIGTERM, _interrupted)
    dependencies = Dependencies(project, name)
    changes = ChangeWatch(dependencies)
    console = Console(highlight=False)
    shown: StackVerdict | None = None
    console.print(f"Watching {as_typed(project.stack_file(name))} and the program. Ctrl-C ends.", soft_wrap=True)
    try:
        while True:
            began, started = time.time(), time.perf_counter()
            number = warm.begin(str(project.root), name)
            run = _ended(warm, number, changes)
            if run is None:
                continue
            verdict = _show(run, shown, console, time.perf_counter() - started)
            if run.note is not None and dependencies.include(run.note.files):
                changes.extend(began)
            if verdict is not None and verdict.is_result:
                if shown is None:
                    warm.prepare(str(project.root), name)
                shown = verdict
            wait([changes.fileno()])
            changes.take()
    except KeyboardInterrupt:
        console.print("\nNo longer watching. Nothing was created.")
        sys.exit(INTERRUPTED)
    finally:
        warm.close()


def _ended(warm: WarmProcess, number: int, changes: ChangeWatch) -> FinishedRun | None:
    """Wait for a run; None where something has changed before it ended, for which it was given up."""
    while True:
        if changes.fileno() in wait([warm.fileno(), changes.fileno()]):
            changes.take()
            warm.abandon()
            return None
        run = warm.finished()
        if run.number == number:
            return run


def _show(run: FinishedRun, before: StackVerdict | None, console: Console, seconds: float) -> StackVerdict | None:
    """Print what a run has found and what it printed, and return its verdict; None if it was killed without one."""
    from penstock.report import verdict_changes
    from penstock.report.stack_verdict import verdict_from
    from penstock.report.terminal import harmless_text

    verdict = verdict_from(run.note.verdict) if run.note is not None else None
    console.print()
    if verdict is not None:
        heading = f"{datetime.now():%H:%M:%S} ({seconds:.2f} s)"  # noqa: DTZ005 the time of the person's own clock
        for line in verdict_changes.lines(verdict, before, heading=heading):
            console.print(line, soft_wrap=True)
    for message in run.messages.strip().splitlines():
        console.print(harmless_text(message), soft_wrap=True)
    return verdict


def _interrupted(_: int, __: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
