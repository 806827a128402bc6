"""Things of one's own that a look-up searches for by tags, filters or owner, by the table `searches` of a provider."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from penstock.catalog.conditions import RowCondition, applies, condition
from penstock.catalog.records import Column, records
from penstock.graph.graph import Lookup
from penstock.graph.view import Site
from penstock.preconditions.need import SearchNeed
from penstock.preconditions.precondition import Precondition

Placeholders = Callable[[Lookup], Mapping[str, str]]
"""Returns what else a command of the table needs to know: the region or the project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A function that fails where it finds nothing.

    Attributes:
        function: Its token.
        when: The argument by which it searches among one's own things.
        thing: The kind of thing that it finds, in words.
        how: The template of a command that shows whether there is one; `{filters}` are those of the look-up.
    """

    function: str
    when: Annotated[RowCondition | None, Column(read=condition)]
    thing: str
    how: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def things_searched_for(site: Site, provider: str, placeholders: Placeholders) -> Iterator[Precondition]:
    """Yield what the look-ups of a program search for, unless it belongs to a resource of the program."""
    searches: dict[str, list[Search]] = {}
    for search in records(Search, f"{provider}/searches"):
        searches.setdefault(search.function, []).append(search)
    for lookup in site.graph.lookups:
        for search in searches.get(lookup.token, ()):
            if applies(search.when, lookup.arguments) and not _is_of_the_program(site, lookup):
                words = {**placeholders(lookup), "filters": _filters(lookup.arguments)}
                yield Precondition(
                    f"{search.thing} that {lookup.token.rpartition(':')[2]} finds ({_asked(lookup.arguments)})",
                    "The look-up fails while there is none.",
                    search.how.format_map(words),
                    "",
                    SearchNeed(lookup.token, tuple(_filter_pairs(lookup.arguments)), words.get("region", "")),
                )


def _is_of_the_program(site: Site, lookup: Lookup) -> bool:
    """Return whether a look-up asks by the id of a resource of the program, such as for the subnets of its VPC."""
    return not site.once(_created_ids).isdisjoint(text for _, text in _pairs(lookup.arguments))


def _created_ids(site: Site) -> frozenset[str]:
    return frozenset(each.id for each in site.graph if each.custom and not each.external and isinstance(each.id, str))


def _asked(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={text}" for key, text in _pairs(arguments))


def _pairs(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is asked for, each with the key or the filter that it is asked by."""
    for key, value in arguments.items():
        if key == "filters" and isinstance(value, list):
            for each in value:
                if isinstance(each, Mapping):
                    yield from ((str(each.get("name")), str(text)) for text in each.get("values") or ())
        elif isinstance(value, Mapping):
            yield from ((f"tag:{inner}", str(text)) for inner, text in value.items())
        elif isinstance(value, list):
            yield from ((key, str(text)) for text in value)
        elif isinstance(value, str):
            yield key, value


def _filter_pairs(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    return _pairs({key: value for key, value in arguments.items() if key in ("filters", "tags")})


def _filters(arguments: Mapping[str, Any]) -> str:
    """The filters and tags of a look-up, as the command line of EC2 takes them."""
    values: dict[str, list[str]] = {}
    for key, text in _filter_pairs(arguments):
        values.setdefault(key, []).append(text)
    written = " ".join(f"'Name={key},Values={','.join(texts)}'" for key, texts in values.items())
    return f" --filters {written}" if written else ""
