"""The permissions that whoever runs Pulumi needs, by the types of the resources that a program creates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class CreationPermissions:
    """The permissions, or actions, to create a resource of a type and to read it back."""

    type: str
    permissions: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def permissions_to_create(types: Iterable[str], table: str) -> tuple[str, ...]:
    """Return the permissions for types, each once, sorted; types that the table does not have add none."""
    known: Mapping[str, CreationPermissions] = keyed(CreationPermissions, table)
    return tuple(sorted({each for type_ in types if type_ in known for each in known[type_].permissions}))
