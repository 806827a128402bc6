"""The search for cycles among objects, which costs a short command an eighth of its time and finds next to nothing."""

from __future__ import annotations

import gc
from typing import Final

_OBJECTS_OF_MOST_RUNS: Final = 1_000_000
"""Objects that are made and not let go before the first search: imports and registrations make many that live on."""


def search_rarely() -> None:
    """Search for cycles only where a program makes more objects than nearly all do."""
    gc.set_threshold(_OBJECTS_OF_MOST_RUNS, 50, 100)


def search_no_more() -> None:
    """End a process without a last search of all that it leaves behind."""
    gc.freeze()
