"""Discounts for commitments of one and three years."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """The discount of a commitment on machine types of a cloud, as a share of the on-demand price."""

    cloud: str
    machine_types: str
    term: str
    discount: float
    unverified: tuple[str, ...]
    source: str
    as_of: str


def commitment(cloud: str, machine_type: str, term: str) -> Commitment | None:
    """Return the discount for a term, "1y" or "3y", the first row whose pattern fits; None where none is known."""
    return next(
        (
            each
            for each in records(Commitment, "commitments")
            if each.cloud == cloud and each.term == term and fnmatchcase(machine_type, each.machine_types)
        ),
        None,
    )
