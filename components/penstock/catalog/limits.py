"""How much of one thing another may hold, such as rules in a security group or characters in a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CountLimit:
    """A limit of a cloud; `quota` is the code of the service quota by which an AWS account may raise it, or empty."""

    name: Annotated[str, Column("limit")]
    most: int
    quota: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_limit(name: str, cloud: str) -> CountLimit:
    """The limit of that name, such as security_group_rules; a name that ends in _least is that of a lower bound.

    Raises:
        UnknownFact: the catalogue has no such limit.
    """
    return record_of(CountLimit, f"{cloud}/limits", name, "limit")
