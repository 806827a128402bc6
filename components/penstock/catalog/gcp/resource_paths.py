"""What properties of Google's resources point at: a path that ends in networks/NAME, cryptoKeys/NAME and so on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from penstock.catalog.tables import provenance, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """A property by whose name alone one knows what it points at.

    Attributes:
        collection: the last word but one of a path to such a resource.
        type: the type token of such a resource.
    """

    property: str
    collection: str
    type: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


@cache
def by_property() -> dict[str, Pointer]:
    """The properties, by name."""
    return {
        row["property"]: Pointer(
            property=row["property"], collection=row["collection"], type=row["type"], **provenance(row)
        )
        for row in rows("gcp/resource_paths")
    }
