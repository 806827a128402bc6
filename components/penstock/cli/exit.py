"""The exit status of a command, and the end of its process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NoReturn

import typer

from penstock.cli.output import STDERR, refused, supervisors, writing
from penstock.cli.running import defect_of, message_of
from penstock.core import cycles
from penstock.core.errors import PenstockError, Unwritable


def exit_with(status: int) -> NoReturn:
    """End the process with a status, after its output is written."""
    try:
        with writing(None):
            if not sys.stdout.closed:  # the language server closes it with its connection
                sys.stdout.flush()
    except Unwritable as unwritable:
        status = refused(str(unwritable))
    try:
        if not sys.stderr.closed:
            sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDERR)  # Python would end with a status of its own
    if supervisors:
        supervisors[-1].leave(status)
    cycles.search_no_more()
    sys.exit(status)


def status_of(command: Callable[[], object]) -> int:
    """Run a command and return its exit status."""
    try:
        command()
    except SystemExit as end:  # how Typer ends every command
        return int(end.code or 0)
    except typer.Exit as end:  # of a command that Typer has not called
        return end.exit_code
    except PenstockError as error:
        return refused(message_of(error))
    except Exception as error:  # noqa: BLE001 whatever it is, it is no result
        return refused(str(defect_of(error)))
    return 0
