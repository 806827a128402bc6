"""AWS Budgets: the alarm that rings before the money is gone."""

from __future__ import annotations

from typing import Final

import pulumi
from pulumi_aws import budgets

from penstock.description.budget import BudgetSpec

ALERTS = (("FORECASTED", 80), ("ACTUAL", 100))
"""What is watched, and the percentage of the limit at which it mails: the first leaves time to act."""

_DECIDED_BY: Final = {
    "filterExpression": ".scope",
    "limitAmount": ".monthly_usd",
    "notifications": ".alert_emails",
}


class Budget(pulumi.ComponentResource):
    """A monthly limit on the bill of the account, or of one platform in it, which mails but stops nothing.

    It mails to `alert_emails` when the month is forecast to pass 80 % of the limit and when it has passed the limit.
    Without addresses it only records: AWS refuses an alert that nobody receives. With `scope: platform` it counts what
    has this platform's tags, and sees nothing until the payer of the account has activated them as cost allocation tags
    (AWS Billing user guide, "Activating user-defined cost allocation tags").
    """

    def __init__(self, name: str, spec: BudgetSpec, *, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("penstock:aws:Budget", name, spec.inputs(_DECIDED_BY), opts)

        budgets.Budget(
            name,
            budget_type="COST",
            time_unit="MONTHLY",
            limit_amount=f"{spec.monthly_usd:.2f}",
            limit_unit="USD",
            filter_expression=_own_cost(spec) if spec.scope == "platform" else None,
            notifications=[
                {
                    "notification_type": watched,
                    "comparison_operator": "GREATER_THAN",
                    "threshold": percent,
                    "threshold_type": "PERCENTAGE",
                    "subscriber_email_addresses": spec.alert_emails,
                }
                for watched, percent in ALERTS
                if spec.alert_emails
            ],
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})


def _own_cost(spec: BudgetSpec) -> budgets.BudgetFilterExpressionArgsDict:
    """What belongs to one environment of one platform, which no other pair of tags says."""
    return {"ands": [{"tags": {"key": key, "values": [spec.tags[key]]}} for key in ("platform", "environment")]}
