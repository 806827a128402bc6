"""Whether a rehearsal runs the program."""

from __future__ import annotations

import os
from typing import Final

_REHEARSAL: Final = "PENSTOCK_REHEARSAL"
"""The environment variable that is set while a program is rehearsed."""


def is_rehearsal() -> bool:
    """Return whether a rehearsal runs the program: its verdict is the same on every machine, so it reads no file."""
    return _REHEARSAL in os.environ
