"""Cloud Billing budgets: the alarm that rings before the money is gone."""

from __future__ import annotations

from typing import Final

import pulumi
from pulumi_gcp import billing, monitoring, organizations

from penstock.description.budget import BudgetSpec
from penstock.gcp.components.handles import ProjectHandle

ALERTS = (("FORECASTED_SPEND", 0.8), ("CURRENT_SPEND", 1.0))
"""What is watched, and the share of the limit at which it mails: the first leaves time to act."""

_DECIDED_BY: Final = {
    "allUpdatesRule.monitoringNotificationChannels NotificationChannel": ".alert_emails",
    "amount.specifiedAmount.units": ".monthly_usd",
}


class Budget(pulumi.ComponentResource):
    """A monthly limit on the bill of the project, which mails but stops nothing.

    It is the whole project's: traffic, logs and keys carry no label, and would escape a filter by one.

    It mails to `alert_emails`, five at most, when the month is forecast to pass 80 % of the limit and when it has
    passed the limit; Google always mails the administrators of the billing account, too. Whoever runs Pulumi needs the
    right to make budgets on that account.
    """

    def __init__(
        self,
        name: str,
        spec: BudgetSpec,
        *,
        project: ProjectHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:gcp:Budget", name, spec.inputs(_DECIDED_BY), opts)

        # Before the API is on, Google answers without an account, and with no error.
        account = organizations.get_project_output(
            project_id=project.id,
            opts=pulumi.InvokeOutputOptions(parent=self, depends_on=project.on("cloudbilling")),
        ).billing_account
        channels = [self._channel(name, email, spec, project) for email in spec.alert_emails]
        whole, cents = divmod(round(spec.monthly_usd * 100), 100)
        billing.Budget(
            name,
            billing_account=account,
            display_name=name,
            budget_filter={
                "projects": [pulumi.Output.concat("projects/", project.number)],
                "calendar_period": "MONTH",
            },
            # An account in another currency is refused; without the code its own would be meant.
            amount={"specified_amount": {"currency_code": "USD", "units": str(whole), "nanos": cents * 10_000_000}},
            threshold_rules=[{"spend_basis": watched, "threshold_percent": share} for watched, share in ALERTS],
            all_updates_rule={"monitoring_notification_channels": channels} if channels else None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=project.on("billingbudgets", "cloudbilling")),
        )
        self.register_outputs({})

    def _channel(self, name: str, email: str, spec: BudgetSpec, project: ProjectHandle) -> pulumi.Output[str]:
        channel = monitoring.NotificationChannel(
            f"{name}-{email}",
            project=project.id,
            display_name=f"{name}: {email}",
            type="email",
            labels={"email_address": email},
            user_labels=spec.tags,
            opts=pulumi.ResourceOptions(parent=self, depends_on=project.on("monitoring")),
        )
        return channel.id
