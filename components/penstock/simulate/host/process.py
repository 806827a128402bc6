"""The process in which a program runs with its own interpreter, and the way to it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from penstock.core.errors import UnusablePython
from penstock.simulate import supervision
from penstock.simulate.interpreter import Interpreter

_BOOTSTRAP: Final = Path(__file__).with_name("bootstrap.py")
_TO_SHOW_FRAMES_S: Final = 0.1


_started: dict[Interpreter, HostProcess] = {}
"""The processes that wait for a program, by what they run."""


def start(interpreter: Interpreter) -> None:
    """Start an interpreter for the next program that is to run with it."""
    _started[interpreter] = HostProcess(interpreter)


def process_of(interpreter: Interpreter) -> HostProcess:
    """The process that was started for an interpreter, or else another one."""
    return _started.pop(interpreter, None) or HostProcess(interpreter)


class HostProcess:
    """An interpreter that imports Pulumi, and waits for the program to run.

    `line` takes and gives messages, as lines of JSON; `output` is the descriptor of what the program prints.

    Raises:
        UnusablePython: the interpreter does not start.
    """

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.line, theirs = socket.socketpair()
        self.output, printed = os.pipe()
        frames = supervision.frames_descriptor()
        passed = [each for each in (theirs.fileno(), frames) if each is not None]
        try:
            self._process = subprocess.Popen(  # noqa: S603 it is the interpreter of the project
                [
                    str(interpreter.executable),
                    str(_BOOTSTRAP),
                    str(theirs.fileno()),
                    str(-1 if frames is None else frames),
                ],
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=printed,
                env=interpreter.variables(),
                pass_fds=passed,
            )
        except OSError as error:
            self.close()
            why = (error.strerror or "unknown error").lower()
            raise UnusablePython(f"{interpreter.executable} does not start: {why}") from None
        finally:
            theirs.close()
            os.close(printed)

    def wait(self) -> int:
        """Wait for the end of the process; return its status, less than 0 for the signal that ended it."""
        return self._process.wait()

    def show_frames(self) -> None:
        """Let the process write where the program is to the file of the supervisor."""
        if supervision.frames_descriptor() is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGUSR1)
            time.sleep(_TO_SHOW_FRAMES_S)

    def end(self) -> None:
        """End the process, whatever it does."""
        with suppress(OSError):
            self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close the ways to the process, which nothing listens to any more."""
        self.line.close()
        os.close(self.output)
