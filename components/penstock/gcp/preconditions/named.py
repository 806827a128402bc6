"""Projects, groups, accounts, reservations and the like that a program names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from penstock.gcp.facts.image_projects import image_projects
from penstock.gcp.preconditions.places import project_for
from penstock.graph.view import Site
from penstock.preconditions.kind import Kinds
from penstock.preconditions.named import missing_things
from penstock.preconditions.precondition import Precondition
from penstock.preconditions.texts import GivenText

KINDS = Kinds()


@KINDS.kind("gcp-named", sources=("IAM documentation, principal identifiers", "VPC documentation, networks"))
def named_by_the_program(site: Site) -> Iterator[Precondition]:
    """What the program names by name, path or look-up and does not create: projects, groups, reservations, keys."""
    return missing_things(site, "gcp", _placeholders, image_projects())


def _placeholders(site: Site, given: GivenText) -> Mapping[str, str]:
    return {"project": project_for(site, given.urn)}
