"""Built-in roles of Azure that the platform gives to identities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltInRole:
    """A role by its name, with the GUID that is the same in every tenant."""

    name: Annotated[str, Column("role")]
    id: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_role(name: str) -> BuiltInRole:
    """The role of that exact name.

    Raises:
        UnknownFact: the catalogue has none; the text names the nearest ones.
    """
    return record_of(BuiltInRole, "azure/roles", name, "built-in role")
