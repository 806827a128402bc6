"""What a subscription has and its caller may do: state, resource providers, features, actions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from penstock.azure.preflight.subscription import AzureSubscription, absent, reply_to
from penstock.catalog.permissions import permissions_to_create
from penstock.core.wording import listed
from penstock.graph.view import Site
from penstock.preconditions import Precondition
from penstock.preconditions.need import FeatureNeed, NamedNeed, NamesNeed, named
from penstock.preflight.inquiry import Reply, met, not_met
from penstock.preflight.rest import Refused

SUBSCRIPTION: Final = "az-subscription"
PERMISSIONS: Final = "az-permissions"

_SHOWN: Final = 12


def subscription_needed(subscription: str) -> Precondition:
    """Return the precondition that the subscription is there for the caller."""
    return Precondition(
        f"Azure subscription {subscription}, enabled",
        "Everything is created in it, and nothing in one that is disabled or that the caller does not see.",
        "az account list --all",
        "",
        named("subscription", {"name": subscription}),
        SUBSCRIPTION,
    )


def permissions_needed(site: Site) -> Precondition | None:
    """Return the precondition that the caller may do what the program does; None where it creates nothing known."""
    types = {each.type for each in site.graph if each.custom and not each.external}
    actions = permissions_to_create(types, "azure/permissions")
    if not actions:
        return None
    return Precondition(
        f"{len(actions)} actions on the subscription for whoever runs Pulumi",
        "Azure answers AuthorizationFailed at the first one that is missing, in the middle of the update.",
        "az role assignment create --assignee YOU --role ROLE --scope /subscriptions/ID, with roles that have them.",
        "",
        NamesNeed(actions),
        PERMISSIONS,
    )


def answer_subscription(azure: AzureSubscription, need: NamedNeed) -> Reply:
    """Return whether the caller sees the subscription, and whether it is enabled."""
    try:
        found = azure.get(f"/subscriptions/{need.word('name')}", "2022-12-01")
    except Refused as refusal:
        return absent(refusal, "Microsoft.Resources/subscriptions/read")
    text = f"{found.get('displayName')}: {found.get('state')}."
    return met(text) if found.get("state") == "Enabled" else not_met(text)


def answer_permissions(azure: AzureSubscription, need: NamesNeed) -> Reply:
    """Return which actions no role of the caller on the subscription allows."""
    try:
        entries = azure.values(f"{azure.path}/providers/Microsoft.Authorization/permissions", "2022-04-01")
    except Refused as refusal:
        return reply_to(refusal, "Microsoft.Authorization/permissions/read")
    missing = [action for action in need.names if not _is_allowed(action, entries)]
    if not missing:
        return met("The caller's roles on the subscription allow all of them.")
    return not_met(f"No role of the caller on the subscription allows {listed(missing, _SHOWN)}.")


def _is_allowed(action: str, entries: Sequence[Mapping[str, Any]]) -> bool:
    """Azure RBAC: a role allows its actions without its notActions, and roles add up."""
    return any(
        _matches(action, entry.get("actions", ())) and not _matches(action, entry.get("notActions", ()))
        for entry in entries
    )


def _matches(action: str, patterns: Sequence[str]) -> bool:
    forms = (".*".join(map(re.escape, pattern.split("*"))) for pattern in patterns)
    return any(re.fullmatch(form, action, re.IGNORECASE) for form in forms)


def answer_providers(azure: AzureSubscription, need: NamesNeed) -> Reply:
    """Return which resource providers are not registered."""
    try:
        found = azure.values(f"{azure.path}/providers", "2021-04-01")
    except Refused as refusal:
        return reply_to(refusal, "Microsoft.Resources/subscriptions/providers/read")
    states = {str(each["namespace"]).casefold(): each["registrationState"] for each in found}
    missing = [name for name in need.names if states.get(name.casefold()) != "Registered"]
    if not missing:
        return met("Registered.")
    fix = " && ".join(f"az provider register --namespace {name}" for name in missing)
    return not_met(f"Not registered: {listed(missing)}.", fix)


def answer_feature(azure: AzureSubscription, need: FeatureNeed) -> Reply:
    """Return whether a feature is registered, or is not, as it should be."""
    path = f"{azure.path}/providers/Microsoft.Features/providers/{need.namespace}/features/{need.name}"
    try:
        state = str(azure.get(path, "2021-07-01").get("properties", {}).get("state"))
    except Refused as refusal:
        return absent(refusal, "Microsoft.Features/providers/features/read")
    found = f"State {state}."
    return met(found) if (state == "Registered") is need.registered else not_met(found)
