"""What a budget promises: a mail in time, and none that AWS would refuse."""

from __future__ import annotations

from penstock.aws.components.budget import Budget
from penstock.description.budget import BudgetSpec
from penstock.graph.graph import Resource
from penstock.testing import rehearse


def built(*emails: str) -> Resource:
    spec = BudgetSpec(monthly_usd=250_000, alert_emails=emails, tags={"owner": "ml"})
    (budget,) = rehearse(lambda: Budget("monthly", spec)).graph.of_type("aws:budgets/budget:Budget")
    return budget


def test_a_platform_among_others_counts_its_own_cost() -> None:
    tags = {"platform": "research", "environment": "dev", "owner": "ml"}
    spec = BudgetSpec(monthly_usd=1000, scope="platform", tags=tags)
    (budget,) = rehearse(lambda: Budget("monthly", spec)).graph.of_type("aws:budgets/budget:Budget")

    assert budget.inputs["filterExpression"] == {
        "ands": [
            {"tags": {"key": "platform", "values": ["research"]}},
            {"tags": {"key": "environment", "values": ["dev"]}},
        ]
    }
    assert "filterExpression" not in built().inputs


def test_it_limits_the_cost_of_a_month_in_dollars() -> None:
    inputs = built().inputs

    assert (inputs["budgetType"], inputs["timeUnit"]) == ("COST", "MONTHLY")
    assert (float(inputs["limitAmount"]), inputs["limitUnit"]) == (250_000, "USD")
    assert inputs["tags"] == {"owner": "ml"}


def test_everyone_is_mailed_while_there_is_time_to_act_and_when_it_is_too_late() -> None:
    alerts = built("ml@example.com", "finance@example.com").inputs["notifications"]

    assert [(alert["notificationType"], alert["threshold"]) for alert in alerts] == [
        ("FORECASTED", 80),
        ("ACTUAL", 100),
    ]
    for alert in alerts:
        assert (alert["comparisonOperator"], alert["thresholdType"]) == ("GREATER_THAN", "PERCENTAGE")
        assert alert["subscriberEmailAddresses"] == ["ml@example.com", "finance@example.com"]


def test_without_addresses_there_is_no_alert_which_aws_would_refuse() -> None:
    assert not built().inputs.get("notifications")


def test_the_cloud_has_nothing_to_object() -> None:
    spec = BudgetSpec(monthly_usd=100, alert_emails=("ml@example.com",))

    assert rehearse(lambda: Budget("monthly", spec)).findings == ()
