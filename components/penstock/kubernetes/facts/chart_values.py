"""The keys that pinned charts read among the values of a release: Helm itself takes any other without a word.

A table for each chart at its version, made by `tools.chart_values`. A row is a key at the top and, as text, the keys
below it:

    image           {pullPolicy repository tag:string}    these; the chart's schema takes text for tag
    nodeSelector    *                                     whatever somebody likes
    server          ~{ha{enabled} image}                  these, and names that templates look up in what they are given
    crds            !{enabled keep}                       these, and the chart's schema refuses others
    .               ~ affinity component                  the values as a whole, and the names that templates look up
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from penstock.catalog.tables import path_of, rows
from penstock.kubernetes.facts.charts import Chart

ROOT = "."
"""The row of a table about the values as a whole."""

_TOKEN = re.compile(r"[^\s{}]+|[{}]")
_TYPES = re.compile(r"[a-z|]+")
_MARKS = ("~", "*", "!")


@dataclass(frozen=True, slots=True)
class ValueKey:
    """What a chart reads at one place of its values.

    Attributes:
        below: the keys that it reads there; none where the value is taken as a whole.
        takes_any: the value is a map of whatever somebody likes.
        takes_names: beside those in `below`, the keys in `ValueKeys.names`.
        is_closed: the chart's schema refuses other keys than those in `below`.
        types: those that the chart's schema takes; none where it says nothing.
    """

    below: Mapping[str, ValueKey] = field(default_factory=dict)
    takes_any: bool = False
    takes_names: bool = False
    is_closed: bool = False
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueKeys:
    """All that a chart reads; `names` are what its templates look up in maps that they were given."""

    root: ValueKey
    names: frozenset[str]

    def reads(self, place: ValueKey, key: str) -> bool:
        """Return whether a key at a place is read."""
        return key in place.below or place.takes_any or (place.takes_names and key in self.names)

    def paths(self) -> Iterator[tuple[str, ...]]:
        """The path of each key that is known by its place."""
        yield from _paths(self.root, ())


def keys_of_chart(chart: Chart) -> ValueKeys | None:
    """What a pinned chart reads; None where its values have not been seen."""
    return _keys(table_of(chart))


def table_of(chart: Chart) -> str:
    """The name of the table of a chart's keys."""
    return f"kubernetes/chart_values/{chart.name}-{chart.version}"


def written(name: str, key: ValueKey) -> str:
    """A key as the text that `read` takes."""
    types = f":{'|'.join(key.types)}" if key.types else ""
    below = " ".join(written(each, inner) for each, inner in sorted(key.below.items()))
    return f"{name}{types}{_mark(key)}" + (f"{{{below}}}" if below else "")


def read(text: str) -> ValueKey:
    """The key of a text in which it has no name."""
    return _level(_TOKEN.findall(f"it{text}"))["it"]


def written_root(root: ValueKey, names: frozenset[str]) -> str:
    """The text of the row `ROOT`."""
    return " ".join([*filter(None, [_mark(root)]), *sorted(names)])


@cache
def _keys(table: str) -> ValueKeys | None:
    if not path_of(table).exists():
        return None
    top = {row["key"]: row["below"] for row in rows(table)}
    names = top.pop(ROOT, "").split()
    root = ValueKey(_Unread(top), takes_names="~" in names, is_closed="!" in names)
    return ValueKeys(root, frozenset(names) - {"~", "!"})


class _Unread(Mapping[str, ValueKey]):
    """The keys at the top of a chart, of which a release sets few: each is read when somebody asks for it."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts, self._read = texts, dict[str, ValueKey]()

    def __getitem__(self, key: str) -> ValueKey:
        if key not in self._read:
            self._read[key] = read(self._texts[key])
        return self._read[key]

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


class _Below(Mapping[str, ValueKey]):
    """The keys of some tokens, which are read when somebody asks for one."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens

    @cached_property
    def _keys(self) -> dict[str, ValueKey]:
        return _level(self._tokens)

    def __bool__(self) -> bool:
        return bool(self._tokens)

    def __getitem__(self, key: str) -> ValueKey:
        return self._keys[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def _level(tokens: Sequence[str]) -> dict[str, ValueKey]:
    """The keys of some tokens, of which those within braces are left to be read."""
    found: dict[str, ValueKey] = {}
    at = 0
    while at < len(tokens):
        name, types, mark = _parts(tokens[at])
        end = _end_of_braces(tokens, at + 1)
        below = _Below(tokens[at + 2 : end - 1])
        found[name] = ValueKey(below, mark == "*", mark == "~", mark == "!", tuple(filter(None, types.split("|"))))
        at = end
    return found


def _end_of_braces(tokens: Sequence[str], at: int) -> int:
    """The place behind the braces that open at a place; the same place where none does."""
    depth, end = 0, at
    while end < len(tokens):
        depth += (tokens[end] == "{") - (tokens[end] == "}")
        if not depth:
            return end + (end > at)
        end += 1
    return end


def _parts(token: str) -> tuple[str, str, str]:
    """The name of a key, its types and its mark."""
    named, mark = (token[:-1], token[-1]) if token.endswith(_MARKS) else (token, "")
    name, _, types = named.rpartition(":")
    return (name, types, mark) if types != named and _TYPES.fullmatch(types) else (named, "", mark)


def _mark(key: ValueKey) -> str:
    return "*" if key.takes_any else "~" if key.takes_names else "!" if key.is_closed else ""


def _paths(place: ValueKey, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for name, key in place.below.items():
        yield (*path, name)
        yield from _paths(key, (*path, name))
