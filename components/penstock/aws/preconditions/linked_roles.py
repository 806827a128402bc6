"""Service-linked roles that AWS does not create by itself."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.facts.service_linked_roles import all_linked_roles
from penstock.aws.types import IAM_SERVICE_LINKED_ROLE
from penstock.catalog.conditions import applies
from penstock.graph.view import Site
from penstock.preconditions import need
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@KINDS.kind(
    "aws-linked-role",
    sources=(
        "OpenSearch Service developer guide, service-linked roles",
        "EC2 user guide, service-linked role for Spot Instance requests",
    ),
)
def roles_that_are_needed(site: Site) -> Iterator[Precondition]:
    """Service-linked roles without which the API refuses a resource, such as a domain of OpenSearch in a VPC."""
    created = {role.given("awsServiceName") for role in site.of_type(IAM_SERVICE_LINKED_ROLE)}
    for linked in all_linked_roles():
        for view in site.of_type(linked.type) if linked.service not in created else ():
            if applies(linked.when, view.resource.inputs):
                yield Precondition(
                    f"Service-linked role {linked.role}",
                    "The API refuses the request while the account has no such role, and does not create it by itself.",
                    f"aws iam create-service-linked-role --aws-service-name {linked.service}",
                    view.urn,
                    need.named("aws-service-linked-role", {"name": linked.role, "service": linked.service}),
                )
