"""Identity and hardening on Google Cloud: who combines which roles, and on what condition strangers get any."""

from __future__ import annotations

import re
from typing import Final

from penstock.gcp.policies.bindings import Grant, OfGrants, grant_types, grants_of
from penstock.gcp.types import IAM_WORKLOAD_IDENTITY_POOL_PROVIDER
from penstock.graph.verdict import PASS, UNKNOWN, NotKnown, TypeMismatch, Verdict, each, fail
from penstock.graph.view import Site, View
from penstock.rules.checks import Custom, Given, Unlike, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_WIDE: Final = (*grant_types("projects", "IAM"), *grant_types("folder", "IAM"), *grant_types("organizations", "IAM"))
_OF_KEYS: Final = grant_types("kms", "CryptoKeyIAM", "KeyRingIAM")
_OF_BUCKETS: Final = grant_types("storage", "BucketIAM")
_OF_ACCOUNTS: Final = grant_types("serviceaccount", "IAM")
_ADMINISTERING: Final = re.compile(r"roles/[\w.]*[aA]dmin")
_REPORTED: Final = re.compile(
    r"roles/(?:iam\.(?:serviceAccountKeyAdmin|serviceAccountAdmin|securityAdmin)"
    r"|resourcemanager\.(?:projectIamAdmin|folderAdmin|folderIamAdmin|organizationAdmin))"
)
"""Roles that gcp-iam-no-token-creator reports."""
_OF_DATA: Final = re.compile(r"roles/[\w.]*(?:object|user|data)Admin", re.IGNORECASE)
"""Roles that write data, as a workload does, and change no settings."""
_OWN_ACCOUNT: Final = re.compile(
    r"serviceAccount:(?!service-\d+@|\d+@cloudservices\.)[\w.-]+@[\w.:-]+\.gserviceaccount\.com"
)
_SHARED_ISSUERS: Final = (
    r"https://(?:token\.actions\.githubusercontent\.com|gitlab\.com|app\.terraform\.io|agent\.buildkite\.com)/?"
)
"""gcp-wif-condition judges providers of these issuers."""
_APART: Final = (
    (
        frozenset({"roles/cloudkms.admin"}),
        frozenset(
            {
                "roles/cloudkms.cryptoKeyDecrypter",
                "roles/cloudkms.cryptoKeyEncrypter",
                "roles/cloudkms.cryptoKeyEncrypterDecrypter",
            }
        ),
    ),
    (frozenset({"roles/iam.serviceAccountAdmin"}), frozenset({"roles/iam.serviceAccountUser"})),
)
"""Roles that administer something, each with those that use it."""


def _complains_of_user(grant: Grant) -> str | None:
    user = grant.named_member.startswith("user:")
    return f"the binding grants {grant.named_role} to one person" if user else None


def _complains_of_administering(grant: Grant) -> str | None:
    role = grant.named_role
    administers = _ADMINISTERING.fullmatch(role) and not _OF_DATA.fullmatch(role) and not _REPORTED.fullmatch(role)
    if not administers or grant.is_conditional or not _OWN_ACCOUNT.fullmatch(grant.named_member):
        return None
    return f"the binding grants {role} to a service account"


RULES.row(
    "gcp-iam-no-users",
    "Groups get roles on projects and above and on buckets, and single people do not.",
    on=(*_WIDE, *_OF_BUCKETS),
    check=OfGrants(_complains_of_user),
    severity=LOW,
    rationale="Roles of one person are forgotten when he changes teams, and no list of a team shows them.",
    fix="Grant the role to a group (group:team@example.com), and make the person a member.",
    peers="GCP-0003 KICS:704fcc44",
)
RULES.row(
    "gcp-iam-sa-no-admin",
    "No service account administers a service on a whole project or above.",
    on=_WIDE,
    check=OfGrants(_complains_of_administering, at_role=True),
    severity=MEDIUM,
    rationale="Code that runs as the account changes settings, access and data of every resource of that service.",
    fix="Grant the role on the one resource that the account manages, or a narrower role such as "
    "roles/storage.objectUser; for accounts that deploy, limit the grant by a condition.",
    peers="CKV_GCP_42 GCP-0007 KICS:cefdad16",
    cis=("GCP 4.0: 1.5",),
)


def _roles_by_member(site: Site) -> tuple[dict[str, frozenset[str]], bool]:
    """The roles of each member over all grants of the program, and whether every grant is known."""
    found: dict[str, set[str]] = {}
    complete = True
    for holder in site.of_type(*_WIDE, *_OF_KEYS, *_OF_ACCOUNTS):
        try:
            for grant in grants_of(holder):
                found.setdefault(grant.named_member, set()).add(grant.named_role)
        except (NotKnown, TypeMismatch):
            complete = False
    return {member: frozenset(roles) for member, roles in found.items()}, complete


def _duties_are_apart(it: View, _: Settings) -> Verdict:
    roles, complete = it.site.once(_roles_by_member)

    def one(grant: Grant) -> Verdict:
        member, role = grant.named_member, grant.named_role
        using = [use for admin, use in _APART if role in admin]
        both = [held for use in using for held in sorted(roles.get(member, frozenset()) & use)]
        if both:
            return fail(f"{member} has {role} and {both[0]}", path=grant.path)
        return UNKNOWN if using and not complete else PASS

    return each(grants_of(it), one)


RULES.row(
    "gcp-iam-duties-apart",
    "Whoever administers keys or service accounts does not use them as well.",
    on=(*_WIDE, *_OF_KEYS, *_OF_ACCOUNTS),
    check=Custom(_duties_are_apart, others=True),
    severity=MEDIUM,
    rationale="One stolen login gives itself a key or an account and uses it, and no second person notices.",
    fix="Grant roles/cloudkms.admin and the cryptoKey roles, and roles/iam.serviceAccountAdmin and "
    "roles/iam.serviceAccountUser, to different groups.",
    peers="KICS:92e4464a",
    cis=("GCP 4.0: 1.8", "GCP 4.0: 1.11"),
)
RULES.row(
    "gcp-wif-any-condition",
    "A pool accepts identities from outside on a condition.",
    on=IAM_WORKLOAD_IDENTITY_POOL_PROVIDER,
    check=Where(Unlike("oidc.issuerUri", _SHARED_ISSUERS), Given("attributeCondition")),
    severity=MEDIUM,
    rationale="Every identity that the issuer or the account signs for gets into the pool, those made later included.",
    fix="Set attributeCondition to the identities that are meant, such as "
    "assertion.arn.startsWith('arn:aws:sts::123456789012:assumed-role/train/').",
    peers="CKV_GCP_118 GCP-0068",
)
