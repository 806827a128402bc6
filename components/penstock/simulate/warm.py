"""A process that has imported what commands need, and forks for each run of one: a run costs what the program costs.

It runs no program itself, so that each begins afresh. Between it and the program there is the process that supervises
every command (`supervision`): a program that never ends, or ends its process, is reported as anywhere. It has one
thread and leads a session of its own, so that forks are safe on every system, and Ctrl-C is for whoever started it.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, BinaryIO, Final, NoReturn

from penstock.core.errors import Unfinished
from penstock.simulate import run_notes, sealed_result
from penstock.simulate.run_notes import RunNote, expect_notes, read_note
from penstock.simulate.sdk_hooks import imports_on_demand, turned_off

_RUN, _STOP, _PREPARE = "run", "stop", "prepare"
_LONGEST_END_S: Final = 6.0
"""The time in which a run that is asked to end does so: a second more than its own supervisor grants."""

Arguments = tuple[str, ...]
Command = Callable[..., NoReturn]
"""Does the work of a command, and ends its process with the status of it."""


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run that has ended, by its number, and what it printed. `note` is None where it could send none."""

    number: int
    arguments: Arguments
    status: int
    result: str
    messages: str
    note: RunNote | None


@dataclass(frozen=True, slots=True)
class _Running:
    number: int
    arguments: Arguments
    result: BinaryIO
    messages: BinaryIO
    receive: sealed_result.Receive


class WarmProcess:
    """The process, seen from the one that it works for.

    `command` is what it runs with the arguments of each run; `prepare`, if there is one, is called between runs with
    those of a run, to fill caches by what is no code of the program. Both are called in other processes.

    Raises:
        UnknownHook: the environment has an unknown name of a hook into the SDK.
    """

    def __init__(self, command: Command, prepare: Callable[..., None] | None = None) -> None:
        turned_off()  # the other process could not report a wrong name
        self._line, theirs = Pipe()
        self._begun = 0
        sys.stdout.flush()
        sys.stderr.flush()
        self._process = os.fork()
        if self._process == 0:
            gc.freeze()  # finalizers of the starter's objects, such as a gRPC server's, wait for threads it alone has
            self._line.close()
            _Server(theirs, command, prepare).serve()
        theirs.close()

    def fileno(self) -> int:
        """The descriptor that can be read once a run has ended."""
        return self._line.fileno()

    def begin(self, *arguments: str) -> int:
        """Start a run beside those that are under way, and return its number."""
        self._begun += 1
        self._send(_RUN, self._begun, arguments)
        return self._begun

    def prepare(self, *arguments: str) -> None:
        """Let the process fill its caches for runs with these arguments."""
        self._send(_PREPARE, 0, arguments)

    def abandon(self) -> None:
        """End all runs that are under way. They are not reported."""
        self._send(_STOP, 0, ())

    def finished(self) -> FinishedRun:
        """Wait for the next run to end, and return it.

        Raises:
            Unfinished: the process itself has ended.
        """
        try:
            found: FinishedRun = self._line.recv()
        except (EOFError, OSError):
            raise _gone() from None
        return found

    def close(self) -> None:
        """End the process, and all that runs in it."""
        self._line.close()
        with suppress(ChildProcessError):
            os.waitpid(self._process, 0)

    def _send(self, what: str, number: int, arguments: Arguments) -> None:
        try:
            self._line.send((what, number, arguments))
        except OSError:
            raise _gone() from None


def _gone() -> Unfinished:
    return Unfinished("the process that rehearses was ended from outside, or had no memory left")


class _Server:
    """The process itself."""

    def __init__(self, line: Connection, command: Command, prepare: Callable[..., None] | None) -> None:
        self._line, self._command, self._prepare = line, command, prepare
        self._running: dict[int, _Running] = {}
        self._woken, self._wakes = os.pipe()
        os.set_blocking(self._wakes, False)

    def serve(self) -> NoReturn:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)  # standard output is the way of whoever started this process
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # the number of the signal is written to the pipe
        signal.set_wakeup_fd(self._wakes, warn_on_full_buffer=False)
        try:
            while True:
                ready = wait([self._line, self._woken])
                if self._woken in ready:
                    os.read(self._woken, 1024)
                    self._reap()
                if self._line in ready:
                    self._answer(*self._line.recv())
        except (EOFError, OSError):  # whoever started this process is gone
            self._end_runs()
            os._exit(0)

    def _answer(self, what: str, number: int, arguments: Arguments) -> None:
        if what == _RUN:
            self._fork(number, arguments)
        elif what == _STOP:
            self._end_runs()
        elif self._prepare is not None:
            self._prepare(*arguments)
            _settle()

    def _fork(self, number: int, arguments: Arguments) -> None:
        result, messages = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 open as long as the run
        send, receive = sealed_result.channel()
        process = os.fork()
        if process:
            self._running[process] = _Running(number, arguments, result, messages, receive)
            return
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._line.close()
        _print_to(result, messages)
        expect_notes(lambda content: send(0, content))
        try:
            self._command(*arguments)
        except SystemExit as end:
            with suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(int(end.code or 0))
        finally:  # a defect: its traceback is for nobody
            os._exit(2)

    def _reap(self) -> None:
        for process in list(self._running):
            ended, status = os.waitpid(process, os.WNOHANG)
            if not ended:
                continue
            run = self._running.pop(process)
            note = None
            with suppress(Unfinished, ValueError, TypeError):  # a note that is not ours is none
                received = run.receive()
                note = None if received is None else read_note(received[1])
            code = os.waitstatus_to_exitcode(status)
            result, messages = _content(run.result), _content(run.messages)
            self._line.send(FinishedRun(run.number, run.arguments, code, result, messages, note))
            if note is not None:
                _learn(note)

    def _end_runs(self) -> None:
        for process in self._running:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)
        deadline = time.monotonic() + _LONGEST_END_S
        while self._running and time.monotonic() < deadline:
            for process in list(self._running):
                if os.waitpid(process, os.WNOHANG)[0]:
                    del self._running[process]
            time.sleep(0.005)
        for process in self._running:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        self._running.clear()


def _print_to(result: BinaryIO, messages: BinaryIO) -> None:
    """Let the standard streams write to files, also where somebody has exchanged those that Python keeps."""
    python: Any = sys
    for descriptor, file, name in ((1, result, "stdout"), (2, messages, "stderr")):
        os.dup2(file.fileno(), descriptor)
        stream = open(descriptor, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
        setattr(python, name, stream)
        setattr(python, f"__{name}__", stream)


def _content(file: BinaryIO) -> str:
    with file:
        file.seek(0)
        return file.read().decode(errors="replace")


def _learn(note: RunNote) -> None:
    """Import what a run has imported of Penstock and of SDKs, for those to come."""
    missing = [name for name in note.modules if name not in sys.modules and run_notes.is_kept(name)]
    with imports_on_demand():
        for name in missing:
            with suppress(ImportError):
                import_module(name)
    if missing:
        _settle()


def _settle() -> None:
    """Wait until this process has one thread again, and keep the collector from what lives to the end."""
    while threading.active_count() > 1:
        time.sleep(0.001)
    gc.collect()
    gc.freeze()
