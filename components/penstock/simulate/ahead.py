"""Starts the interpreter of a program before most of Penstock is imported: it imports Pulumi meanwhile."""

from __future__ import annotations

from contextlib import suppress

from penstock.core.errors import PenstockError
from penstock.simulate.project import locate


def start_ahead(target: str, stack: str | None) -> None:
    """Start the interpreter of the program that a person means, if that is another than this one.

    What is wrong with the project is reported by what needs it.
    """
    with suppress(PenstockError):
        project, _ = locate(target, stack)
        interpreter = project.interpreter()
        if interpreter is not None:
            from penstock.simulate.host.process import start  # most programs need no other process

            start(interpreter)
