"""Quotas of a project: those of Compute Engine with their use, and others by the API of Cloud Quotas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.gcp.preflight.project import GoogleCloud, reply_to
from penstock.preconditions.need import MachinesNeed, QuotaNeed
from penstock.preflight.inquiry import Reply, enough, not_asked
from penstock.preflight.rest import Refused

_COMPUTE = "compute.googleapis.com"


def answer_quota(cloud: GoogleCloud, need: QuotaNeed) -> Reply:
    """Return whether what is left of a quota suffices, in its region or in the whole project."""
    metric, _, family = need.code.partition(":")
    try:
        if need.service == _COMPUTE and not family:
            place = f"regions/{need.region}" if need.region else ""
            owner = cloud.get("compute", f"compute/v1/projects/{need.account}/{place}".rstrip("/"))
            for quota in owner.get("quotas", ()):
                if quota["metric"] == metric:
                    return enough(need.amount, quota["limit"], quota["usage"], need.unit, need.region)
        return _of_cloud_quotas(cloud, need, metric, family)
    except Refused as refusal:
        permission = "cloudquotas.quotas.get" if family else "compute.regions.get and compute.projects.get"
        return reply_to(refusal, permission)


def answer_machines(cloud: GoogleCloud, need: MachinesNeed, project: str) -> Reply:
    """Return what a service lists of its quotas in a region, whose metrics are not known here."""
    path = f"v1/projects/{project}/locations/global/services/{need.service or _COMPUTE}/quotaInfos"
    try:
        pages = cloud.pages("cloudquotas", path)
    except Refused as refusal:
        return reply_to(refusal, "cloudquotas.quotas.get")
    limits = {
        f"{each['quotaId']} {_text(limit)}"
        for page in pages
        for each in page.get("quotaInfos", ())
        for limit in each.get("dimensionsInfos", ())
        if need.region in limit.get("applicableLocations", ()) and _value(limit) >= need.count
    }
    words = need.machine_type.replace("-", "_").upper().split("_")[:1] or ["TPU"]
    fitting = sorted(each for each in limits if words[0] in each.upper()) or sorted(limits)
    many = f"{len(limits)} quotas in {need.region} allow {need.count} or more"
    return not_asked(f"{many}{f', such as {fitting[0]}' if fitting else ''}; which one counts is not known here.")


def _of_cloud_quotas(cloud: GoogleCloud, need: QuotaNeed, metric: str, family: str) -> Reply:
    name = f"{metric.replace('_', '-')}-per-project{'-region' if need.region else ''}"
    path = f"v1/projects/{need.account}/locations/global/services/{need.service}/quotaInfos/{name}"
    info = cloud.get("cloudquotas", path)
    for limit in info.get("dimensionsInfos", ()):
        dimensions = limit.get("dimensions", {})
        its_family = next((value for key, value in dimensions.items() if key.endswith("_family")), "")
        place = dimensions.get("region", "")
        applies = not need.region or place == need.region or need.region in limit.get("applicableLocations", ())
        if applies and its_family == family:
            return enough(need.amount, _value(limit), None, need.unit, need.region)
    return not_asked(f"Quota {name} shows no value for {family or 'it'} in {need.region or 'the project'}.")


def _value(limit: Mapping[str, Any]) -> float:
    """The value of a quota, which the API writes as a text; -1 is no limit (Cloud Quotas API, QuotaDetails)."""
    value = float(limit.get("details", {}).get("value") or 0)
    return float("inf") if value < 0 else value


def _text(limit: Mapping[str, Any]) -> str:
    dimensions = limit.get("dimensions", {})
    return " ".join(f"{key}={value}" for key, value in dimensions.items()) + f" ({_value(limit):.15g})"
