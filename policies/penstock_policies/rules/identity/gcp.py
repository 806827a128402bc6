"""Identity and hardening on Google Cloud: what is granted to whom."""

from __future__ import annotations

import re
from typing import Final

from penstock.resources.verdict import PASS, UNKNOWN, Outcome, Verdict, allow, each, fail
from penstock.resources.view import View
from penstock_policies.bindings import EVERYBODY, Grant, OfGrants, forms
from penstock_policies.checks import All, ByType, Custom, Given, Matches, NoneOf, Unlike, Where, values
from penstock_policies.rule import CRITICAL, HIGH, MEDIUM, Concern, Rules
from penstock_policies.settings import Settings

RULES = Rules(Concern.IDENTITY)

_WIDE: Final = (*forms("projects", "IAM"), *forms("folder", "IAM"), *forms("organizations", "IAM"))
_NARROW: Final = (
    *forms("storage", "BucketIAM", "ManagedFolderIam"),
    *forms("kms", "CryptoKeyIAM", "KeyRingIAM", "EkmConnectionIam"),
    *forms("secretmanager", "SecretIam", "RegionalSecretIam"),
    *forms("artifactregistry", "RepositoryIam"),
    *forms("pubsub", "TopicIAM", "SubscriptionIAM", "SchemaIam"),
    *forms("bigquery", "DatasetIam", "Iam", "ConnectionIam", "RoutineIam"),
    *forms("bigtable", "InstanceIam", "TableIam"),
    *forms("spanner", "DatabaseIAM", "InstanceIAM"),
    *forms("compute", "ImageIam", "DiskIam", "RegionDiskIam", "SnapshotIam", "MachineImageIam", "InstanceIAM"),
    *forms("compute", "InstanceTemplateIam"),
    *forms("serviceaccount", "IAM"),
    *forms("workbench", "InstanceIam"),
    *forms("vertex", "AiEndpointIam", "AiFeatureOnlineStoreIam", "AiFeatureGroupIam", "AiReasoningEngineIam"),
    *forms("dataproc", "ClusterIAM", "JobIAM"),
    *forms("gkebackup", "BackupPlanIam"),
    *forms("healthcare", "DatasetIam", "ConsentStoreIam", "DicomStoreIam", "FhirStoreIam", "Hl7StoreIam"),
    *forms("logging", "LogViewIam"),
    *forms("sourcerepo", "RepositoryIam"),
)
"""What holds data. Cloud Run is missing: a web site is there to be called by everyone."""

_PUBLIC_ACL: Final = ("publicRead", "publicReadWrite", "authenticatedRead")
_NOT_EVERYBODY: Final = r"(?![A-Z]+:(?:allUsers|allAuthenticatedUsers)$).*"
_NO_PUBLIC_GROUP: Final = ("specialGroup", "iamMember")
"""How BigQuery's own lists call everybody."""
_ACCESS_LISTS: Final = {
    "gcp:storage/bucketAccessControl:BucketAccessControl": NoneOf("entity", EVERYBODY),
    "gcp:storage/defaultObjectAccessControl:DefaultObjectAccessControl": NoneOf("entity", EVERYBODY),
    "gcp:storage/objectAccessControl:ObjectAccessControl": NoneOf("entity", EVERYBODY),
    "gcp:storage/bucketACL:BucketACL": All(
        NoneOf("predefinedAcl", _PUBLIC_ACL),
        NoneOf("defaultAcl", _PUBLIC_ACL),
        Matches("roleEntities[]", _NOT_EVERYBODY),
    ),
    "gcp:storage/objectACL:ObjectACL": All(
        NoneOf("predefinedAcl", _PUBLIC_ACL), Matches("roleEntities[]", _NOT_EVERYBODY)
    ),
    "gcp:storage/defaultObjectACL:DefaultObjectACL": Matches("roleEntities[]", _NOT_EVERYBODY),
    "gcp:bigquery/dataset:Dataset": All(*(NoneOf(f"accesses[].{key}", EVERYBODY) for key in _NO_PUBLIC_GROUP)),
    "gcp:bigquery/datasetAccess:DatasetAccess": All(*(NoneOf(key, EVERYBODY) for key in _NO_PUBLIC_GROUP)),
}
_CALLED: Final = {
    **dict.fromkeys(forms("cloudrunv2", "ServiceIam"), ("name", "gcp:cloudrunv2/service:Service", "ingress")),
    **dict.fromkeys(
        forms("cloudrun", "Iam"),
        ("service", "gcp:cloudrun/service:Service", 'metadata.annotations."run.googleapis.com/ingress"'),
    ),
    **dict.fromkeys(
        forms("cloudfunctions", "FunctionIam"),
        ("cloudFunction", "gcp:cloudfunctions/function:Function", "ingressSettings"),
    ),
    **dict.fromkeys(
        forms("cloudfunctionsv2", "FunctionIam"),
        ("cloudFunction", "gcp:cloudfunctionsv2/function:Function", "serviceConfig.ingressSettings"),
    ),
}
"""What answers calls: the property that names it, its type, and where that says from which networks they may come."""
_SERVICE: Final = "gcp:cloudrunv2/service:Service"
_EVERY_NETWORK: Final = (None, "all", "INGRESS_TRAFFIC_ALL", "ALLOW_ALL")

