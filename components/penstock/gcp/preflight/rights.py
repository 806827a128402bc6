"""What the caller may do: on the project, on the billing account, and against policies of the organisation."""

from __future__ import annotations

from typing import Final

from penstock.catalog.permissions import permissions_to_create
from penstock.core.wording import listed
from penstock.gcp.preconditions.places import project_for
from penstock.gcp.preflight.project import GoogleCloud, reply_to
from penstock.graph.view import Site
from penstock.preconditions import Precondition
from penstock.preconditions.need import NamedNeed, NamesNeed, named
from penstock.preflight.inquiry import Reply, met, not_asked, not_met
from penstock.preflight.rest import Refused, items_at

CREDENTIALS: Final = "gcp-credentials"
PERMISSIONS: Final = "gcp-permissions"

_BUDGETS: Final = "billing.budgets.create"
_INVALID: Final = 400
_SHOWN: Final = 12
_AT_ONCE: Final = 30
"""Names of one call of `services:batchGet` (Service Usage API)."""


def credentials_needed() -> Precondition:
    """Return the precondition that there are credentials, whose answer names the caller."""
    return Precondition(
        "Google Cloud credentials",
        "Pulumi creates everything with them.",
        "gcloud auth application-default login",
        "",
        named("credentials", {}),
        CREDENTIALS,
    )


def permissions_needed(site: Site) -> Precondition | None:
    """Return the precondition that the caller may do what the program does; None where it creates nothing known."""
    types = {each.type for each in site.graph if each.custom and not each.external}
    permissions, project = permissions_to_create(types, "gcp/permissions"), project_for(site)
    if not permissions:
        return None
    return Precondition(
        f"{len(permissions)} permissions on project {project} for whoever runs Pulumi",
        "Google Cloud answers PERMISSION_DENIED at the first one that is missing, in the middle of the update.",
        f"gcloud projects add-iam-policy-binding {project} --member=user:YOU --role=ROLE, with roles that have them.",
        "",
        NamesNeed(permissions, project),
        PERMISSIONS,
    )


def answer_permissions(cloud: GoogleCloud, need: NamesNeed) -> Reply:
    """Return which permissions the caller lacks on the project."""
    path, untested = f"v1/projects/{need.scope}", []
    try:
        has = set(cloud.allowed("cloudresourcemanager", path, list(need.names)))
    except Refused as refusal:
        if refusal.status != _INVALID:
            return reply_to(refusal, "resourcemanager.projects.get")
        has = set()
        for each in need.names:  # one that projects do not have spoils the call for all
            try:
                has |= set(cloud.allowed("cloudresourcemanager", path, [each]))
            except Refused:
                untested.append(each)
    missing = [each for each in need.names if each not in has and each not in untested]
    beside = f" Not tested: {listed(untested)}." if untested else ""
    if not missing:
        return met(f"{cloud.caller} has all of them.{beside}")
    return not_met(f"{cloud.caller} lacks {listed(missing, _SHOWN)}.{beside}")


def answer_budgets(cloud: GoogleCloud, need: NamedNeed) -> Reply:
    """Return whether the caller may create budgets on the billing account of the budget, or else of the project."""
    account = need.word("name").removeprefix("billingAccounts/")
    try:
        if not account:
            info = cloud.get("cloudbilling", f"v1/projects/{need.word('project')}/billingInfo")
            account = str(info.get("billingAccountName") or "").removeprefix("billingAccounts/")
        if not account:
            return not_met("The project is linked to no billing account.")
        has = cloud.allowed("cloudbilling", f"v1/billingAccounts/{account}", [_BUDGETS])
    except Refused as refusal:
        return reply_to(refusal, "resourcemanager.projects.get")
    found = f"{cloud.caller} {'has' if has else 'lacks'} {_BUDGETS} on billing account {account}."
    return met(found) if has else not_met(found)


def answer_policy(cloud: GoogleCloud, need: NamedNeed) -> Reply:
    """Return whether a policy of the organisation is not enforced on a project."""
    name = need.word("name").removeprefix("constraints/")
    try:
        policy = cloud.get("orgpolicy", f"v2/projects/{need.word('project')}/policies/{name}:getEffectivePolicy")
    except Refused as refusal:
        return reply_to(refusal, "orgpolicy.policy.get")
    rules = list(items_at(policy, "spec.rules.*"))
    enforced = [rule for rule in rules if rule.get("enforce") or rule.get("denyAll")]
    if enforced:
        return not_met("It is enforced.", "Have an exception made for the project, or do without what it refuses.")
    if any(rule.get("values") for rule in rules):
        return not_asked("It allows some values only; see whether yours are among them.")
    return met("It is not enforced.")


def answer_apis(cloud: GoogleCloud, need: NamesNeed) -> Reply:
    """Return which APIs are off in a project."""
    states: dict[str, str] = {}
    try:
        for first in range(0, len(need.names), _AT_ONCE):
            names = need.names[first : first + _AT_ONCE]
            query = "&".join(f"names=projects/{need.scope}/services/{each}" for each in names)
            answer = cloud.get("serviceusage", f"v1/projects/{need.scope}/services:batchGet?{query}")
            found = answer.get("services", ())
            states |= {str(each["name"]).rpartition("/")[2]: str(each.get("state")) for each in found}
    except Refused as refusal:
        return reply_to(refusal, "serviceusage.services.get")
    off = [each for each in need.names if states.get(each) != "ENABLED"]
    return not_met(f"Off: {listed(off)}.") if off else met("On.")
