"""Service-linked roles: one that the program creates is there before the resource that needs it."""

from __future__ import annotations

from penstock.aws.facts.service_linked_roles import LinkedRole, all_linked_roles, linked_roles_of
from penstock.aws.types import IAM_SERVICE_LINKED_ROLE
from penstock.catalog.conditions import applies
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, each, fail
from penstock.graph.view import View
from penstock.model.order import comes_after
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=tuple(dict.fromkeys(linked.type for linked in all_linked_roles() if linked.type.startswith("aws:"))),
    severity=HIGH,
    rationale=(
        "The API refuses the request while the role is missing, such as that of a domain of OpenSearch in a VPC: "
        '"Before you can proceed, you must enable a service-linked role". No value of the role is handed over, so the '
        "engine creates both at the same time."
    ),
    fix="Add the iam.ServiceLinkedRole to depends_on.",
    joins=True,
    sources=(
        "OpenSearch Service developer guide, service-linked roles (catalogue, aws_service_linked_roles)",
        "EC2 user guide, service-linked role for Spot Instance requests",
    ),
)
def aws_linked_role_exists(view: View) -> Verdict:
    """A resource that needs a service-linked role waits for it, where the program creates the role."""
    needed = [linked for linked in linked_roles_of(view.type) if applies(linked.when, view.resource.inputs)]
    return each(needed, lambda linked: _exists_before(view, linked))


def _exists_before(view: View, linked: LinkedRole) -> Verdict:
    roles = view.site.of_type(IAM_SERVICE_LINKED_ROLE)
    created = next((role for role in roles if role.text("awsServiceName") == linked.service), None)
    if created is None:
        return NOT_APPLICABLE
    if comes_after(view, created):
        return PASS
    return fail(
        f"needs {linked.role}, which is created as {created.name}, and does not wait for it",
        hint=f"Add {created.name} to depends_on.",
    )
