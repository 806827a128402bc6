"""IAM: who may do what, as Google writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.core.spelling import MISSPELT_WITH_AFFIX, near_matches, suggestion
from penstock.gcp.facts import roles as gcp_roles
from penstock.gcp.facts import service_agents
from penstock.gcp.types import SERVICEACCOUNT_ACCOUNT
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, allow, each, fail
from penstock.graph.view import Site, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_ALL = "gcp:*"
_GRANT = re.compile(r"gcp:[^:]+:\w*I(?:AM|am)(?:Member|Binding)")
"""Older types are called IAMMember, newer ones IamMember."""
_POLICY = re.compile(r"gcp:[^:]+:\w*I(?:AM|am)Policy")
_GRANT_KIND = re.compile(r"I(?:AM|am)(?:Member|Binding|Policy)$")
_EMAIL = r"[^@\s:]+@[^@\s:]+\.[^@\s:]+"
_WORKLOAD = r"[^\s\[\]]+\.svc\.id\.goog\[[^\[\]/\s]+/[^\[\]/\s]+\]"
_FORMS = {
    "user": re.compile(_EMAIL),
    "group": re.compile(_EMAIL),
    "serviceAccount": re.compile(f"{_EMAIL}|{_WORKLOAD}"),
    "domain": re.compile(r"[^@\s:]+\.[^@\s:]+"),
    "principal": re.compile(r"//\S+"),
    "principalSet": re.compile(r"//\S+"),
    "principalHierarchy": re.compile(r"\S+"),
    "projectOwner": re.compile(r"\S+"),
    "projectEditor": re.compile(r"\S+"),
    "projectViewer": re.compile(r"\S+"),
    "deleted": re.compile(r"\S+"),
}
_EVERYBODY = ("allUsers", "allAuthenticatedUsers")
_ROLE = re.compile(r"(?:roles/[A-Za-z0-9_.]+|(?:projects|organizations)/[^/\s]+/roles/[A-Za-z0-9_.]+)")
_ACCOUNT = re.compile(r"[a-z](?:[a-z0-9-]{4,28}[a-z0-9])")
_AGENT = re.compile(r"serviceAccount:service-[^@]*@(?P<agent>[^@.]+)\.iam\.gserviceaccount\.com")
_NEARLY = 0.9
"""How much two roles have in common of which one may be the other mistyped; their services are the same anyway."""
_PLACES = ("role", "member", "members", "condition", "etag", "policyData")
"""What a grant says beside the thing that it is on."""


@RULES.rule(
    on=_ALL,
    severity=HIGH,
    rationale="IAM rejects members of another form.",
    fix=(
        "Write user:, group: or serviceAccount: before the e-mail address in member, as in "
        "serviceAccount:NAME@PROJECT.iam.gserviceaccount.com."
    ),
    sources=("IAM documentation, principal identifiers",),
)
def gcp_iam_member_form(grant: View) -> Verdict:
    """A member has a form that IAM knows: user:, group: or serviceAccount: with an address, or principal://."""
    if not _GRANT.fullmatch(grant.type):
        return NOT_APPLICABLE
    return each(_members(grant), lambda item: _member(*item))


@RULES.rule(
    on=_ALL,
    severity=HIGH,
    rationale="IAM rejects roles of another form.",
    fix="Set role to one such as roles/storage.objectViewer.",
    sources=("Pulumi Google Cloud 10.2, projects.IAMMember, role",),
)
def gcp_iam_role_form(grant: View) -> Verdict:
    """A role is roles/NAME, or projects/PROJECT/roles/NAME (or of an organization) for a custom role."""
    role = grant.text("role") if _GRANT.fullmatch(grant.type) else None
    if role is None:
        return NOT_APPLICABLE
    hint = (
        f"Write roles/{role.rpartition('/')[2]}."
        if "/" not in role
        else "Write one such as roles/storage.objectViewer."
    )
    return allow(_ROLE.fullmatch(role), f"{role!r} is not a role", hint=hint, path="role")


@RULES.rule(
    on=SERVICEACCOUNT_ACCOUNT,
    severity=HIGH,
    rationale="The IAM API rejects other ids.",
    fix="Set accountId to 6 to 30 of a-z, 0-9 and -, a letter first and no hyphen last.",
    sources=("IAM API v1, discovery document, CreateServiceAccountRequest.accountId",),
)
def gcp_sa_account_id(account: View) -> Verdict:
    """The id of a service account has 6 to 30 lower-case letters, digits and hyphens, a letter first."""
    name = account.text("accountId")
    if name is None:
        return NOT_APPLICABLE
    hint = "Use 6 to 30 of a-z, 0-9 and -, a letter first and no - at the end."
    return allow(_ACCOUNT.fullmatch(name), f"{name!r} is not a valid service account id", hint=hint, path="accountId")


