"""Things that a program names and does not create, by the table `named` of a provider: roles, networks, keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from penstock.catalog.records import records
from penstock.graph.view import Site
from penstock.preconditions import need
from penstock.preconditions.precondition import Precondition
from penstock.preconditions.texts import GivenText, created_texts, given_texts, names_in

Placeholders = Callable[[Site, GivenText], Mapping[str, str]]
"""Returns what else a command of the table needs to know: the region or the project."""

_GROUP = re.compile(r"\(\?P<\w+>")
_NAMING = ("name", "prefix", "service")
"""Groups of a form that a resource of the program may be called by; an `address` is one that it may answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedThing:
    """A form of text that names a thing of the cloud.

    Attributes:
        kind: The id of the kind of preconditions.
        within: Tokens of the types and functions that it is read from, which may end in `*`; none for all.
        property: The property that it is read from, with dots between keys; `*` for any of any token.
        form: The form, whose groups the templates name.
        created_by: The types whose resources create such a thing.
        what: The template of the precondition's thing; `why` and `how` likewise.
    """

    kind: str
    within: tuple[str, ...]
    property: str
    form: re.Pattern[str]
    created_by: tuple[str, ...]
    what: str
    why: str
    how: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


class _Table(NamedTuple):
    """The forms by the property that they are read from, those of any property, and whether a text has one of these."""

    by_last_key: Mapping[str, list[NamedThing]]
    anywhere: list[NamedThing]
    some: re.Pattern[str]


def named_things(provider: str) -> tuple[NamedThing, ...]:
    """Return the rows of a provider's table."""
    return records(NamedThing, f"{provider}/named")


def missing_things(
    site: Site, provider: str, placeholders: Placeholders, public: Container[str] = ()
) -> Iterator[Precondition]:
    """Yield what a program names by the forms of a provider, and neither creates nor gets from a look-up.

    `public` has the names of what is there for everybody.
    """
    table = _table(provider)
    created = _created_names(site, provider)
    seen: set[str] = set()
    for given in given_texts(site):
        rows = _rows_under(provider, given.token, given.path.rpartition(".")[2])
        if given.text not in seen:
            seen.add(given.text)
            if table.some.fullmatch(given.text):
                rows = [*rows, *(row for row in table.anywhere if _is_within(row, given.token))]
        for row in rows:
            found = row.form.fullmatch(given.text) if _is_at(row, given.path) else None
            if found is None:
                continue
            groups = {key: value for key, value in found.groupdict().items() if value is not None}
            names = {given.text, *(groups[key] for key in _NAMING if key in groups)}
            answered = created_texts(site)
            if given.text in answered or groups.get("address") in answered or groups.get("name") in public:
                continue
            if names.isdisjoint(created[row.created_by]):
                words = {**placeholders(site, given), **groups, "text": given.text}
                yield Precondition(
                    row.what.format_map(words),
                    row.why.format_map(words),
                    row.how.format_map(words),
                    given.urn,
                    need.named(row.kind, words),
                )


@cache
def _rows_under(provider: str, token: str, key: str) -> list[NamedThing]:
    """The forms of a property of a type or a function: of most it has none, and a platform gives thousands."""
    return [row for row in _table(provider).by_last_key.get(key, ()) if _is_within(row, token)]


def _is_at(row: NamedThing, path: str) -> bool:
    return row.property in ("*", path) or path.endswith(f".{row.property}")


def _is_within(row: NamedThing, token: str) -> bool:
    return not row.within or any(
        token.startswith(each[:-1]) if each.endswith("*") else token == each for each in row.within
    )


def _created_names(site: Site, provider: str) -> dict[tuple[str, ...], frozenset[str]]:
    """What the program's resources may be called by, for each set of types that create a kind of thing."""
    sets = {row.created_by for row in named_things(provider)}
    return {types: frozenset().union(*(names_in(view.resource) for view in site.of_type(*types))) for types in sets}


@cache
def _table(provider: str) -> _Table:
    by_last_key: dict[str, list[NamedThing]] = {}
    for row in named_things(provider):
        by_last_key.setdefault(row.property.rpartition(".")[2], []).append(row)
    anywhere = by_last_key.pop("*", [])
    some = "|".join(f"(?:{_GROUP.sub('(?:', row.form.pattern)})" for row in anywhere)
    return _Table(by_last_key, anywhere, re.compile(some))
