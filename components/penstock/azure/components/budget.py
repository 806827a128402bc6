"""Budgets of Cost Management: the alarm that rings before the money is gone."""

from __future__ import annotations

from datetime import date
from typing import Final

import pulumi
from pulumi_azure_native import consumption

from penstock.azure.components.handles import GroupHandle
from penstock.description.budget import BudgetSpec

ALERTS = {"forecast": ("Forecasted", 80), "limit": ("Actual", 100)}
"""What is watched, and the percentage of the limit at which it mails: the first leaves time to act."""

_DECIDED_BY: Final = {
    "amount": ".monthly_usd",
    "notifications": ".alert_emails",
}


class Budget(pulumi.ComponentResource):
    """A monthly limit on the bill of the subscription, which mails but stops nothing.

    It mails to `alert_emails` and to the owners of the subscription, when the month is forecast to pass 80 % of the
    limit and when it has passed the limit. It is the whole subscription's: the machines of a cluster are in a resource
    group of their own.
    """

    def __init__(
        self,
        name: str,
        spec: BudgetSpec,
        *,
        group: GroupHandle,
        month: date,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the budget.

        Args:
            name: Its name.
            spec: The limit, and who is alerted.
            group: A group of the subscription.
            month: That in which it is created: Azure refuses one that begins earlier.
            opts: Pulumi's options.
        """
        super().__init__("penstock:azure:Budget", name, spec.inputs(_DECIDED_BY), opts)
        consumption.Budget(
            name,
            scope=pulumi.Output.concat("/subscriptions/", group.subscription),
            category="Cost",
            time_grain="Monthly",
            amount=spec.monthly_usd,
            time_period={"start_date": f"{month.replace(day=1).isoformat()}T00:00:00Z"},
            notifications={
                alert: {
                    "enabled": True,
                    "operator": "GreaterThan",
                    "threshold": share,
                    "threshold_type": kind,
                    "contact_emails": list(spec.alert_emails),
                    "contact_roles": ["Owner"],
                }
                for alert, (kind, share) in ALERTS.items()
            },
            opts=pulumi.ResourceOptions(parent=self, ignore_changes=["timePeriod"]),
        )
        self.register_outputs({})
