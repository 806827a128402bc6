"""Discounts for committing to machines for years."""
"""Discounts for commitments of one and three years."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentDiscount:
    """A discount off the list price: `discount` is a share, and `scope` what it was seen for."""

    cloud: str
    years: int
    discount: float
    scope: str
class Commitment:
    """The discount of a commitment on machine types of a cloud, as a share of the on-demand price."""
    machine_types: str
    term: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def commitment(cloud: str, years: int) -> CommitmentDiscount | None:
    """The discount of a cloud for so many years; None where it is not known."""
    return next(
        (each for each in records(CommitmentDiscount, "commitments") if (each.cloud, each.years) == (cloud, years)),
def commitment(cloud: str, machine_type: str, term: str) -> Commitment | None:
    """Return the discount for a term, "1y" or "3y", the first row whose pattern fits; None where none is known."""
        (
            each
            for each in records(Commitment, "commitments")
            if each.cloud == cloud and each.term == term and fnmatchcase(machine_type, each.machine_types)
        ),
        None,
    )
