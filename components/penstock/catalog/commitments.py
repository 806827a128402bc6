"""Discounts for committing to machines for years."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentDiscount:
    """A discount off the list price: `discount` is a share, and `scope` what it was seen for."""

    cloud: str
    years: int
    discount: float
    scope: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def commitment(cloud: str, years: int) -> CommitmentDiscount | None:
    """The discount of a cloud for so many years; None where it is not known."""
    return next(
        (each for each in records(CommitmentDiscount, "commitments") if (each.cloud, each.years) == (cloud, years)),
        None,
    )
