"""Names that AWS keeps after a deletion."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.preconditions.places import region_of
from penstock.graph.view import Site
from penstock.preconditions.kept_names import names_to_be_free
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@KINDS.kind("aws-kept-name", sources=("Secrets Manager user guide, deleting secrets",))
def names_that_are_free(site: Site) -> Iterator[Precondition]:
    """Names written out in the program that AWS keeps after a deletion, such as those of secrets."""
    return names_to_be_free(site, "aws", lambda view: {"region": region_of(site, view.urn)})
