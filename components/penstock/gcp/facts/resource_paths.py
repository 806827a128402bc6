"""The targets of properties of Google's resources: a path that ends in networks/NAME, cryptoKeys/NAME and so on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """A property by whose name alone one knows what it points at.

    Attributes:
        collection: the last word but one of a path to such a resource.
        type: the type token of such a resource.
        only_of: the type whose property it is, where others call something else so; None for all types.
    """

    property: str
    collection: str
    type: str
    only_of: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def by_property() -> Mapping[str, Pointer]:
    """The properties, by name."""
    return keyed(Pointer, "gcp/resource_paths")


@cache
def pointers_of(type_: str) -> Mapping[str, Pointer]:
    """The properties of a type that point at others, by name."""
    return {name: pointer for name, pointer in by_property().items() if pointer.only_of in (None, type_)}
