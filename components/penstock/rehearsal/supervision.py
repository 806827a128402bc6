"""A command in a process of its own, watched by the one that a person started: no command ends without a verdict.

A program may end the process that rehearses it (`os._exit`, a crash, the kernel for want of memory), or never end. The
parent therefore waits for the child's verdict, and reports its absence. Both die together, and leave no folder behind.

The child writes what it has to say into a file, which the parent shows once there is a verdict: there are never two
results, and a program finds no way to where the result goes. It leads a session of its own, so that the processes
which it has started end with it.
"""

from __future__ import annotations

import faulthandler
import os
import re
import shutil
import signal
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import BinaryIO, Final, NoReturn

from penstock.errors import Unfinished, Unwritable

_GRACE_S: Final = 5.0
"""The time to clean up in, after which a process that was asked to end is killed."""

_INTERRUPTED: Final = 130
"""The status of a command that Ctrl-C ended, as shells have it."""

_STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LEFT_ALONE: Final = (
    "SIGKILL SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGCONT SIGCHLD SIGWINCH SIGURG "
    "SIGPIPE SIGXFSZ SIGSEGV SIGBUS SIGFPE SIGILL"
)
"""Signals that end no process, that nothing can take, or that a fault of the process itself sends."""
_VERDICT: Final = re.compile(r"^verdict (\d+)$", re.MULTILINE)
_FRAME: Final = re.compile(r'^  File "(?P<file>/.+)", line (?P<line>\d+)', re.MULTILINE)
_LIBRARIES: Final = tuple(f"{sysconfig.get_paths()[name]}/" for name in ("stdlib", "platstdlib"))
_PENSTOCK: Final = f"{Path(__file__).parents[1]}/"


class Stopped(KeyboardInterrupt):
    """A signal asks the command to end. A KeyboardInterrupt, which nothing takes for an error of the program."""


