"""A limit on the time that a rule of a user's own may take, wherever it runs."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer, get_ident


class TimeLimitExceeded(BaseException):
    """A rule has taken too long. No `Exception`, so that a rule which catches everything cannot catch it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeLimitExceeded` in this thread if what is inside takes longer than `seconds`.

    Python code is interrupted between two instructions, in any thread and on any system; a call that never returns to
    Python, such as a blocked socket, is not.
    """
    thread, lock = get_ident(), Lock()
    finished = False

    def interrupt() -> None:
        with lock:
            if not finished:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeLimitExceeded))

    timer = Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            finished = True
        timer.cancel()
