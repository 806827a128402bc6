"""What a budget promises: a mail in time, and a limit in the currency that was meant."""

from __future__ import annotations

from tests.gcphandles import PROJECT, project_with

from penstock.description.budget import BudgetSpec
from penstock.gcp.components.budget import Budget
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

CHANNEL = "gcp:monitoring/notificationChannel:NotificationChannel"


def built(*emails: str, usd: float = 250_000) -> Graph:
    spec = BudgetSpec(monthly_usd=usd, alert_emails=emails, tags={"owner": "ml"})
    return rehearse(lambda: Budget("monthly", spec, project=PROJECT)).graph


def budget(graph: Graph) -> Resource:
    (resource,) = graph.of_type("gcp:billing/budget:Budget")
    return resource


def test_it_limits_the_cost_of_a_month_in_dollars() -> None:
    inputs = budget(built(usd=1999.5)).inputs

    assert inputs["amount"] == {"specifiedAmount": {"currencyCode": "USD", "units": "1999", "nanos": 500_000_000}}
    assert inputs["budgetFilter"]["calendarPeriod"] == "MONTH"


def test_the_account_is_looked_up_once_its_api_answers() -> None:
    spec = BudgetSpec(monthly_usd=100)
    graph = rehearse(lambda: Budget("monthly", spec, project=project_with("cloudbilling"))).graph

    assert "api" in {graph[urn].name for urn in budget(graph).dependencies}


def test_it_counts_this_project_and_no_other() -> None:
    assert budget(built()).inputs["budgetFilter"]["projects"] == ["projects/123456789012"]


def test_it_warns_while_there_is_time_to_act_and_when_it_is_too_late() -> None:
    rules = budget(built()).inputs["thresholdRules"]

    assert [(rule["spendBasis"], rule["thresholdPercent"]) for rule in rules] == [
        ("FORECASTED_SPEND", 0.8),
        ("CURRENT_SPEND", 1.0),
    ]


def test_everyone_is_mailed() -> None:
    graph = built("ml@example.com", "finance@example.com")
    channels = graph.of_type(CHANNEL)

    assert {channel.inputs["type"] for channel in channels} == {"email"}
    assert {channel.inputs["labels"]["email_address"] for channel in channels} == {
        "ml@example.com",
        "finance@example.com",
    }
    mailed = budget(graph).inputs["allUpdatesRule"]["monitoringNotificationChannels"]
    assert set(mailed) == {channel.id for channel in channels}


def test_one_more_address_leaves_the_others_alone() -> None:
    before = {channel.name for channel in built("ml@example.com").of_type(CHANNEL)}
    after = {channel.name for channel in built("finance@example.com", "ml@example.com").of_type(CHANNEL)}

    assert before < after


def test_without_addresses_the_administrators_of_the_bill_are_mailed() -> None:
    graph = built()

    assert not graph.of_type(CHANNEL)
    assert "allUpdatesRule" not in budget(graph).inputs


def test_the_cloud_has_nothing_to_object() -> None:
    spec = BudgetSpec(monthly_usd=100, alert_emails=("ml@example.com",))

    assert rehearse(lambda: Budget("monthly", spec, project=PROJECT)).findings == ()
