"""The command line: parses, calls, prints. Exit 0 is fine, 1 means findings that block, 2 bad input."""

from __future__ import annotations

import gc
import io
import signal
import sys
import time
from contextlib import redirect_stdout
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from penstock.errors import InvalidDescription, PenstockError, Unwritable

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="AI infrastructure with Pulumi, rehearsed before it is provisioned.",
)

_PIPE_WIDTH = 120


class Format(StrEnum):
    """How a result is written."""

    TEXT = "text"
    JSON = "json"


Env = Annotated[str, typer.Argument(metavar="ENV", help="A stack, its file, or a folder with a Pulumi program.")]
Stack = Annotated[str | None, typer.Option(help="The stack, when ENV is a folder.")]
AsFormat = Annotated[Format, typer.Option("--format", help="For people or for machines.")]
Out = Annotated[Path | None, typer.Option(help="Write to this file instead of the terminal.")]
Unknown = Annotated[bool, typer.Option("--unknown", help="Leave computed values unknown, as a preview does.")]


@app.command()
def rehearse(
    env: Env, stack: Stack = None, format_: AsFormat = Format.TEXT, out: Out = None, *, unknown: Unknown = False
) -> None:
    """Run the whole `pulumi up` of ENV against simulated clouds. Nothing is created, and no credentials are needed."""
    from penstock.rehearsal.environment import find
    from penstock.report import overview
    from penstock.report.progress import counting

    started = time.perf_counter()
    try:
        environment = find(env, stack)
        with counting(environment.stack) as progress, redirect_stdout(sys.stderr):  # a program may print
            rehearsal = environment.rehearse(preview=unknown, progress=progress)
    except PenstockError as error:
        if format_ is Format.JSON:
            from penstock.report import json

            _write(json.render_findings(error.findings, environment=env), out)
        raise
    whole = overview.of(rehearsal, environment=environment.stack, cloud=environment.cloud)
    if format_ is Format.JSON:
        from penstock.report import json

        _write(json.render(whole), out)
    else:
        from rich.console import Console

        from penstock.report import terminal

        page = io.StringIO() if out else sys.stdout
        console = Console(file=page, width=None if page.isatty() else _PIPE_WIDTH)
        terminal.show(whole, console, seconds=time.perf_counter() - started)
        if isinstance(page, io.StringIO):
            _write(page.getvalue().rstrip("\n"), out)
    raise typer.Exit(0 if whole.ok else 1)


@app.command()
def schema(out: Out = None) -> None:
    """Print the JSON Schema of a stack file, with which editors complete and check it."""
    import json

    from penstock import spec

    _write(json.dumps(spec.json_schema(), indent=2), out)


def main() -> None:
    """The `penstock` command: what a person can mend is told in words, never by a traceback."""
    # Imports and registrations make many objects that live to the end and few cycles: frequent collections find next to
    # nothing in a command this short, and cost an eighth of its time.
    gc.set_threshold(50_000, 50, 100)
    _behave_as_a_command()
    try:
        app()
    except InvalidDescription as invalid:
        count = len(invalid.findings)
        _tell(f"{invalid}\n\n{count} {'problem' if count == 1 else 'problems'}. Nothing was created.")
    except PenstockError as error:
        _tell(str(error))


def _behave_as_a_command() -> None:
    """Ends quietly when a pipe is closed, and writes to terminals that know few characters."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _write(text: str, out: Path | None) -> None:
    if out is None:
        print(text)
        return
    try:
        out.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise Unwritable(f"{out} cannot be written: {(error.strerror or 'unknown error').lower()}") from None


def _tell(message: str) -> None:
    print(message, file=sys.stderr)
    sys.exit(2)
