"""What look-ups search for by tags, filters or owner."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.gcp.preconditions.places import project_for
from penstock.graph.view import Site
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition
from penstock.preconditions.searches import things_searched_for

KINDS = Kinds()


@KINDS.kind("gcp-search", sources=("Pulumi Registry, functions of the Google Cloud provider",))
def searched_for(site: Site) -> Iterator[Precondition]:
    """Things of the project that a look-up searches for and that the program does not create."""
    return things_searched_for(site, "gcp", lambda _: {"project": project_for(site)})
