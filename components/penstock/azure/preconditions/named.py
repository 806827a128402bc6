"""Principals, networks, reservations and the like that a program names by their ids."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.view import Site
from penstock.preconditions.kind import Kinds
from penstock.preconditions.named import missing_things
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@KINDS.kind(
    "az-named",
    sources=("Azure RBAC documentation, troubleshoot role assignments", "Azure CLI reference, az capacity"),
)
def named_by_the_program(site: Site) -> Iterator[Precondition]:
    """What the program names by id and does not create: groups, networks, reservations, identities."""
    return missing_things(site, "azure", lambda _, __: {})