_BASIC: Final = ("roles/owner", "roles/editor", "roles/viewer", "roles/admin", "roles/writer", "roles/reader")
_IMPERSONATING: Final = (
    "roles/iam.serviceAccountUser",
    "roles/iam.serviceAccountTokenCreator",
    "roles/iam.serviceAccountOpenIdTokenCreator",
    "roles/iam.workloadIdentityUser",
)
_APPOINTING: Final = (
    "roles/iam.serviceAccountKeyAdmin",
    "roles/iam.serviceAccountAdmin",
    "roles/iam.securityAdmin",
    "roles/resourcemanager.projectIamAdmin",
    "roles/resourcemanager.folderIamAdmin",
    "roles/resourcemanager.organizationAdmin",
)
"""Roles that make keys of accounts or hand out roles, themselves included: a matter of people."""
_PEOPLE: Final = ("user:", "group:")
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
    role, member = grant.named_role, grant.named_member
    acts = role in _IMPERSONATING or (role in _APPOINTING and not member.startswith(_PEOPLE))
    if not acts or grant.is_conditional or _OF_GOOGLE.fullmatch(member):
        return None
    if role in _APPOINTING:
        return f"it grants {role}, and with it every other role"
    return f"it grants {role} for every service account at once"


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


@RULES.rule(
    "gcp-run-no-public",
    on=(*_CALLED, _SERVICE),
    reads=(),
    joins=True,
    weight=MEDIUM,
    why="Whoever finds the address runs models on your bill, and tries every request that the code did not expect.",
    fix="Grant roles/run.invoker to the callers' accounts and leave invokerIamDisabled out, or set ingress to "
    "INGRESS_TRAFFIC_INTERNAL_ONLY; a web site for everybody has a load balancer in front of it.",
    peers="CKV_GCP_102 CKV_GCP_107",
)
def not_everybody_calls(it: View, settings: Settings) -> Verdict:
    """A service of Cloud Run or a function is called by named accounts, or from networks of ours only."""
    if it.type == _SERVICE:
        checked = it.flag("invokerIamDisabled") is not True or it.flag("iapEnabled") is True
        return PASS if checked else _is_inside(it, "ingress", "invokerIamDisabled is true", "invokerIamDisabled")
    said = OfGrants(_complains_of_public).judge(it, settings)
    key, type_, ingress = _CALLED[it.type]
    called = it.found(key, type_) if said.failures else []
    if not called:
        return said
    inside = each(called, lambda service: _is_inside(service, ingress, "it may be called from everywhere", ingress))
    return said if inside.failures else inside


def _is_inside(service: View, ingress: str, complaint: str, path: str) -> Verdict:
    return allow(not set(values(service, ingress)).intersection(_EVERY_NETWORK), complaint, path=path)


RULES.row(
    "gcp-iam-no-token-creator",
    "Nobody may act as every service account of a project at once, and no program make itself one that may.",
    on=_WIDE,
    check=OfGrants(_complains_of_impersonation),
    weight=HIGH,
    why="Its bearer takes the most powerful account of the project, those made later included, and acts as that.",
    fix="Grant the role on one service account, by serviceaccount.IAMMember; where a program must hand out roles, "
    "limit by condition which ones.",
    peers="CKV_GCP_41 CKV_GCP_42 CKV_GCP_44 CKV_GCP_45 CKV_GCP_49 GCP-0011",
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


def _is_made_elsewhere(it: View, settings: Settings) -> Verdict:
    outcome = Given("publicKeyData").judge(it, settings).outcome
    if outcome is Outcome.FAIL:
        return fail("Google makes a key that never expires by itself", path="serviceAccountId")
    return PASS if outcome is Outcome.PASS else UNKNOWN


_KEYS: Final = {
    "gcp:serviceaccount/key:Key": Custom(("publicKeyData",), _is_made_elsewhere),
    "gcp:storage/hmacKey:HmacKey": Custom(
        (), lambda _, __: fail("Google makes a pair of keys that never expire", path="serviceAccountEmail")
    ),
}

RULES.row(
    "gcp-sa-no-keys",
    "Google makes no keys of service accounts for people to keep.",
    on=tuple(_KEYS),
    check=ByType(_KEYS),
    weight=HIGH,
    why="Such a key works from anywhere for years, and its private half lies in the state of the stack.",
    fix="Use Workload Identity in GKE, attached service accounts on machines and federation elsewhere; if there must "
    "be a key, make it where it is used and give its public half as publicKeyData.",
    peers="CKV2_GCP_3",
    cis=("GCP 1.4†",),
)
RULES.row(
    "gcp-wif-condition",
    "A pool takes tokens of an issuer that everyone shares on a condition only.",
    on="gcp:iam/workloadIdentityPoolProvider:WorkloadIdentityPoolProvider",
    check=Where(
        Matches("oidc.issuerUri", "|".join(re.escape(issuer) + r"(?:/.*)?" for issuer in _SHARED_ISSUERS)),
        All(Given("attributeCondition"), Unlike("attributeCondition", r"\s*true\s*")),
    ),
    weight=CRITICAL,
    why="A workflow in anybody's repository gets a token of the same issuer, and with it a place in the pool.",
    fix="Set attributeCondition, such as assertion.repository_owner_id == '1234567'; ids do not pass to another owner.",
    peers="CKV_GCP_125",
)
