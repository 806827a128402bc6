"""How much of one thing another may hold, such as rules in a security group or characters in a name."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.tables import provenance, row_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit of a cloud; `quota` is the code of the service quota by which an AWS account may raise it, or empty."""

    name: str
    most: int
    quota: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find(name: str, cloud: str = "aws") -> Limit:
    """The limit of that name, such as security_group_rules; a name that ends in _least is that of a lower bound.

    Raises:
        UnknownFact: the catalogue has no such limit.
    """
    row = row_of(f"{cloud}/limits", "limit", name, "limit")
    return Limit(name=name, most=int(row["most"]), quota=row["quota"], **provenance(row))
