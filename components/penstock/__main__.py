"""The start of the command line, as `penstock` and as `python -m penstock`."""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import NoReturn

_STDERR = 2


def main() -> None:
    """Run the command. Ctrl-C counts from the first moment on: the command line itself takes a while to import."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else whoever started it has turned Ctrl-C off
        signal.signal(signal.SIGINT, _interrupted)
    from penstock import cli

    cli.main()


def _interrupted(_: int, __: FrameType | None) -> NoReturn:
    """End at once: nothing was begun, and an exception might be caught by whatever is being imported."""
    try:
        os.write(_STDERR, b"\nInterrupted. Nothing was created.\n")
    finally:
        os._exit(130)


if __name__ == "__main__":
    main()
