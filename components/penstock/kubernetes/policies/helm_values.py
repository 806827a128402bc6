"""The values of a Helm release, however deep, for a chart's objects are not seen before it is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from penstock.graph.values import MAPPING, PLAIN, Unknown
from penstock.graph.view import Site, View


class Entry(NamedTuple):
    """One value with its key and its whole path, known or not."""

    path: str
    key: str
    value: Any


def value_entries(release: View) -> tuple[Entry, ...]:
    """Every value of a release, and every value inside it; what is secret is not looked into.

    Raises:
        NotKnown: all of them are unknown or secret.
    """
    known = release.site.once(_known_entries)
    if release.urn not in known:
        known[release.urn] = tuple(entries_below(release.value("values"), "values", "values"))
    return known[release.urn]


def _known_entries(_: Site) -> dict[str, tuple[Entry, ...]]:
    """The entries of each release that a rule has asked for: most rules of charts ask for all."""
    return {}


def has_files(release: View) -> bool:
    """Return whether values come from files, too, which are not looked into."""
    return release.value("valueYamlFiles") not in (None, [])


def has_unknown(entries: Iterable[Entry]) -> bool:
    """Return whether a value is unknown, and with it all that may be inside it."""
    return any(isinstance(entry.value, Unknown) for entry in entries)


def entries_below(value: Any, path: str, key: str) -> Iterator[Entry]:
    """A value, and every value inside it, with the names that identify them."""
    yield Entry(path, key, value)
    if isinstance(value, PLAIN):
        return
    if isinstance(value, MAPPING):
        called = value.get("name")
        for name, inner in value.items():
            key_of = called if name == "value" and isinstance(called, str) else name  # as variables are written
            yield from entries_below(inner, f"{path}.{name}", key_of)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from entries_below(item, f"{path}[{index}]", key)
