"""Names that Azure keeps after a deletion."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.view import Site
from penstock.preconditions.kept_names import names_to_be_free
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@KINDS.kind("az-kept-name", sources=("Key Vault documentation, soft delete",))
def names_that_are_free(site: Site) -> Iterator[Precondition]:
    """Names written out in the program that Azure keeps after a deletion, such as those of vaults."""
    return names_to_be_free(site, "azure", lambda _: {})
