"""Arguments and variables by which training scripts learn where to save checkpoints."""

from __future__ import annotations

from functools import cache
from typing import Literal

from penstock.catalog.tables import rows


@cache
def checkpoint_options(form: Literal["argument", "variable"]) -> frozenset[str]:
    """The names, in small letters and with underscores in place of hyphens."""
    return frozenset(row["option"] for row in rows("kubernetes/checkpoint_options") if row["form"] == form)
