"""Properties that a cloud cannot change in place: inputs of which another value makes another resource.

One table in the room of each provider; data/replacement_sources.csv shows where they come from. Paths are those of the
provider's own properties, without the indexes of lists (`launchTemplate.id`); what is below a path belongs to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from penstock.catalog.tables import rows
from penstock.errors import UnknownFact
from penstock.providers import provider_of

_EVERY_TYPE = "*"
_SHRINKING = "<"


@dataclass(frozen=True, slots=True)
class Replacements:
    """The facts of one resource type.

    `properties` force a replacement when they change, `shrinking` only when they shrink, or are an older version. The
    order of `sets` means nothing. `known` is False for a type without a row: then a change counts as one in place, and
    may not be.
    `unverified` says that no primary source confirms the properties.
    """

    properties: tuple[str, ...]
    shrinking: tuple[str, ...]
    sets: frozenset[str]
    known: bool
    unverified: bool


@cache
def replacements_of(type_: str) -> Replacements:
    """Return what is known of a resource type, by its Pulumi token (`aws:ec2/vpc:Vpc`)."""
    package, _, rest = type_.partition(":")
    table = _table(package)
    row = table.get(rest)
    both = [found for found in (table.get(_EVERY_TYPE), row) if found is not None]
    paths = [path for found in both for path in found["properties"].split()]
    return Replacements(
        properties=tuple(path for path in paths if not path.endswith(_SHRINKING)),
        shrinking=tuple(path.removesuffix(_SHRINKING) for path in paths if path.endswith(_SHRINKING)),
        sets=frozenset(row["sets"].split()) if row else frozenset(),
        known=row is not None,
        unverified=bool(row and row["unverified"]),
    )


@cache
def _table(package: str) -> Mapping[str, Mapping[str, str]]:
    try:
        return {row["type"]: row for row in rows(f"{_room(package)}/replacements")}
    except UnknownFact:
        return {}


def _room(package: str) -> str:
    """The room of a package's tables, which has the name of its provider."""
    provider = provider_of(package)
    return provider.name if provider is not None else package
