"""Quotas of an account, as applied to it, with what is in use where CloudWatch shows that."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from penstock.aws.facts.machines import AwsMachine
from penstock.aws.preflight.account import AwsAccount, AwsRefused
from penstock.catalog.machines import find_machine
from penstock.core.errors import UnknownFact
from penstock.preconditions.need import MachinesNeed, QuotaNeed
from penstock.preflight.inquiry import Reply, enough, not_asked
from penstock.preflight.rest import Silent

_NONE: Final = "NoSuchResourceException"
_WAYS: Final = {"spot": "Spot", "on_demand": "On-Demand"}
_RECENT: Final = timedelta(hours=3)


def answer_quota(account: AwsAccount, need: QuotaNeed) -> Reply:
    """Return whether what is left of a quota suffices: the applied value, or the default where none was applied."""
    asked = {"ServiceCode": need.service, "QuotaCode": need.code}
    try:
        quota = account.call("service-quotas", "get_service_quota", need.region, **asked)["Quota"]
    except AwsRefused as refusal:
        if refusal.code != _NONE:
            return refusal.reply()
        try:
            quota = account.call("service-quotas", "get_aws_default_service_quota", need.region, **asked)["Quota"]
        except AwsRefused as unknown:
            return unknown.reply()
    return enough(need.amount, quota["Value"], _used(account, quota, need.region), need.unit, need.region)


def answer_machines(account: AwsAccount, need: MachinesNeed) -> Reply:
    """Return whether the quota of a machine type suffices, found by the words of its name."""
    service = need.service or "ec2"
    try:
        listed = account.call("service-quotas", "list_service_quotas", need.region, ServiceCode=service)["Quotas"]
    except AwsRefused as refusal:
        return refusal.reply()
    named = [each for each in listed if _is_of(str(each["QuotaName"]), need)]
    amount, unit = need.count, "machines"
    if not need.service:
        try:
            amount, unit = need.count * find_machine(need.machine_type, AwsMachine).vcpu, "vCPU"
        except UnknownFact:
            return not_asked(f"The vCPU of {need.machine_type} are not known here.")
    found = [(each, enough(amount, each["Value"], _used(account, each, need.region), unit)) for each in named]
    text = "; ".join(f"{each['QuotaName']}: {reply.found}" for each, reply in found)
    statuses = {reply.status for _, reply in found}
    if len(statuses) == 1:
        return Reply(statuses.pop(), text)
    return not_asked(text or f"Service Quotas lists {len(listed)} quotas of {service}, and none that names it.")


def _is_of(name: str, need: MachinesNeed) -> bool:
    if need.service:
        return need.machine_type in name.split()
    family = need.machine_type.partition(".")[0].rstrip("abcdefghijklmnopqrstuvwxyz").upper().split("-")[0]
    words = name.replace(",", " ").split()
    way = _WAYS.get(need.way, "On-Demand")
    return way in name and (family in words or family.rstrip("0123456789") in words)


def _used(account: AwsAccount, quota: Mapping[str, Any], region: str) -> float | None:
    """The most that was in use lately, by the metric that the quota names; None where it names none, or nobody may."""
    metric = quota.get("UsageMetric") or {}
    if not metric.get("MetricName"):
        return None
    now = datetime.now(UTC)
    statistic = metric.get("MetricStatisticRecommendation") or "Maximum"
    try:
        points = account.call(
            "cloudwatch",
            "get_metric_statistics",
            region,
            Namespace=metric["MetricNamespace"],
            MetricName=metric["MetricName"],
            Dimensions=[{"Name": key, "Value": value} for key, value in metric.get("MetricDimensions", {}).items()],
            StartTime=now - _RECENT,
            EndTime=now,
            Period=300,
            Statistics=[statistic],
        )["Datapoints"]
    except (AwsRefused, Silent):
        return None
    latest = max(points, key=lambda each: each["Timestamp"], default=None)
    return 0.0 if latest is None else float(latest[statistic])