@dataclass
class Supervisor:
    """One command. `in_child` continues it in a child process; `leave` ends that with a verdict."""

    _report: int | None = None
    """In the child, the pipe that takes the verdict."""
    _cause: int | None = None
    """The signal that asked the command to end."""
    _is_late: bool = False
    _shows_on_terminal: bool = False

    @property
    def is_child(self) -> bool:
        """True in the process that does the work."""
        return self._report is not None

    @property
    def shows_on_terminal(self) -> bool:
        """True if the result is for a terminal, also where it takes its way there through a file."""
        return self._shows_on_terminal or sys.stdout.isatty()

    @property
    def applies(self) -> bool:
        """False where a caller, such as a test, runs the command within its own process and reads its output there."""
        return sys.stdout is sys.__stdout__ and threading.active_count() == 1

    def in_child(self, timeout_s: float | None) -> None:
        """Return in a child process; in the parent, end with the child's verdict once there is one.

        Raises:
            Unfinished: the child has ended without a verdict, or had to be ended.
            Unwritable: the result cannot be shown.
        """
        if not self.applies:
            return
        sys.stdout.flush()
        sys.stderr.flush()
        reader, writer = os.pipe()
        lifeline, held = os.pipe()
        result = tempfile.TemporaryFile()  # noqa: SIM115 both processes have it to their ends
        child = os.fork()
        if child == 0:
            os.close(reader)
            os.close(held)
            self._shows_on_terminal = sys.stdout.isatty()
            os.dup2(result.fileno(), sys.stdout.fileno())
            result.close()
            self._begin(writer, lifeline)
            return
        os.close(writer)
        os.close(lifeline)
        status = self._wait(child, timeout_s)
        said = _said(reader)
        verdict = _VERDICT.search(said)
        if verdict is not None:
            _show(result)
            sys.exit(int(verdict[1]))
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        _remove_folders(child)
        if self._cause == signal.SIGINT:
            sys.stderr.write("\nInterrupted. Nothing was created.\n")
            sys.exit(_INTERRUPTED)
        raise self._unfinished(status, said, timeout_s)

    def leave(self, status: int) -> NoReturn:
        """End the command with a status; in a child, at once and whatever threads the program left running."""
        if self._report is None:
            sys.exit(status)
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                status = status or 2
        if self._cause is not None:
            signal.signal(self._cause, signal.SIG_DFL)
            os.kill(os.getpid(), self._cause)
        os.write(self._report, f"\nverdict {status}\n".encode())
        os._exit(status)

    # ------------------------------------------------------------------ the child

    def _begin(self, report: int, lifeline: int) -> None:
        os.setsid()
        self._report = report
        for number in _STOPPING:
            signal.signal(number, self._stop)
        faulthandler.register(signal.SIGUSR1, file=report, all_threads=True)
        threading.Thread(target=_end_with_parent, args=(lifeline,), daemon=True).start()

    def _stop(self, number: int, _: FrameType | None) -> None:
        self._cause = number
        for each in _STOPPING:
            signal.signal(each, signal.SIG_IGN)  # a second signal shall not interrupt the cleaning up
        raise Stopped

    # ------------------------------------------------------------------ the parent

    def _wait(self, child: int, timeout_s: float | None) -> int:
        """Wait for the child; end it when the time is over, and pass on signals."""

        def on_signal(number: int, _: FrameType | None) -> None:
            if number == signal.SIGALRM and self._cause is not None:
                os.kill(child, signal.SIGKILL)
                return
            if number == signal.SIGALRM and deadline is not None and time.monotonic() >= deadline:
                self._is_late = True
                os.kill(child, signal.SIGUSR1)
                time.sleep(0.1)  # it shows where it is before it begins to end
            if self._cause is None:
                self._cause = number
                signal.setitimer(signal.ITIMER_REAL, _GRACE_S)
            os.kill(child, signal.SIGINT if number == signal.SIGINT else signal.SIGTERM)

        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        for number in _ending():
            signal.signal(number, on_signal)
        if timeout_s is not None:
            signal.setitimer(signal.ITIMER_REAL, timeout_s)
        _, status = os.waitpid(child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return status

    def _unfinished(self, status: int, said: str, timeout_s: float | None) -> Unfinished:
        if self._is_late:
            return Unfinished(f"the rehearsal did not end within {timeout_s:g} s (--timeout)", *_place(said))
        if self._cause is not None:
            return Unfinished(f"the rehearsal was ended by {_name(self._cause)} before it had a result")
        if os.WIFSIGNALED(status):
            name = _name(os.WTERMSIG(status))
            why = "; the system does so where memory runs out" if name == "SIGKILL" else ""
            return Unfinished(f"the process of the rehearsal was killed by {name} before it had a result{why}")
        return Unfinished(
            f"the program ended the whole process with status {os.WEXITSTATUS(status)} before there was a result, as "
            "os._exit does; sys.exit, or the end of the program, lets the rehearsal finish"
        )


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"  # one of those for real time


def _ending() -> list[int]:
    """The signals that would end a process, but for those that whoever started it has turned off, as nohup does."""
    left = _LEFT_ALONE.split()
    known = (each for each in signal.valid_signals() if getattr(each, "name", "") not in left)
    return [int(each) for each in known if signal.getsignal(each) is not signal.SIG_IGN]


def _show(result: BinaryIO) -> None:
    try:
        result.seek(0)
        shutil.copyfileobj(result, sys.stdout.buffer)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is in the buffer has nowhere to go
        raise Unwritable(f"standard output cannot be written: {(error.strerror or 'unknown error').lower()}") from None


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that is gone when the command ends, however that may be."""
    return tempfile.TemporaryDirectory(prefix=_prefix(os.getpid()))


def _prefix(process: int) -> str:
    return f"penstock-{process}-"


def _remove_folders(process: int) -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_prefix(process)}*"):
        shutil.rmtree(folder, ignore_errors=True)


def _end_with_parent(lifeline: int) -> None:
    """Wait until the parent is gone, which alone holds the other end of the pipe; then end this process."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE_S)
    os.killpg(0, signal.SIGKILL)


def _said(reader: int) -> str:
    """All that the child wrote. A process that the program started may still hold the pipe: there is no end to it."""
    os.set_blocking(reader, False)
    said = b""
    try:
        while more := os.read(reader, 1 << 16):
            said += more
    except BlockingIOError:
        pass
    return said.decode(errors="replace")


def _place(frames: str) -> tuple[str, int] | tuple[()]:
    """The innermost line of the program, or of a rule of its own, among what all threads were at."""
    return next(_places(frames), ())


def _places(frames: str) -> Iterator[tuple[str, int]]:
    here = Path.cwd()
    command = str(Path(sys.argv[0]).absolute())
    for frame in _FRAME.finditer(frames):
        file = frame["file"]
        if "/site-packages/" in file or file.startswith((*_LIBRARIES, _PENSTOCK)) or file == command:
            continue
        path = Path(file)
        yield str(path.relative_to(here) if path.is_relative_to(here) else path), int(frame["line"])
