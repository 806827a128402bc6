"""Defaults of providers for properties that are not given: data/defaults.csv, with its sources.

A property that is missing is judged by what it then means: an EKS endpoint without ranges is open to the world, the one
of a node pool on GKE heals itself.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from penstock.catalog.records import Column, record
from penstock.catalog.tables import rows

_DATA = Path(__file__).parent / "data"
_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Default:
    """The default of a property, and its source."""

    value: Annotated[Any, Column(read=json.loads)]
    source: str
    as_of: str
    unverified: Annotated[bool, Column(read=bool)]


def of(type_: str, path: str) -> Default | None:
    """The default of a property by its whole path, indexes or not; None where nothing is known of one."""
    of_type = table().get(type_)
    return None if of_type is None else of_type.get(_INDEX.sub("[]", path))


@cache
def table() -> dict[str, dict[str, Default]]:
    """All defaults by path, by type token."""
    by_type: dict[str, dict[str, Default]] = {}
    for row in rows("defaults", _DATA):
        by_type.setdefault(row["type"], {})[row["path"]] = record(Default, "defaults", row)
    return by_type
