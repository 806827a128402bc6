"""AWS Budgets: the alarm that rings before the money is gone."""

from __future__ import annotations

import pulumi
from pulumi_aws import budgets

from penstock.spec.budget import BudgetSpec

ALERTS = (("FORECASTED", 80), ("ACTUAL", 100))
"""What is watched, and the percentage of the limit at which it mails: the first leaves time to act."""


class Budget(pulumi.ComponentResource):
    """A monthly limit on the bill of the whole account, which mails but stops nothing.

    It mails to `alert_emails` when the month is forecast to pass 80 % of the limit and when it has passed the limit.
    Without addresses it only records: AWS refuses an alert that nobody receives.
    """

    def __init__(self, name: str, spec: BudgetSpec, *, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("penstock:aws:Budget", name, spec.inputs(), opts)

        budgets.Budget(
            name,
            budget_type="COST",
            time_unit="MONTHLY",
            limit_amount=f"{spec.monthly_usd:.2f}",
            limit_unit="USD",
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
