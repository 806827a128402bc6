"""Rules on diagnostic settings, which send logs of a resource somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.azure.facts.log_categories import log_categories
from penstock.azure.types import MONITOR_DIAGNOSTIC_SETTING, STORAGE_ACCOUNT
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail
from penstock.graph.view import Block, Site, View
from penstock.rules.checks import Either, Given
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.taken_names import Called, first_with_any, whose

RULES = RuleSet(Category.PROVIDER)


_DESTINATIONS: Final = ("workspaceId", "storageAccountId", "eventHubAuthorizationRuleId", "marketplacePartnerId")
_KINDS: Final = ("logs", "metrics")
_OF_SERVICE: Final = "Use resourceUri with /blobServices/default at its end."
_SOURCE: Final = "Azure Monitor documentation, diagnostic settings"

RULES.row(
    "az-diagnostics-somewhere",
    "A diagnostic setting sends somewhere.",
    on=MONITOR_DIAGNOSTIC_SETTING,
    check=Either(*map(Given, _DESTINATIONS)),
    severity=HIGH,
    rationale="Azure rejects a setting without a destination.",
    fix="Set workspaceId to a Log Analytics workspace, or another destination.",
    sources=(_SOURCE,),
)


@RULES.rule(
    on=MONITOR_DIAGNOSTIC_SETTING,
    severity=MEDIUM,
    rationale=(
        "Azure rejects a setting with a category that the resource does not have. A warning: services gain categories."
    ),
    fix=(
        "Set logs[].category to a category of the resource, or categoryGroup to allLogs. A storage account has none: "
        "its services have, such as the account's id followed by /blobServices/default."
    ),
    joins=True,
    sources=("Azure Monitor reference, supported log categories",),
)
def az_diagnostics_category(setting: View) -> Verdict:
    """The categories of logs in a diagnostic setting are those that its resource has."""
    known = log_categories()
    resource = setting.one("resourceUri", *known)
    logs = setting.blocks("logs")
    if resource is None or not logs or (resource.type == STORAGE_ACCOUNT and not _is_whole(setting, resource)):
        return NOT_APPLICABLE
    categories = known[resource.type]

    def check(log: Block) -> Verdict:
        name = log.text("category")
        if not categories:
            path = log.at("categoryGroup" if name is None else "category")
            return fail(f"{resource.name} has no logs, only its services have", hint=_OF_SERVICE, path=path)
        if name is None:
            return NOT_APPLICABLE
        message = f"{resource.name} has no category {name!r}"
        known_here = name.casefold() in map(str.casefold, categories)
        return allow(known_here, message, hint=f"Use one of {', '.join(categories)}.", path=log.at("category"))

    return each(logs, check)


def _is_whole(setting: View, account: View) -> bool:
    """Return whether a setting is for an account and not for one of its services, whose ids begin as the account's."""
    return (setting.text("resourceUri") or "").casefold() == account.id.casefold()


@RULES.rule(
    on=MONITOR_DIAGNOSTIC_SETTING,
    severity=HIGH,
    rationale="Azure rejects a setting with both categories and groups of categories.",
    fix="Set categoryGroup of each of logs, or category of each.",
    sources=(_SOURCE,),
)
def az_diagnostics_groups(setting: View) -> Verdict:
    """The logs of a diagnostic setting are all named by category, or all by group."""
    logs = setting.blocks("logs")
    if not logs:
        return NOT_APPLICABLE
    grouped = [log for log in logs if "categoryGroup" in log]
    mixed = bool(grouped) and any("category" in log for log in logs)
    path = grouped[0].at("categoryGroup") if grouped else "logs"
    return allow(not mixed, "logs has categories and groups of them", hint="Use one of the two.", path=path)


@RULES.rule(
    on=MONITOR_DIAGNOSTIC_SETTING,
    severity=HIGH,
    rationale="Azure rejects a second setting that sends a category of a resource to the same place.",
    fix="Leave the category out of one of the settings, or send it to another workspace, account or event hub.",
    joins=True,
    sources=(_SOURCE,),
)
def az_diagnostics_once(setting: View) -> Verdict:
    """No two diagnostic settings of a resource send a category to the same place."""
    first = setting.site.once(_first_to_send)

    def check(sent: Called) -> Verdict:
        other = first[sent]
        if other == setting.urn:
            return PASS
        message = f"{setting.site.graph[other].name} sends {sent[1]} of the same resource to the same place"
        return fail(message, hint="Leave it out.", path=sent[2])

    sent = list(_sent(setting))
    return each(sent, check) if sent else NOT_APPLICABLE


def _sent(setting: View) -> Iterator[Called]:
    """A resource, a category or group of it, the property that says where it is sent, and what that says."""
    resource = (setting.text("resourceUri") or "").casefold()
    for key in _DESTINATIONS:
        if key not in setting:
            continue
        place = f"{whose(setting, key)} {setting.text('eventHubName') or ''}".casefold()
        for stream in (stream for kind in _KINDS for stream in setting.blocks(kind)):
            name = stream.text("category") or stream.text("categoryGroup")
            if name and stream.flag("enabled") is not False:
                yield resource, name, key, place


def _first_to_send(site: Site) -> dict[Called, str]:
    return first_with_any(site.of_type(MONITOR_DIAGNOSTIC_SETTING), _sent)
