"""Families of machines that EKS' own images do not serve as they serve all others."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyLimits:
    """The limits of one family, such as p5.

    Attributes:
        oldest_kubernetes: the first minor version that runs them; None where every version does.
        image_lacks: what the machines need and no image of EKS brings; None where nothing is missing.
        unbuilt: what Penstock does not build and the machines are of no use without; None where nothing is missing.
        unverified: the fields that no primary source confirms.
    """

    oldest_kubernetes: str | None = None
    image_lacks: str | None = None
    unbuilt: str | None = None
    unverified: tuple[str, ...] = ()


def limits_of_family(family: str) -> FamilyLimits:
    """The limits of a family; none for a family that the table does not name."""
    return keyed(FamilyLimits, "aws/eks_machines").get(family, FamilyLimits())
