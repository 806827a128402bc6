"""The command `penstock mcp`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer

from penstock.cli.cost import CostFormat, cost
from penstock.cli.diff import diff
from penstock.cli.exit import exit_with, status_of
from penstock.cli.explain import ExplanationFormat, explain
from penstock.cli.options import HERE, Format
from penstock.cli.output import write
from penstock.cli.rehearse import rehearse
from penstock.cli.review import reviewed
from penstock.cli.running import errors_in, handed_over
from penstock.cli.size import SizeFormat, rendered
from penstock.core.distribution import install_command
from penstock.core.errors import MissingExtra, NotAProject

LONGEST_RUN_S: Final = 180.0
"""The time after which a run is ended: a program in an endless loop would block all that follow."""


def mcp(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", show_default=False, help="The folder that the server is confined to.")
    ] = HERE,
) -> None:
    """Serve coding assistants by the Model Context Protocol, on standard input and output. Reads only."""
    if find_spec("mcp") is None:
        raise MissingExtra(f"penstock mcp needs the MCP SDK, which is not installed: {install_command('mcp')}")
    if not Path(folder).is_dir():
        raise NotAProject(f"{folder} is not a folder")
    os.chdir(folder)
    from penstock.app.warm_up import warm_up
    from penstock.simulate.warm import WarmProcess

    warm = WarmProcess(run_command, warm_up)  # before there is a second thread: what forks has one
    from penstock.mcp_server.server import create_server

    try:
        create_server(warm, Path.cwd()).run("stdio")
    finally:
        warm.close()


def run_command(name: str, options: str) -> NoReturn:
    """Run a command with options in JSON, and end the process with its exit status; its report is JSON, too."""
    handed_over.append(Format.JSON.value)
    exit_with(status_of(partial(_COMMANDS[name], **json.loads(options))))


def _size(options: dict[str, str]) -> None:
    with errors_in(Format.JSON, "", None, command="size"):
        from penstock.app.plan import plan

        write(rendered(plan(options), SizeFormat.JSON, None), None)


def _review(env: str, base: str) -> None:
    with errors_in(Format.JSON, env, None, command="review"):
        from penstock.report.review import rendered as rendered_review

        write(rendered_review(reviewed(env, base, None, ("json",), timeout=LONGEST_RUN_S), "json"), None)


_COMMANDS: Final[dict[str, Callable[..., Any]]] = {
    "rehearse": partial(rehearse, format_=Format.JSON, timeout=LONGEST_RUN_S),
    "diff": partial(diff, format_=Format.JSON, timeout=LONGEST_RUN_S),
    "review": _review,
    "cost": partial(cost, format_=CostFormat.JSON, timeout=LONGEST_RUN_S),
    "size": _size,
    "explain": partial(explain, format_=ExplanationFormat.JSON),
}
