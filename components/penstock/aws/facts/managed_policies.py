"""The policies that AWS itself maintains: under which path each one is found."""

from __future__ import annotations

from penstock.catalog.tables import rows


def path(name: str) -> str | None:
    """The path of a policy within `arn:aws:iam::aws:policy/`, such as service-role/; None for one not known here."""
    return next((row["path"] for row in rows("aws/managed_policies") if row["policy"] == name), None)
