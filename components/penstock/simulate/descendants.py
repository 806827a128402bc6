"""The processes that a program starts: none of them outlives its rehearsal.

A daemon leaves its session and its parent on purpose, so that no group of processes has it. Linux hands it to the
nearest ancestor that adopts such processes (PR_SET_CHILD_SUBREAPER, prctl(2)), and shows who descends from whom in
/proc. Elsewhere only the processes end that stay in the session of the program.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

_PROCESSES: Final = Path("/proc")
_PR_SET_CHILD_SUBREAPER: Final = 36
_LONGEST_S: Final = 5.0
"""A program that starts processes faster than they can be ended shall not keep the command."""


class _Process(NamedTuple):
    number: int
    parent: int
    session: int


def adopt() -> None:
    """Let this process inherit descendants whose parents end before them, where the system can do that."""
    if sys.platform == "linux":
        import ctypes  # costs a few milliseconds, which other systems need not spend

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_descendants(spared_session: int) -> None:
    """End all that descends from this process, but what is in a session that no program of it can be in.

    A shell may leave processes of its own to the command that it becomes: these are in the session of the command.
    """
    deadline = time.monotonic() + _LONGEST_S
    while _has_children() and time.monotonic() < deadline:
        found = _descendants(spared_session)
        if not found:
            return
        for number in found:
            with suppress(OSError):
                os.kill(number, signal.SIGKILL)
        for number in found:
            with suppress(OSError):
                os.waitpid(number, os.WNOHANG)  # one that has ended would be found again
        time.sleep(0.005)


def _has_children() -> bool:
    """Return whether there is anything to look for: in most runs there is not, and to read /proc takes its time."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _descendants(spared_session: int) -> list[int]:
    children: dict[int, list[_Process]] = defaultdict(list)
    for process in _processes():
        children[process.parent].append(process)
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        below = [each.number for each in children[waiting.pop()] if each.session != spared_session]
        found += below
        waiting += below
    return found


def _processes() -> list[_Process]:
    """Every process that has not ended; none where the system does not show them."""
    found: list[_Process] = []
    with suppress(OSError):
        for entry in os.listdir(_PROCESSES):  # noqa: PTH208 a Path for each is as slow as the reading
            if entry.isdecimal():
                with suppress(OSError, ValueError):
                    # A name in brackets may have spaces and brackets in it (proc_pid_stat(5)).
                    fields = (_PROCESSES / entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                    found.append(_Process(int(entry), int(fields[1]), int(fields[3])))
    return found
