"""Positions in a description: the path of a field, and its line and column in the stack file."""

from __future__ import annotations

from typing import NamedTuple

from penstock.core.wording import shortened
from penstock.graph import source_block

Path = source_block.Path
"""A place in the description: field names, keys and list indices from the top."""

DEEPEST = 40
"""The longest path: levels of nesting beyond which nobody meant to write a description, which needs eight."""


class Place(NamedTuple):
    """A position in the stack file; both count from 1."""

    line: int
    column: int


def no_value(path: Path) -> str:
    """`storage has no value.`, for a key or a list item by itself."""
    last = path[-1]
    return f"{f'item {last + 1}' if isinstance(last, int) else shortened(last)} has no value."


def written(path: Path) -> str:
    """A path as people write it: `node_pools[0].labels['a b']`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part.replace("_", "").replace("-", "").isalnum():
            text += f".{shortened(part)}"
        else:
            text += f"[{shortened(part)!r}]"
    return text.removeprefix(".")
