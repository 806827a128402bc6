"""What look-ups search for by tags, filters or owner."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.preconditions.places import region_of
from penstock.graph.view import Site
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition
from penstock.preconditions.searches import things_searched_for

KINDS = Kinds()


@KINDS.kind("aws-search", sources=("Pulumi Registry, functions of the AWS provider",))
def searched_for(site: Site) -> Iterator[Precondition]:
    """Things of the account that a look-up searches for and that the program does not create."""
    return things_searched_for(site, "aws", lambda _: {"region": region_of(site, "")})
