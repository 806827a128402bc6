"""The command `penstock language-server`."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

import typer

from penstock.cli.rehearse import rehearse
from penstock.cli.repetition import in_process
from penstock.core.distribution import install_command
from penstock.core.errors import MissingExtra

if TYPE_CHECKING:
    from penstock.simulate.warm import Command


def language_server() -> None:
    """Serve an editor: errors and fixes of stack files while they are typed, completion, and cost at the cursor."""
    from penstock.cli.watch import LONGEST_RUN_S

    raise typer.Exit(serve_editor(in_process(partial(rehearse, timeout=LONGEST_RUN_S))))


def serve_editor(command: Command) -> int:
    """Speak the Language Server Protocol on standard input and output, until the editor ends it; return the status.

    It is 0 after a shutdown, else 1, as the protocol demands.

    Raises:
        MissingExtra: the library for the protocol is not installed.
    """
    if find_spec("pygls") is None or find_spec("lsprotocol") is None:
        raise MissingExtra(f"penstock language-server needs pygls, which is not installed: {install_command('editor')}")
    from penstock.app.warm_up import warm_up
    from penstock.simulate.warm import WarmProcess

    warm = WarmProcess(command, warm_up)  # before there is a second thread: what forks has one
    from penstock.editor.server import create_server

    server = create_server(warm)
    try:
        server.start_io()
    finally:
        warm.close()
    return 0 if server.is_to_end else 1
