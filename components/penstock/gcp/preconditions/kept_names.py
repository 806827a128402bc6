"""Names that Google Cloud keeps after a deletion."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.gcp.preconditions.places import project_for
from penstock.graph.view import Site
from penstock.preconditions.kept_names import names_to_be_free
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@KINDS.kind(
    "gcp-kept-name", sources=("Cloud KMS documentation, object hierarchy", "Cloud SQL documentation, delete instances")
)
def names_that_are_free(site: Site) -> Iterator[Precondition]:
    """Names written out in the program that Google keeps after a deletion: key rings, databases, roles, pools."""
    return names_to_be_free(site, "gcp", lambda view: {"project": project_for(site, view.urn)})
