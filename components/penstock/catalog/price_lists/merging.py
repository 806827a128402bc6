"""Tables anew with what a vendor's file says; rows that the file does not speak of stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

Row = Mapping[str, str]

MACHINE_KEY: Final = ("machine_type", "region", "capacity")
"""The columns that distinguish the prices of machines of a cloud."""


def merged(
    shipped: Sequence[Row], fresh: Iterable[Row], key: Sequence[str], is_covered: Callable[[Row], bool]
) -> list[Row]:
    """The rows of a table anew.

    Args:
        shipped: The rows that are there; they keep their places.
        fresh: The rows of the vendor's file; a new one comes behind the others with the same first key column.
        key: The columns that distinguish rows.
        is_covered: Whether the file would have a shipped row if it were still true; it is dropped where it has not.
    """
    new = {tuple(row[column] for column in key): row for row in fresh}
    kept = []
    for row in shipped:
        found = new.pop(tuple(row[column] for column in key), None)
        if found is not None or not is_covered(row):
            kept.append(found or row)
    everything = [*kept, *new.values()]
    order = {first: place for place, first in enumerate(dict.fromkeys(row[key[0]] for row in everything))}
    return sorted(everything, key=lambda row: order[row[key[0]]])
