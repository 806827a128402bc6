"""Identity and hardening on Google Cloud: what is granted to whom."""

from __future__ import annotations

import re
from typing import Final

from penstock.resources.verdict import PASS, UNKNOWN, Outcome, Verdict, allow, fail
from penstock.resources.view import View
from penstock_policies.bindings import EVERYBODY, Grant, OfGrants, forms
from penstock_policies.checks import All, ByType, Given, Matches, NoneOf, Where
from penstock_policies.rule import CRITICAL, HIGH, Concern, Rules
from penstock_policies.settings import Settings

RULES = Rules(Concern.IDENTITY)

_WIDE: Final = (*forms("projects", "IAM"), *forms("folder", "IAM"), *forms("organizations", "IAM"))
_NARROW: Final = (
    *forms("storage", "BucketIAM", "ManagedFolderIam"),
    *forms("kms", "CryptoKeyIAM", "KeyRingIAM"),
    *forms("secretmanager", "SecretIam", "RegionalSecretIam"),
    *forms("artifactregistry", "RepositoryIam"),
    *forms("pubsub", "TopicIAM", "SubscriptionIAM"),
    *forms("bigquery", "DatasetIam"),
    *forms("compute", "ImageIam", "DiskIam", "SnapshotIam", "InstanceIAM"),
    *forms("serviceaccount", "IAM"),
    *forms("workbench", "InstanceIam"),
    *forms("healthcare", "DatasetIam"),
)
"""What holds data. Cloud Run is missing: a web site is there to be called by everyone."""
_ACCESS_LISTS: Final = {
    "gcp:storage/bucketAccessControl:BucketAccessControl": NoneOf("entity", EVERYBODY),
    "gcp:storage/defaultObjectAccessControl:DefaultObjectAccessControl": NoneOf("entity", EVERYBODY),
    "gcp:storage/objectAccessControl:ObjectAccessControl": NoneOf("entity", EVERYBODY),
    "gcp:storage/bucketACL:BucketACL": All(
        NoneOf("predefinedAcl", ("publicRead", "publicReadWrite", "authenticatedRead")),
        NoneOf("defaultAcl", ("publicRead", "authenticatedRead")),
        Matches("roleEntities[]", r"(?![A-Z]+:(?:allUsers|allAuthenticatedUsers)$).*"),
    ),
}

_BASIC: Final = ("roles/owner", "roles/editor", "roles/viewer", "roles/admin", "roles/writer", "roles/reader")
_IMPERSONATING: Final = (
    "roles/iam.serviceAccountUser",
    "roles/iam.serviceAccountTokenCreator",
    "roles/iam.serviceAccountOpenIdTokenCreator",
    "roles/iam.workloadIdentityUser",
)
_OF_GOOGLE: Final = re.compile(
    r"serviceAccount:(?:service-\d+@[\w-]+\.iam\.gserviceaccount\.com|\d+@cloudservices\.gserviceaccount\.com)"
)
"""Google's service agents, which act for the project by themselves."""
_OF_AGENTS: Final = re.compile(r"roles/(?:owner|editor|[\w.]*[sS]erviceAgent)")
"""Roles that Google gives its own agents, so that a list of ours takes them away."""
_SHARED_ISSUERS: Final = (
    "https://token.actions.githubusercontent.com",
    "https://gitlab.com",
    "https://app.terraform.io",
    "https://agent.buildkite.com",
    "https://oidc.circleci.com/org",
)


def _complains_of_basic(grant: Grant) -> str | None:
    return f"it grants {grant.named_role}" if grant.named_role in _BASIC else None


def _complains_of_public(grant: Grant) -> str | None:
    return f"it lets {grant.named_member} in" if grant.named_member in EVERYBODY else None


def _complains_of_impersonation(grant: Grant) -> str | None:
    if grant.named_role not in _IMPERSONATING or _OF_GOOGLE.fullmatch(grant.named_member):
        return None
    return f"it grants {grant.named_role} for every service account at once"


