"""Organisation policies that refuse what the program creates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.conditions import RowCondition, applies, condition
from penstock.catalog.records import Column, records
from penstock.gcp.preconditions.places import project_for
from penstock.graph.view import Site
from penstock.preconditions import need
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@dataclass(frozen=True, slots=True)
class _EnforcedPolicy:
    type: str
    when: Annotated[RowCondition | None, Column(read=condition)]
    constraint: str
    what: str


@KINDS.kind("gcp-organization-policy", sources=("Resource Manager documentation, secure by default organizations",))
def allowed_by_the_organization(site: Site) -> Iterator[Precondition]:
    """Exceptions from policies that new organisations enforce from their start: keys of accounts, public members."""
    for policy in records(_EnforcedPolicy, "gcp/organization_policies"):
        for view in site.of_type(policy.type):
            if applies(policy.when, view.resource.inputs):
                project = project_for(site, view.urn)
                yield Precondition(
                    f"Organisation policy {policy.constraint} not enforced on project {project}",
                    f"Organisations created since May 2024 enforce it, and refuse {policy.what}.",
                    f"gcloud resource-manager org-policies describe {policy.constraint} --effective "
                    f"--project={project}",
                    view.urn,
                    need.named("gcp-organization-policy", {"name": policy.constraint, "project": project}),
                )
