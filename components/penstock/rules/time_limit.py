"""A limit on the time that code of a user's own may take, wherever it runs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from threading import Thread
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class TimeLimitExceeded(Exception):
    """The code has not ended in time."""


class _Abandoned(BaseException):
    """Ends the thread of code that is waited for no longer. No `Exception`, so that `except Exception` passes it on."""


def within(seconds: float, work: Callable[[], Answer]) -> Answer:
    """Run `work` in a thread of its own, and return what it returns.

    What has not ended in time is abandoned: a loop in Python is ended, and a call that waits, such as for a socket, is
    left to itself. A call into C that lets no other thread run cannot be left.

    Raises:
        TimeLimitExceeded: it has not ended in time.
        BaseException: whatever `work` raised, `SystemExit` too.
    """
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as error:  # noqa: BLE001 - the caller gets it
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        identity: Any = ctypes.c_ulong(thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(_Abandoned))
        raise TimeLimitExceeded
    if errors:
        raise errors[0]
    return answers[0]
