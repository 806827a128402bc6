"""A command in a process of its own, watched by the one that a person started: no command ends without a verdict.

A program may end the process that rehearses it (`os._exit`, a crash, the kernel for want of memory), or never end. The
parent therefore waits for the child's verdict, and reports its absence. Both die together, and leave no folder behind.

The child keeps its result in memory until the program is over, and then sends it sealed (`sealed_result`): there are
never two results, and nothing that a program writes is taken for one. Whatever the program prints, by then or later,
goes to standard error. The child leads a session of its own, so that the processes which it has started end with it,
and those that leave the session end, too, where the system hands them over (`descendants`).
"""

from __future__ import annotations

import faulthandler
import io
import os
import re
import signal
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import BinaryIO, Final, NoReturn, TextIO

from penstock.core.errors import Unfinished, Unwritable
from penstock.simulate import descendants, sealed_result, temporary

_STDOUT: Final = 1
_STDERR: Final = 2
_GRACE_S: Final = 5.0
"""The time to clean up in, after which a process that was asked to end is killed."""

_INTERRUPTED: Final = 130
"""The status of a command that Ctrl-C ended, as shells have it."""

_NO_RESULT: Final = 2
_STARVED: Final = 255
"""The verdict of a child that can open no more files, and so can write no report."""

_LEAST_FILES: Final = 8

_STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LEFT_ALONE: Final = (
    "SIGKILL SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGCONT SIGCHLD SIGWINCH SIGURG "
    "SIGPIPE SIGXFSZ SIGSEGV SIGBUS SIGFPE SIGILL"
)
"""Signals that end no process, that nothing can take, or that a fault of the process itself sends."""
_FRAME: Final = re.compile(r'^  File "(?P<file>/.+)", line (?P<line>\d+)', re.MULTILINE)
_LIBRARY: Final = re.compile(r"/site-packages/|/lib/python\d+\.\d+/")
"""Part of the paths of what no program has written, also with another Python than this one."""

_LIBRARIES: Final = tuple(f"{sysconfig.get_paths()[name]}/" for name in ("stdlib", "platstdlib"))
_PENSTOCK: Final = f"{Path(__file__).parents[1]}/"


_supervised: list[int] = []
"""This process, if it is one that works for a command alone."""

_frames: list[int] = []
"""In such a process, the descriptor for the frames of a program that is late."""


def is_supervised() -> bool:
    """Return whether this process runs a program for a command, and nothing else after it."""
    return bool(_supervised)


def frames_descriptor() -> int | None:
    """Return the descriptor that takes the frames of a program that is late, in a process that works for a command."""
    return _frames[-1] if _frames else None


def ended_early(status: int) -> Unfinished:
    """Return the error for a process that ended with a status, less than 0 for a signal, before there was a result."""
    if status < 0:
        name = _name(-status)
        why = "; the system does so where memory runs out" if name == "SIGKILL" else ""
        return Unfinished(f"the process of the command was killed by {name} before it had a result{why}")
    return Unfinished(
        f"the program ended the whole process with status {status} before there was a result, as os._exit does; "
        "sys.exit, or the end of the program, lets the rehearsal finish"
    )


class Stopped(KeyboardInterrupt):
    """A signal asks the command to end. A KeyboardInterrupt, which nothing takes for an error of the program."""


