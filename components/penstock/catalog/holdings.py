"""Which resources hold data, and what is lost with one of them."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of_type


@dataclass(frozen=True, slots=True)
class Holding:
    """What a type of resource holds.

    Attributes:
        lost: The data that is lost when a resource of the type is deleted.
        note: What is in the way of that, or brings it back.
        unguarded: Why no policy asks for its protection; empty where one does.
        protections: The properties by which its provider keeps it.
    """

    lost: str
    note: str
    unguarded: str
    protections: tuple[str, ...]
    source: str
    as_of: str


def holding_of(type_: str) -> Holding | None:
    """Return what a resource of this type holds, by its Pulumi token; None where it holds nothing of its own."""
    return record_of_type(Holding, "holds_data", type_)