RULES.row(
    "gcp-iam-no-basic",
    "Nobody gets a basic role, such as owner, editor or viewer.",
    on=_WIDE,
    check=OfGrants(_complains_of_basic),
    weight=HIGH,
    why="An editor may change and delete nearly everything, and even a viewer reads all metadata of the project: one "
    "stolen token becomes the whole project.",
    fix="Grant predefined roles of the services in question, such as roles/container.developer, narrowly.",
    peers="CKV_GCP_117 CKV_GCP_49 GCP-0007",
    cis=("GCP 1.5†",),
)
RULES.row(
    "gcp-iam-no-public",
    "Nothing that holds data is for everybody.",
    on=(*_WIDE, *_NARROW, *_ACCESS_LISTS),
    check=ByType({**dict.fromkeys((*_WIDE, *_NARROW), OfGrants(_complains_of_public)), **_ACCESS_LISTS}),
    weight=CRITICAL,
    why="Anyone on the internet reads it, or anyone with a Google account does; searches for such buckets run day and "
    "night.",
    fix="Remove allUsers and allAuthenticatedUsers; grant the role to a group, or hand out signed addresses.",
    peers="CKV_GCP_28 GCP-0001",
    cis=("GCP 5.1†",),
)
RULES.row(
    "gcp-iam-no-token-creator",
    "Nobody may act as every service account of a project at once.",
    on=_WIDE,
    check=OfGrants(_complains_of_impersonation),
    weight=HIGH,
    why="Its bearer takes the most powerful account of the project, those made later included, and acts as that.",
    fix="Grant the role on one service account, by serviceaccount.IAMMember.",
    peers="CKV_GCP_41 GCP-0011",
    cis=("GCP 1.6†",),
)


@RULES.rule(
    "gcp-iam-no-authoritative",
    on=tuple(type_ for type_ in _WIDE if not type_.endswith("Member")),
    reads=(),
    weight=HIGH,
    why="It removes whoever the program does not know: administrators lose the project, and Google's own agents stop "
    "working.",
    fix="Grant by IAMMember, which adds one member and leaves others alone.",
)
def members_are_added_one_by_one(it: View, _: Settings) -> Verdict:
    """Nobody loses access because a program does not list him."""
    if it.type.endswith("Policy"):
        return fail("it removes every grant that it does not list", path="policyData")
    role = it.text("role") or ""
    return allow(not _OF_AGENTS.fullmatch(role), f"it takes {role} from all whom it does not list", path="role")


@RULES.rule(
    "gcp-sa-no-keys",
    on="gcp:serviceaccount/key:Key",
    reads=("publicKeyData",),
    weight=HIGH,
    why="Such a key works from anywhere for years, and its private half lies in the state of the stack.",
    fix="Use Workload Identity in GKE, attached service accounts on machines and federation elsewhere; if there must "
    "be a key, make it where it is used and give its public half as publicKeyData.",
    peers="CKV2_GCP_3",
    cis=("GCP 1.4†",),
)
def no_account_has_keys(it: View, settings: Settings) -> Verdict:
    """Google makes no keys of service accounts for people to keep."""
    outcome = Given("publicKeyData").judge(it, settings).outcome
    if outcome is Outcome.FAIL:
        return fail("Google makes a key that never expires by itself", path="serviceAccountId")
    return PASS if outcome is Outcome.PASS else UNKNOWN


RULES.row(
    "gcp-wif-condition",
    "A pool takes tokens of an issuer that everyone shares on a condition only.",
    on="gcp:iam/workloadIdentityPoolProvider:WorkloadIdentityPoolProvider",
    check=Where(
        Matches("oidc.issuerUri", "|".join(re.escape(issuer) + r"(?:/.*)?" for issuer in _SHARED_ISSUERS)),
        Given("attributeCondition"),
    ),
    weight=CRITICAL,
    why="A workflow in anybody's repository gets a token of the same issuer, and with it a place in the pool.",
    fix="Set attributeCondition, such as assertion.repository_owner_id == '1234567'; ids do not pass to another owner.",
    peers="CKV_GCP_125",
)
