"""Roles, networks, reservations and the like that a program names by id or ARN."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from penstock.aws.preconditions.places import region_of
from penstock.graph.view import Site
from penstock.preconditions.kind import Kinds
from penstock.preconditions.named import missing_things
from penstock.preconditions.precondition import Precondition
from penstock.preconditions.texts import GivenText

KINDS = Kinds()


@KINDS.kind("aws-named", sources=("EC2 API reference: resource IDs", "IAM user guide: IAM identifiers"))
def named_by_the_program(site: Site) -> Iterator[Precondition]:
    """What the program names by id, ARN or look-up and does not create: roles, networks, reservations, certificates."""
    return missing_things(site, "aws", _placeholders)


def _placeholders(site: Site, given: GivenText) -> Mapping[str, str]:
    return {"region": region_of(site, given.urn)}