@RULES.rule(
    on=_ALL,
    severity=HIGH,
    rationale="IAM refuses a service account that does not exist.",
    fix=(
        "Set member to serviceAccount:service-PROJECT_NUMBER@AGENT.iam.gserviceaccount.com with the service agent's "
        "exact name."
    ),
    sources=("IAM documentation, service agents (catalogue, gcp_service_agents)",),
)
def gcp_iam_service_agent_name(grant: View) -> Verdict:
    """The address of a service agent is spelled as Google spells it."""
    if not _GRANT.fullmatch(grant.type):
        return NOT_APPLICABLE

    def check(item: tuple[str, str]) -> Verdict:
        member, path = item
        found = _AGENT.fullmatch(member)
        if found is None:
            return NOT_APPLICABLE
        known = [_agent(service_agents.email(service, "")) for service in service_agents.services()]
        agent = found["agent"]
        if agent in known:
            return PASS
        near = near_matches(agent, known, likeness=MISSPELT_WITH_AFFIX)
        if not near or agent.startswith("gcp-sa-"):
            return NOT_APPLICABLE  # one of the many that the catalogue does not name
        message = f"Google has no service agent {agent}"
        return fail(message, hint=f"Write service-PROJECT_NUMBER@{near[0]}.iam.gserviceaccount.com.", path=path)

    return each(_members(grant), check)


@RULES.rule(
    on=_ALL,
    severity=MEDIUM,
    rationale="Two grants of the same are one in IAM, so removing either of them removes both.",
    fix="Leave one of the two grants out.",
    joins=True,
    sources=("Pulumi Google Cloud 10.2, projects.IAMMember: one resource for each member and role",),
)
def gcp_iam_duplicate_grant(grant: View) -> Verdict:
    """A member is granted a role on a resource only once."""
    if not _GRANT.fullmatch(grant.type) or "member" not in grant:
        return NOT_APPLICABLE
    key = _granted(grant)
    first = grant.site.once(_first)[key]
    message = f"{grant.site.graph[first].name} grants the same already"
    return allow(first == grant.urn, message, path="member")


@RULES.rule(
    on=_ALL,
    severity=MEDIUM,
    rationale="An IAMBinding is authoritative for its role and takes the role away from all other members.",
    fix="Name all members in one IAMBinding, or use an IAMMember for each.",
    joins=True,
    sources=("Pulumi Google Cloud 10.2, projects.IAMMember: IAMBinding is authoritative for a role",),
)
def gcp_iam_binding_conflict(grant: View) -> Verdict:
    """A role on a resource is given by one IAMBinding or by IAMMembers, and not by both."""
    if not _GRANT.fullmatch(grant.type) or "members" not in grant:
        return NOT_APPLICABLE
    target = _target(grant)
    others = grant.site.once(_on)[target]
    beside = [urn for urn in others if urn != grant.urn]
    name = grant.site.graph[beside[0]].name if beside else ""
    message = f"{name} grants the same role on the same resource, and the binding revokes it"
    return allow(not beside, message, hint="Name all members in one binding, or use IAMMember for each.", path="role")


@RULES.rule(
    on=_ALL,
    severity=MEDIUM,
    rationale="An IAMPolicy is authoritative for all roles, and its next update revokes what others grant.",
    fix="Grant all roles in policyData, or replace the IAMPolicy by an IAMMember for each grant.",
    joins=True,
    sources=("Pulumi Google Cloud 10.2, projects.IAMPolicy: not together with IAMBinding and IAMMember",),
)
def gcp_iam_policy_conflict(policy: View) -> Verdict:
    """A resource with an IAMPolicy has no other IAMPolicy, IAMBinding or IAMMember."""
    if not _POLICY.fullmatch(policy.type):
        return NOT_APPLICABLE
    beside = [urn for urn in policy.site.once(_beside)[_on_what(policy)] if urn != policy.urn]
    name = policy.site.graph[beside[0]].name if beside else ""
    message = f"{name} grants a role on the same resource, and the policy revokes it"
    hint = "Grant all roles in policyData, or use IAMMember for each grant."
    return allow(not beside, message, hint=hint, path="policyData")


