"""Objects of operators, which no cluster has by itself: their kinds are many, and no SDK declares them."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.view import View
from penstock.kubernetes.policies.helm_values import Entry, entries_below


def operator_entries(it: View) -> Iterator[Entry]:
    """All that an object says beside its metadata, and every value inside it.

    Raises:
        NotKnown: all of its specification is unknown or secret.
    """
    for key in it:
        if key != "metadata":
            yield from entries_below(it.value(key), key, key)
