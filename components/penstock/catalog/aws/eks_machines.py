"""Families of machines that EKS' own images or FSx do not serve as they serve all others."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.tables import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What holds for one family, such as p5.

    Attributes:
        oldest_kubernetes: the first minor version that runs them; None where every version does.
        image_lacks: what the machines need and no image of EKS brings; None where nothing is missing.
        lustre_over_efa: whether FSx for Lustre takes them as EFA clients.
        unverified: the fields that no primary source confirms.
    """

    oldest_kubernetes: str | None = None
    image_lacks: str | None = None
    lustre_over_efa: bool = True
    unverified: tuple[str, ...] = ()


def find(family: str) -> Limits:
    """The limits of a family; none for a family that the table does not name."""
    row = next((row for row in rows("aws/eks_machines") if row["family"] == family), None)
    if row is None:
        return Limits()
    return Limits(
        oldest_kubernetes=row["oldest_kubernetes"] or None,
        image_lacks=row["image_lacks"] or None,
        lustre_over_efa=row["lustre_over_efa"] != "no",
        unverified=tuple(row["unverified"].split()),
    )