@RULES.rule(
    on=_ALL,
    severity=MEDIUM,
    rationale="IAM refuses a role that does not exist; the catalogue names only part of all roles.",
    fix="Set role to the predefined role that is meant.",
    sources=("IAM documentation, predefined roles (catalogue, gcp_roles)",),
)
def gcp_iam_role_spelling(grant: View) -> Verdict:
    """A predefined role of a known service is spelled as Google spells it."""
    role = grant.text("role") if _GRANT.fullmatch(grant.type) else None
    if role is None or not role.startswith("roles/"):
        return NOT_APPLICABLE
    known = gcp_roles.roles_of(role.removeprefix("roles/").partition(".")[0].lower())
    if role in known:
        return PASS
    spelled = {each_.lower(): each_ for each_ in known}
    near = near_matches(role.lower(), spelled, likeness=_NEARLY)
    if not near:
        return NOT_APPLICABLE  # one of the many that the catalogue does not name
    return fail(f"{role} is not a known role", hint=suggestion([spelled[near[0]]]), path="role")


def _agent(email: str) -> str:
    return email.partition("@")[2].partition(".")[0]


def _member(member: str, path: str) -> Verdict:
    kind, colon, rest = member.partition(":")
    if member in _EVERYBODY:
        return PASS
    form = _FORMS.get(kind)
    if not colon or form is None:
        hint = f"Write user:, group: or serviceAccount: before it, as in serviceAccount:{member}."
        return fail(f"{member!r} has no prefix for the kind of member", hint=hint, path=path)
    hint = f"Write {kind}:NAME@example.com." if kind in ("user", "group", "serviceAccount") else "Write it in full."
    return allow(form.fullmatch(rest), f"{member!r} is not a valid {kind}", hint=hint, path=path)


def _members(grant: View) -> Iterator[tuple[str, str]]:
    """The members of a grant, each with its path."""
    if "members" in grant:
        yield from ((member, f"members[{index}]") for index, member in enumerate(grant.texts("members")))
        return
    member = grant.text("member")
    if member is not None:
        yield member, "member"


def _target(grant: View) -> tuple[str, ...]:
    """The target of a grant and its role: the kind of grant, and the properties that name the target."""
    return grant.text("role") or "", _condition(grant), *_on_what(grant)


def _on_what(grant: View) -> tuple[str, ...]:
    kind = grant.type.partition("/")[0], _GRANT_KIND.sub("", grant.type.rpartition(":")[2])
    things = (f"{key}={_thing(grant, key)}" for key in sorted(grant) if key not in _PLACES and key in grant)
    return *kind, grant.resource.provider_urn, *things


def _thing(grant: View, key: str) -> str:
    try:
        return grant.text(key) or ""
    except NotKnown:
        sources = grant.resource.property_dependencies.get(key, ())
        if len(sources) != 1:
            raise
        return sources[0]


def _condition(grant: View) -> str:
    condition = grant.block("condition")
    return "" if condition is None else condition.text("expression") or ""


def _granted(grant: View) -> tuple[str, ...]:
    return (*_target(grant), grant.text("member") or "")


def _first(site: Site) -> dict[tuple[str, ...], str]:
    found: dict[tuple[str, ...], str] = {}
    for grant in _grants(site):
        if "member" in grant:
            try:
                found.setdefault(_granted(grant), grant.urn)
            except (NotKnown, TypeMismatch):
                continue
    return found


def _on(site: Site) -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for grant in _grants(site):
        try:
            found.setdefault(_target(grant), []).append(grant.urn)
        except (NotKnown, TypeMismatch):
            continue
    return found


def _beside(site: Site) -> dict[tuple[str, ...], list[str]]:
    """The policies and grants on each thing."""
    found: dict[tuple[str, ...], list[str]] = {}
    policies = dict.fromkeys(resource.type for resource in site.graph if _POLICY.fullmatch(resource.type))
    for grant in (*site.of_type(*policies), *_grants(site)):
        try:
            found.setdefault(_on_what(grant), []).append(grant.urn)
        except (NotKnown, TypeMismatch):
            continue
    return found


def _grants(site: Site) -> list[View]:
    types = dict.fromkeys(resource.type for resource in site.graph if _GRANT.fullmatch(resource.type))
    return site.of_type(*types)
