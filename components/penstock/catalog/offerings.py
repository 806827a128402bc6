"""Which machine types are sold in which region."""

from __future__ import annotations

from functools import cache

from penstock.catalog.tables import rows


@cache
def offered(region: str, cloud: str) -> frozenset[str] | None:
    """The machine types of the catalogue that are sold in a region, or None where that is not known.

    A type that is sold in a region is not sold in each of its zones, and clouds add types to regions every week.
    """
    found = [row["machine_types"].split() for row in rows(f"{cloud}/offerings") if row["region"] == region]
    return frozenset(machine_type for types in found for machine_type in types) if found else None


def is_verified(region: str, cloud: str) -> bool:
    """Return whether the cloud itself lists the machine types of a region, and not only its prices."""
    return all(not row["unverified"] for row in rows(f"{cloud}/offerings") if row["region"] == region)
