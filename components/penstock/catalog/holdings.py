"""Which resources hold data, and what is lost with one of them."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True)
class Holding:
    """The data `lost` when a resource of the type is deleted; `note` names what is in the way or brings it back."""

    lost: str
    note: str
    source: str
    as_of: str


def holding_of(type_: str) -> Holding | None:
    """Return what a resource of this type holds, by its Pulumi token; None where it holds nothing of its own."""
    return keyed(Holding, "holds_data").get(type_)
