"""Waiting in tests: until something is so, for as long as a busy machine needs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

LONGEST_S: Final = 600
"""The time after which a test gives up what never comes. Nothing is expected to take a part of it."""

_STEP_S: Final = 0.02
_TIMEOUTS_S: Final = (3, 12, 48, 192)


def becomes(true: Callable[[], bool]) -> bool:
    """Return whether something becomes true, as soon as it does."""
    deadline = time.monotonic() + LONGEST_S
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(_STEP_S)
    return True


def timeouts() -> Iterator[int]:
    """Timeouts for a command whose program must begin before it is ended, each four times the one before.

    A test tries the next one while the program has not begun, so that it is quick, and right on a busy machine.
    """
    yield from _TIMEOUTS_S
