"""Rights on the billing account."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.gcp.preconditions.places import project_for
from penstock.gcp.types import BILLING_BUDGET
from penstock.graph.view import View
from penstock.preconditions import need
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition
from penstock.preconditions.texts import created_texts

KINDS = Kinds()


@KINDS.kind(
    "gcp-billing-right", on=BILLING_BUDGET, sources=("Cloud Billing documentation, access control for budgets",)
)
def a_right_on_the_billing_account(budget: View) -> Iterator[Precondition]:
    """The right to create budgets on the billing account, which no role on a project has."""
    account = str(budget.given("billingAccount") or "")  # what a look-up answers is invented
    yield Precondition(
        "roles/billing.costsManager on the billing account, for whoever runs Pulumi",
        "Budgets belong to the billing account: an owner of the project alone may not create one.",
        "gcloud billing accounts add-iam-policy-binding BILLING_ACCOUNT --member=user:YOU "
        "--role=roles/billing.costsManager",
        budget.urn,
        need.named(
            "gcp-billing-right",
            {
                "name": "" if account in created_texts(budget.site) else account,
                "project": project_for(budget.site, budget.urn),
            },
        ),
    )
