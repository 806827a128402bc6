"""Quotas of a subscription with their use, as each resource provider lists them for a region."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from penstock.azure.preflight.subscription import AzureSubscription, reply_to
from penstock.preconditions.need import MachinesNeed, QuotaNeed
from penstock.preflight.inquiry import Reply, enough, not_asked
from penstock.preflight.rest import Refused, at

_VERSIONS: Final = {
    "Microsoft.Compute": "2024-07-01",
    "Microsoft.Network": "2024-05-01",
    "Microsoft.Storage": "2023-05-01",
    "Microsoft.StorageCache": "2024-03-01",
    "Microsoft.MachineLearningServices": "2024-04-01",
}
"""The version of the API of each resource provider that lists usages (Azure REST API reference)."""
_MACHINE_LEARNING: Final = "Machine Learning"


def answer_quota(azure: AzureSubscription, need: QuotaNeed) -> Reply:
    """Return whether what is left of a quota suffices."""
    if need.service not in _VERSIONS:
        return not_asked(f"No API lists the quotas of {need.service} with their use.")
    try:
        usages = _usages(azure, need.service, need.region)
    except Refused as refusal:
        return reply_to(refusal, f"{need.service}/locations/usages/read")
    for each in usages:
        if _name(each).casefold() == need.code.casefold():
            return enough(need.amount, each["limit"], each["currentValue"], need.unit, need.region)
    return not_asked(f"{need.service} lists no quota {need.code} in {need.region}.")


def answer_machines(azure: AzureSubscription, need: MachinesNeed) -> Reply:
    """Return what a service that counts its own machines lists for the size of a pool."""
    if need.service != _MACHINE_LEARNING:
        return not_asked(f"{need.service} counts in each account, which is not there yet.")
    try:
        usages = _usages(azure, "Microsoft.MachineLearningServices", need.region)
    except Refused as refusal:
        return reply_to(refusal, "Microsoft.MachineLearningServices/locations/usages/read")
    size = need.machine_type.removeprefix("Standard_").split("_")[0]
    letters = "".join(letter for letter in size if not letter.isdigit()).casefold()
    lines = [f"{_name(each)} {each['currentValue']} of {each['limit']}" for each in usages]
    near = [line for line in lines if letters in line.casefold()]
    return not_asked(f"Its quotas that may count: {'; '.join(near) or 'none of that name'}.")


def _usages(azure: AzureSubscription, service: str, region: str) -> list[Mapping[str, Any]]:
    return azure.values(f"{azure.path}/providers/{service}/locations/{region}/usages", _VERSIONS[service])


def _name(usage: Mapping[str, Any]) -> str:
    return str(at(usage, "name.value"))
