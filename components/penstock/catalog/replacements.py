"""Properties that a cloud cannot change in place: inputs of which another value makes another resource.

One table in the room of each provider; data/replacement_sources.csv shows where they come from. Paths are those of the
provider's own properties, without the indexes of lists (`launchTemplate.id`); what is below a path belongs to it. A
path may end in a sign, and then in a condition on the inputs: `storageCapacity<`, `nodeType[engine=memcached]`.

The facts come from the SDK versions in data/replacement_sources.csv. `former_replacements` has the properties that
forced a replacement in versions before one of them, for an SDK that is installed in such a version.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from penstock.catalog.conditions import RowCondition, condition
from penstock.catalog.tables import rows
from penstock.core.errors import UnknownFact
from penstock.core.versions import numbers
from penstock.providers import provider_of, room_of

_EVERY_TYPE = "*"
_SHRINKING = "<"
_REMOVED = "-"
_FIRST = "+"
_SIGNS = (_SHRINKING, _REMOVED, _FIRST)


@dataclass(frozen=True, slots=True)
class Replacements:
    """The facts of one resource type.

    `properties` force a replacement when they change. `shrinking` do so only when they shrink, are an older version, a
    flag that is turned off or a list that does not grow, `removed` only when they are taken away, and `first` only when
    nothing was there before. Those in `conditional` do so only for some inputs. The order of `sets` means nothing.
    `known` is False for a type without a row: then a change counts as one in place, and may not be.
    `unverified` says that no primary source confirms the properties.
    """

    properties: tuple[str, ...]
    shrinking: tuple[str, ...]
    sets: frozenset[str]
    known: bool
    unverified: bool
    removed: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    conditional: tuple[tuple[str, RowCondition], ...] = ()

    def given(self, inputs: Mapping[str, Any]) -> Replacements:
        """Return the facts for a resource with these inputs."""
        if not self.conditional:
            return self
        return self.with_paths(path for path, when in self.conditional if when.holds(inputs))

    def with_paths(self, paths: Iterable[str]) -> Replacements:
        """Return the facts with more paths, each with its sign."""
        paths = tuple(paths)

        def ending(sign: str) -> tuple[str, ...]:
            return tuple(path.removesuffix(sign) for path in paths if path.endswith(sign))

        return replace(
            self,
            properties=(*self.properties, *(path for path in paths if path[-1] not in _SIGNS)),
            shrinking=(*self.shrinking, *ending(_SHRINKING)),
            removed=(*self.removed, *ending(_REMOVED)),
            first=(*self.first, *ending(_FIRST)),
        )


@cache
def replacements_of(type_: str) -> Replacements:
    """Return what is known of a resource type, by its Pulumi token (`aws:ec2/vpc:Vpc`)."""
    package, _, rest = type_.partition(":")
    table = _table(package)
    row = table.get(rest)
    both = [found for found in (table.get(_EVERY_TYPE), row) if found is not None]
    paths = [*(path for found in both for path in found["properties"].split()), *_former(package, type_)]
    plain = Replacements(
        properties=(),
        shrinking=(),
        sets=frozenset(row["sets"].split()) if row else frozenset(),
        known=row is not None,
        unverified=bool(row and row["unverified"]),
        conditional=tuple(_conditional(path) for path in paths if path.endswith("]")),
    )
    return plain.with_paths(path for path in paths if not path.endswith("]"))


def _former(package: str, type_: str) -> Iterator[str]:
    """Yield the properties that force a replacement in the installed version of the SDK, and in no later one."""
    try:
        table = rows(f"{room_of(package)}/former_replacements")
    except UnknownFact:
        return
    for row in table:
        if (
            row["type"] == type_
            and (installed := sdk_version(package))
            and numbers(installed.partition("-")[0]) < numbers(row["until"])
        ):
            yield row["property"]


@cache
def sdk_version(package: str) -> str:
    """Return the version of a provider's SDK that is installed here; empty without one."""
    provider = provider_of(package)
    spec = find_spec(provider.sdk if provider is not None else f"pulumi_{package}")
    described = Path(spec.origin).with_name("pulumi-plugin.json") if spec is not None and spec.origin else None
    if described is None or not described.is_file():
        return ""
    return str(json.loads(described.read_text(encoding="utf-8")).get("version", ""))


def _conditional(text: str) -> tuple[str, RowCondition]:
    path, _, cell = text.removesuffix("]").partition("[")
    when = condition(cell)
    assert when is not None, text  # noqa: S101 the table says so
    return path, when


@cache
def _table(package: str) -> Mapping[str, Mapping[str, str]]:
    try:
        return {row["type"]: row for row in rows(f"{room_of(package)}/replacements")}
    except UnknownFact:
        return {}
