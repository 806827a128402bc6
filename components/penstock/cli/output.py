"""Where the result of a command goes: the terminal, a pipe or a file, by way of the process that supervises it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from penstock.core.errors import Unwritable

if TYPE_CHECKING:
    from rich.console import Console

    from penstock.simulate.supervision import Supervisor

PIPE_WIDTH: Final = 120
STDOUT, STDERR = 1, 2

supervisors: list[Supervisor] = []
"""The supervisor of the command that runs, once it does."""


def behave_as_a_command() -> None:
    """Writes to terminals that know few characters, or to none."""
    for descriptor, name in ((STDOUT, "stdout"), (STDERR, "stderr")):
        if getattr(sys, name) is None:
            # To write to what is closed fails, as it should; what is opened later must not take its place.
            os.dup2(os.open(os.devnull, os.O_RDONLY), descriptor)
            setattr(sys, name, open(descriptor, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def result() -> TextIO:
    """The stream that takes the result of the command."""
    return supervisors[-1].result if supervisors else sys.stdout


@contextmanager
def page(out: Path | None) -> Iterator[Console]:
    """Where a report for people is printed: the terminal, or a file."""
    from rich.console import Console

    class Page(Console):
        def on_broken_pipe(self) -> None:
            raise  # noqa: PLE0704 the error that is handled: Rich would end the command with status 1

    stream = io.StringIO() if out else result()
    with writing(out):
        on_terminal = out is None and bool(supervisors) and supervisors[-1].shows_on_terminal
        yield Page(file=stream, force_terminal=on_terminal or None, width=None if on_terminal else PIPE_WIDTH)
        stream.flush()
    if isinstance(stream, io.StringIO):
        write(stream.getvalue().rstrip("\n"), out)


def write(text: str, out: Path | None) -> None:
    """Write a whole result, and a line's end.

    Raises:
        Unwritable: it cannot be written there.
    """
    if out is not None and (link := _leading_out(out)) is not None:
        raise Unwritable(f"{out} cannot be written: {link} is a link that leads out of the project")
    with writing(out):
        if out is None:
            print(text, file=result(), flush=True)
        else:
            out.write_text(f"{text}\n", encoding="utf-8", errors="replace")


def _leading_out(out: Path) -> Path | None:
    """Return a link on the way to a file that leads out of the repository or project that has the link, if any does.

    A change under review may hold such a link. Links outside of projects, such as /dev/stdout, are the machine's own.
    """
    whole = out.absolute()
    for link in (whole, *whole.parents):
        if link.is_symlink():
            home = next((folder for folder in link.parents if _is_project(folder)), None)
            if home is not None and not link.resolve().is_relative_to(home.resolve()):
                return link
    return None


def _is_project(folder: Path) -> bool:
    return any((folder / name).exists() for name in (".git", "Pulumi.yaml", "Pulumi.yml"))


@contextmanager
def writing(out: Path | None) -> Iterator[None]:
    """Turn what keeps a report from being written into an error, and leave no half of a report in a file."""
    try:
        yield
    except OSError as error:
        if out is None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)  # what is left in the buffer has nowhere to go
        elif out.is_file():
            with suppress(OSError):
                os.truncate(out, 0)
        where = out or "standard output"
        raise Unwritable(f"{where} cannot be written: {(error.strerror or 'unknown error').lower()}") from None


def refused(message: str) -> int:
    """Show a person why there is no result, and return the status for that."""
    from penstock.report.wording import harmless_lines

    with suppress(OSError):  # standard error may be full, too
        print(harmless_lines(message), file=supervisors[-1].messages if supervisors else sys.stderr)
    return 2