@dataclass
class Supervisor:
    """One command. `in_child` continues it in a child process; `leave` ends that with a verdict."""

    _send: sealed_result.Send | None = None
    """In the child, the way of its result."""
    _session: int = 0
    """The session of the parent, which nothing that the program starts can be in."""
    _result: io.TextIOWrapper | None = None
    _messages: TextIO | None = None
    _cause: int | None = None
    """The signal that asked the command to end."""
    _is_late: bool = False
    _shows_on_terminal: bool = False

    @property
    def is_child(self) -> bool:
        """True in the process that does the work."""
        return self._send is not None

    @property
    def result(self) -> TextIO:
        """The stream that takes the result, which no thread of the program prints to."""
        return self._result or sys.stdout

    @property
    def messages(self) -> TextIO:
        """The stream that takes what a person shall read besides."""
        return self._messages or sys.stderr

    @property
    def shows_on_terminal(self) -> bool:
        """True if the result is for a terminal, also where it takes its way there through memory."""
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
        self._session = os.getsid(0)
        send, receive = sealed_result.channel()
        frames = tempfile.TemporaryFile()  # noqa: SIM115 both processes have it to their ends
        lifeline, held = os.pipe()
        descendants.adopt()
        # Until each process has its own handlers, a signal waits: else both would take it, or only one.
        signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
        child = os.fork()
        if child == 0:
            os.close(held)
            self._begin(send, frames, lifeline)
            return
        os.close(lifeline)
        status = self._wait(child, timeout_s)
        with suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        descendants.end_descendants(self._session)
        temporary.remove_abandoned()
        with suppress(Unfinished) if self._cause is not None else nullcontext():
            if (received := receive()) is not None:
                if received[0] == _STARVED:
                    raise Unfinished("the program left no room for open files, which the report takes; it may have "
                                     "lowered RLIMIT_NOFILE, or opened files without end")  # fmt: skip
                _show(received[1])
                sys.exit(received[0])
        if self._cause == signal.SIGINT:
            sys.stderr.write("\nInterrupted. Nothing was created.\n")
            sys.exit(_INTERRUPTED)
        frames.seek(0)
        raise self._unfinished(status, frames.read().decode(errors="replace"), timeout_s)

    @contextmanager
    def program(self) -> Iterator[None]:
        """While a program runs, send what it prints, and what the commands print that it calls, to standard error.

        In a child process, what it has started ends with it, and no more is shown of what its threads print: the
        stream from before does not come back, which would show their secrets.
        """
        before = sys.stdout
        before.flush()
        kept = os.dup(_STDOUT)
        os.dup2(_STDERR, _STDOUT)
        sys.stdout = sys.stderr
        try:
            yield
        finally:
            sys.stdout.flush()
            if self.is_child:
                self._end_program()
            else:
                sys.stdout = before
            os.dup2(kept, _STDOUT)
            os.close(kept)

    def leave(self, status: int) -> NoReturn:
        """End the command with a status; in a child, at once and whatever threads the program left running."""
        if self._send is None or self._result is None:
            sys.exit(status)
        with suppress(OSError, ValueError):
            self.messages.flush()
        descendants.end_descendants(self._session)
        if self._cause is not None:
            signal.signal(self._cause, signal.SIG_DFL)
            os.kill(os.getpid(), self._cause)
        self._result.flush()
        buffer = self._result.buffer
        try:
            self._send(status, buffer.getvalue() if isinstance(buffer, io.BytesIO) else b"")
        except OSError as error:  # the parent reports that there is no verdict
            with suppress(OSError, ValueError):
                print(f"temporary files cannot be written: {error.strerror}", file=self.messages, flush=True)
            os._exit(_NO_RESULT)
        os._exit(status)

    # ------------------------------------------------------------------ the child

    def _begin(self, send: sealed_result.Send, frames: BinaryIO, lifeline: int) -> None:
        os.setsid()
        descendants.adopt()
        self._shows_on_terminal = sys.stdout.isatty()
        self._send = send
        _supervised.append(os.getpid())
        self._result = io.TextIOWrapper(io.BytesIO(), encoding=sys.stdout.encoding, errors="replace", newline="")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        sys.stdout = sys.stderr
        for number in _STOPPING:
            signal.signal(number, self._stop)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)
        faulthandler.register(signal.SIGUSR1, file=frames, all_threads=True)
        _frames.append(frames.fileno())
        threading.Thread(target=self._end_with_parent, args=(lifeline,), daemon=True).start()

    def _end_with_parent(self, lifeline: int) -> None:
        """Wait until the parent is gone, which alone holds the other end of the pipe; then end this process."""
        os.read(lifeline, 1)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_GRACE_S)
        descendants.end_descendants(self._session)
        os.killpg(0, signal.SIGKILL)

    def _end_program(self) -> None:
        descendants.end_descendants(self._session)
        if self._send is not None and not _has_room_for_files():
            self._send(_STARVED, b"")
            os._exit(_NO_RESULT)
        self._messages = sys.stderr
        # A file that stays open, since threads may print until the process ends.
        sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115

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
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(child, signal.SIGINT if number == signal.SIGINT else signal.SIGTERM)

        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        for number in _ending():
            signal.signal(number, on_signal)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)
        if timeout_s is not None:
            signal.setitimer(signal.ITIMER_REAL, timeout_s)
        _, status = os.waitpid(child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return status

    def _unfinished(self, status: int, said: str, timeout_s: float | None) -> Unfinished:
        if self._is_late:
            return Unfinished(f"the command did not end within {timeout_s:g} s (--timeout)", *_place(said))
        if self._cause is not None:
            return Unfinished(f"the command was ended by {_name(self._cause)} before it had a result")
        return ended_early(os.waitstatus_to_exitcode(status))


def _has_room_for_files() -> bool:
    """Return whether this process may open as many files as it takes to import and to write a report."""
    opened = []
    try:
        for _ in range(_LEAST_FILES):
            opened.append(os.dup(_STDERR))  # noqa: PERF401 those before one that fails are closed
    except OSError:
        return False
    finally:
        for descriptor in opened:
            os.close(descriptor)
    return True


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


def _show(result: bytes) -> None:
    try:
        sys.stdout.buffer.write(result)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is in the buffer has nowhere to go
        raise Unwritable(f"standard output cannot be written: {(error.strerror or 'unknown error').lower()}") from None


def _place(frames: str) -> tuple[str, int] | tuple[()]:
    """The innermost line of the program, or of a rule of its own, among what all threads were at."""
    return next(_places(frames), ())


def _places(frames: str) -> Iterator[tuple[str, int]]:
    here = Path.cwd()
    command = str(Path(sys.argv[0]).absolute())
    for frame in _FRAME.finditer(frames):
        file = frame["file"]
        if _LIBRARY.search(file) or file.startswith((*_LIBRARIES, _PENSTOCK)) or file == command:
            continue
        path = Path(file)
        yield str(path.relative_to(here) if path.is_relative_to(here) else path), int(frame["line"])
