"""Who asks, and whether its policies allow what the program creates, by IAM's own simulator."""

from __future__ import annotations

import json
import re
from typing import Final

from penstock.aws.preflight.account import AwsAccount, AwsRefused
from penstock.catalog.permissions import permissions_to_create
from penstock.core.wording import listed
from penstock.graph.view import Site, View
from penstock.preconditions import Precondition
from penstock.preconditions.need import NamedNeed, NamesNeed, named
from penstock.preflight.inquiry import Reply, met, not_met

ACCOUNT: Final = "aws-account"
PERMISSIONS: Final = "aws-permissions"

_AT_ONCE: Final = 100
_SESSION: Final = re.compile(r"arn:(?P<partition>[\w-]+):sts::(?P<account>\d+):assumed-role/(?P<name>[^/]+)/.+")
_PROVIDER: Final = "pulumi:providers:aws"
_SHOWN: Final = 12


def account_needed(site: Site) -> Precondition:
    """Return the precondition that credentials are of the account that a provider allows, if one does."""
    allowed = sorted({each for provider in site.of_type(_PROVIDER) for each in _allowed(provider)})
    account = f" of account {listed(allowed)}" if allowed else ""
    return Precondition(
        f"AWS credentials{account}",
        "Pulumi creates everything in the account of its credentials, and its provider refuses any that is not named.",
        "aws sso login, with a profile of that account in AWS_PROFILE.",
        "",
        named("account", {"allowed": " ".join(allowed)}),
        ACCOUNT,
    )


def _allowed(provider: View) -> list[str]:
    """The accounts that a provider allows; lists in the inputs of providers are JSON."""
    given = provider.given("allowedAccountIds")
    accounts = json.loads(given) if isinstance(given, str) else given
    return [each for each in accounts if isinstance(each, str)] if isinstance(accounts, list) else []


def permissions_needed(site: Site) -> Precondition | None:
    """Return the precondition that the caller may do what the program does; None where it creates nothing known."""
    types = {each.type for each in site.graph if each.custom and not each.external}
    actions = permissions_to_create(types, "aws/permissions")
    if not actions:
        return None
    return Precondition(
        f"{len(actions)} actions allowed to whoever runs Pulumi",
        "AWS answers AccessDenied at the first action that no policy allows, in the middle of the update.",
        "Attach a policy that allows them to the role of the caller.",
        "",
        NamesNeed(actions),
        PERMISSIONS,
    )


def answer_account(account: AwsAccount, need: NamedNeed) -> Reply:
    """Return whether the credentials are of an allowed account."""
    allowed = need.word("allowed").split()
    found = f"{account.arn} in account {account.id}."
    return met(found) if not allowed or account.id in allowed else not_met(found)


def answer_permissions(account: AwsAccount, need: NamesNeed) -> Reply:
    """Return which actions the policies of the caller do not allow on all resources."""
    if account.arn.endswith(":root"):
        return met("The root user may do everything; use a role instead.")
    denied: dict[str, str] = {}
    try:
        principal = _principal(account)
        for first in range(0, len(need.names), _AT_ONCE):
            actions = list(need.names[first : first + _AT_ONCE])
            results = account.call("iam", "simulate_principal_policy", PolicySourceArn=principal, ActionNames=actions)[
                "EvaluationResults"
            ]
            denied |= {
                each["EvalActionName"]: each["EvalDecision"] for each in results if each["EvalDecision"] != "allowed"
            }
    except AwsRefused as refusal:
        return refusal.reply()
    if not denied:
        return met(f"The policies of {principal} allow all of them.")
    explicit = [action for action, decision in denied.items() if decision == "explicitDeny"]
    names = sorted(denied, key=lambda action: action not in explicit)
    forbidden = f"; {listed(explicit[:_SHOWN])} explicitly denied" if explicit else ""
    return not_met(
        f"The policies of {principal} do not allow on all resources: {listed(names, _SHOWN)}{forbidden}.",
        "Allow them, unless policies that name single resources, which the simulator is not asked for, do so already.",
    )


def _principal(account: AwsAccount) -> str:
    """The user or role whose policies count: that of a session has its path in IAM only."""
    session = _SESSION.fullmatch(account.arn)
    if session is None:
        return account.arn
    try:
        return str(account.call("iam", "get_role", RoleName=session["name"])["Role"]["Arn"])
    except AwsRefused:
        return f"arn:{session['partition']}:iam::{session['account']}:role/{session['name']}"
