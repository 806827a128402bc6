"""Service quotas that bound how many machines of a family an account may run."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.tables import provenance, rows, unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """A quota of the service ec2, counted in `unit` (vCPU): a p5.48xlarge takes 192. New accounts often have 0."""

    code: str
    name: str
    unit: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def quota(family: str, capacity: str) -> Quota | None:
    """The quota that machines of a family (`Machine.quota`) draw on when bought in one way.

    Reserved machines draw on the on-demand quota. None for capacity blocks, which draw on no quota of vCPU as far as is
    known, and where the catalogue does not know the quota (spot P6).

    Raises:
        UnknownFact: no quota covers that family.
    """
    families = [row for row in rows("aws_quotas") if row["family"] == family]
    if not families:
        raise unknown("quota family", family, {row["family"] for row in rows("aws_quotas")})
    drawn = "on_demand" if capacity == "reserved" else capacity
    for row in families:
        if row["capacity"] == drawn:
            return Quota(
                code=row["code"],
                name=row["name"],
                unit=row["unit"],
                **provenance(row),
            )
    return None


def codes() -> tuple[str, ...]:
    """The service quota codes that the catalogue knows, ascending."""
    return tuple(sorted({row["code"] for table in ("aws_quotas", "aws_default_quotas") for row in rows(table)}))


def default(code: str) -> int:
    """What a new account may have of something that is not counted in vCPU, by its service quota code.

    Raises:
        UnknownFact: the catalogue does not know it.
    """
    table = {row["code"]: row for row in rows("aws_default_quotas")}
    if code not in table:
        raise unknown("quota", code, table)
    return int(table[code]["value"])
