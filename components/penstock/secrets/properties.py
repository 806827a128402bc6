"""Properties of which it is known whether they are secret, whatever their names and values look like.

data/held_secrets.csv has those that hold secrets. data/harmless_tokens.csv has those that are called tokens and open
nothing: most of them identify a repeated request or a concurrent change.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from penstock.catalog.former_types import present
from penstock.catalog.tables import rows

_DATA = Path(__file__).parent / "data"
_INDEX = re.compile(r"\[\d+\]")


def holds_secrets(type_: str, path: str) -> bool:
    """Return whether the value at a path of a resource is secret, by itself or as a part of what is."""
    paths = paths_by_type("held_secrets").get(present(type_))
    if paths is None:
        return False
    here = f"{_INDEX.sub('', path)}."
    return any(here.startswith(f"{held}.") for held in paths)


def may_hold_secrets(type_: str) -> bool:
    """Return whether values of a resource are known to be secret."""
    return present(type_) in paths_by_type("held_secrets")


def is_harmless_token(type_: str, path: str) -> bool:
    """Return whether the value at a path of a resource is called a token, and is not a secret."""
    return _INDEX.sub("", path) in paths_by_type("harmless_tokens").get(present(type_), ())


@cache
def paths_by_type(table: str) -> Mapping[str, tuple[str, ...]]:
    """The paths that a table has, by type."""
    found: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for row in rows(table, _DATA):
        found[row["type"]] += (row["path"],)
    return found
