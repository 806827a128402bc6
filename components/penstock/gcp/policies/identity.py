"""Identity and hardening on Google Cloud: what is granted to whom."""

from __future__ import annotations

import re
from typing import Final

from penstock.gcp.policies.bindings import EVERYBODY, Grant, OfGrants, grant_types, grants_of
from penstock.gcp.types import (
    BIGQUERY_DATASET,
    CLOUDFUNCTIONS_FUNCTION,
    CLOUDFUNCTIONSV2_FUNCTION,
    CLOUDRUN_SERVICE,
    CLOUDRUNV2_SERVICE,
    IAM_WORKLOAD_IDENTITY_POOL_PROVIDER,
    PROJECTS_IAM_CUSTOM_ROLE,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Outcome, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.policies.open_world import NotOpen
from penstock.rules.checks import All, ByType, Custom, Either, Given, Matches, NoneOf, Unlike, Where, values
from penstock.rules.levels import CRITICAL, HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_WIDE: Final = (*grant_types("projects", "IAM"), *grant_types("folder", "IAM"), *grant_types("organizations", "IAM"))
_NARROW: Final = (
    *grant_types("storage", "BucketIAM", "ManagedFolderIam"),
    *grant_types("kms", "CryptoKeyIAM", "KeyRingIAM", "EkmConnectionIam"),
    *grant_types("secretmanager", "SecretIam", "RegionalSecretIam"),
    *grant_types("artifactregistry", "RepositoryIam"),
    *grant_types("pubsub", "TopicIAM", "SubscriptionIAM", "SchemaIam"),
    *grant_types("bigquery", "DatasetIam", "Iam", "ConnectionIam", "RoutineIam", "Datapolicyv2DataPolicyIam"),
    *grant_types("bigquerydatapolicy", "DataPolicyIam"),
    *grant_types("bigqueryanalyticshub", "DataExchangeIam", "ListingIam"),
    *grant_types("biglake", "HiveCatalogIam", "HiveDatabaseIam", "HiveTableIam"),
    *grant_types("biglake", "IcebergCatalogIam", "IcebergNamespaceIam", "IcebergTableIam"),
    *grant_types("bigtable", "InstanceIam", "TableIam"),
    *grant_types("spanner", "DatabaseIAM", "InstanceIAM"),
    *grant_types("compute", "ImageIam", "DiskIam", "RegionDiskIam", "SnapshotIam", "MachineImageIam", "InstanceIAM"),
    *grant_types("compute", "InstanceTemplateIam", "InstantSnapshotIam", "RegionInstantSnapshotIam", "StoragePoolIam"),
    *grant_types("compute", "SubnetworkIAM"),
    *grant_types("serviceaccount", "IAM"),
    *grant_types("iam", "WorkloadIdentityPoolIam", "WorkforcePoolIam"),
    *grant_types("iap", "TunnelIam", "TunnelInstanceIAM", "TunnelDestGroupIam"),
    *grant_types("billing", "AccountIam"),
    *grant_types("workbench", "InstanceIam"),
    *grant_types("workstations", "WorkstationIam", "WorkstationConfigIam"),
    *grant_types("colab", "RuntimeTemplateIam"),
    *grant_types("vertex", "AiEndpointIam", "AiFeatureOnlineStoreIam", "AiFeatureGroupIam", "AiReasoningEngineIam"),
    *grant_types("vertex", "AiFeatureOnlineStoreFeatureviewIam", "AiFeatureStoreIam", "AiFeatureStoreEntityTypeIam"),
    *grant_types("cloudrunv2", "JobIam", "WorkerPoolIam"),
    *grant_types("cloudbuildv2", "ConnectionIAM"),
    *grant_types("clouddeploy", "DeliveryPipelineIam", "TargetIam"),
    *grant_types("cloudtasks", "QueueIam"),
    *grant_types(
        "dataproc", "ClusterIAM", "JobIAM", "MetastoreServiceIam", "MetastoreDatabaseIam", "MetastoreTableIam"
    ),
    *grant_types("dataplex", "LakeIam", "ZoneIam", "AssetIam", "DataProductIam", "TaskIam"),
    *grant_types("dataform", "RepositoryIam"),
    *grant_types("discoveryengine", "SearchEngineIam"),
    *grant_types("gemini", "DataAnalyticsDataAgentIam", "RepositoryGroupIam"),
    *grant_types("gkebackup", "BackupPlanIam", "RestorePlanIam"),
    *grant_types("gkehub", "MembershipIam", "ScopeIam"),
    *grant_types("healthcare", "DatasetIam", "ConsentStoreIam", "DicomStoreIam", "FhirStoreIam", "Hl7StoreIam"),
    *grant_types("logging", "LogViewIam"),
    *grant_types("binaryauthorization", "AttestorIam"),
    *grant_types("certificateauthority", "CaPoolIam"),
    *grant_types("runtimeconfig", "ConfigIam"),
    *grant_types("securesourcemanager", "InstanceIam", "RepositoryIam"),
    *grant_types("securitycenter", "SourceIam", "V2OrganizationSourceIam"),
    *grant_types("sourcerepo", "RepositoryIam"),
)
"""What holds data or leads to it; services of Cloud Run and sites behind IAP do not: a web site is for everyone."""

_BEHIND_IAP: Final = (
    *grant_types(
        "iap", "WebIam", "WebTypeAppEngingIam", "WebTypeComputeIam", "LocationWebIam", "WebCloudRunServiceIam"
    ),
    *grant_types("iap", "WebBackendServiceIam", "WebRegionBackendServiceIam"),
    *grant_types("iap", "WebForwardingRuleServiceIam", "WebRegionForwardingRuleServiceIam"),
    *grant_types("iap", "AppEngineServiceIam", "AppEngineVersionIam"),
    *grant_types(
        "iap", "AgentRegistryIam", "AgentRegistryAgentIam", "AgentRegistryEndpointIam", "AgentRegistryMcpServerIam"
    ),
)

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
    BIGQUERY_DATASET: All(*(NoneOf(f"accesses[].{key}", EVERYBODY) for key in _NO_PUBLIC_GROUP)),
    "gcp:bigquery/datasetAccess:DatasetAccess": All(*(NoneOf(key, EVERYBODY) for key in _NO_PUBLIC_GROUP)),
}
_CALLED: Final = {
    **dict.fromkeys(grant_types("cloudrunv2", "ServiceIam"), ("name", CLOUDRUNV2_SERVICE, "ingress")),
    **dict.fromkeys(
        grant_types("cloudrun", "Iam"),
        ("service", CLOUDRUN_SERVICE, 'metadata.annotations."run.googleapis.com/ingress"'),
    ),
    **dict.fromkeys(
        grant_types("cloudfunctions", "FunctionIam"),
        ("cloudFunction", CLOUDFUNCTIONS_FUNCTION, "ingressSettings"),
    ),
    **dict.fromkeys(
        grant_types("cloudfunctionsv2", "FunctionIam"),
        ("cloudFunction", CLOUDFUNCTIONSV2_FUNCTION, "serviceConfig.ingressSettings"),
    ),
}
"""What answers calls: the property that names it, its type, and where that says from which networks they may come."""
_OPENED: Final = {
    CLOUDRUNV2_SERVICE: ("invokerIamDisabled", "iapEnabled", "ingress"),
    CLOUDRUN_SERVICE: (
        'metadata.annotations."run.googleapis.com/invoker-iam-disabled"',
        'metadata.annotations."run.googleapis.com/iap-enabled"',
        'metadata.annotations."run.googleapis.com/ingress"',
    ),
}
"""Services that may ask nobody who he is: what turns that off, what asks before them, and from which networks."""
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
    "roles/resourcemanager.folderAdmin",
    "roles/resourcemanager.folderIamAdmin",
    "roles/resourcemanager.organizationAdmin",
)
"""Roles that make keys of accounts or hand out roles, themselves included: a matter of people."""
_CUSTOM_ROLES: Final = (PROJECTS_IAM_CUSTOM_ROLE, "gcp:organizations/iAMCustomRole:IAMCustomRole")
_TAKING_OVER: Final = (
    "iam.serviceAccountKeys.create",
    "iam.serviceAccounts.actAs",
    "iam.serviceAccounts.getAccessToken",
    "iam.serviceAccounts.implicitDelegation",
    "iam.serviceAccounts.setIamPolicy",
    "iam.serviceAccounts.signBlob",
    "iam.serviceAccounts.signJwt",
    "resourcemanager.folders.setIamPolicy",
    "resourcemanager.organizations.setIamPolicy",
    "resourcemanager.projects.setIamPolicy",
)
"""Permissions by which whoever has them on a whole project acts as its accounts, or gives himself any role."""
_PEOPLE: Final = ("user:", "group:")
_DEFAULT_ACCOUNT: Final = re.compile(
    r"serviceAccount:(?:\d+-compute@developer|[\w.:-]+@appspot)\.gserviceaccount\.com", re.IGNORECASE
)
_CONSUMER: Final = re.compile(
    r"(?:user|group):[^@]+@(?:(?:gmail|googlemail|googlegroups|yahoo|hotmail|outlook|live|msn|icloud|me|aol|gmx|mail"
    r"|protonmail|yandex|qq|163)\.com|proton\.me|(?:gmx|web)\.de|gmx\.net|(?:mail|yandex)\.ru)",
    re.IGNORECASE,
)
_WHOLE_POOL: Final = re.compile(
    r"principalSet://iam\.googleapis\.com/projects/[^/]+/locations/global/workloadIdentityPools/[^/]+/\*"
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
)
"""Issuers of everybody's tokens; one with a path, as GitHub and CircleCI give an organization, is that one's alone."""
_OF_EVERYBODY: Final = "(?:iss|aud|exp|iat|nbf)"
"""Claims that a stranger's token has as well: the issuer, the times, and the audience that its bearer asked for."""
_TELLS_WHO: Final = (
    rf"(?s).*\b(?:(?:assertion|attribute)(?:\.(?!{_OF_EVERYBODY}\b)\w+|\[['\"](?!{_OF_EVERYBODY}['\"])[^'\"]+['\"]\])"
    r"|google\.(?:subject|groups)\b).*"
)
"""A condition on a claim by which an issuer distinguishes its users."""


def _complains_of_basic(grant: Grant) -> str | None:
    return f"{grant.named_role} is a basic role" if grant.named_role in _BASIC else None


def _complains_of_public(grant: Grant) -> str | None:
    return f"the binding lets {grant.named_member} in" if grant.named_member in EVERYBODY else None


def _complains_of_pool(grant: Grant) -> str | None:
    whole = _WHOLE_POOL.fullmatch(grant.named_member)
    return f"the binding grants {grant.named_role} to every identity of a pool" if whole else None


def _complains_of_default(grant: Grant) -> str | None:
    default = grant.named_role not in _BASIC and _DEFAULT_ACCOUNT.fullmatch(grant.named_member)
    return f"the binding grants {grant.named_role} to a default account" if default else None


def _complains_of_consumer(grant: Grant) -> str | None:
    return (
        f"the binding grants {grant.named_role} to a private account"
        if _CONSUMER.fullmatch(grant.named_member)
        else None
    )


def _complains_of_impersonation(grant: Grant) -> str | None:
    role, member = grant.named_role, grant.named_member
    acts = role in _IMPERSONATING or (role in _APPOINTING and not member.startswith(_PEOPLE))
    if not acts or grant.is_conditional or _OF_GOOGLE.fullmatch(member):
        return None
    if role in _APPOINTING:
        return f"the binding grants {role}, and with it every other role"
    return f"the binding grants {role} for every service account at once"


def _custom_roles_take_nothing_over(it: View, _: Settings) -> Verdict:
    """Return the verdict that custom roles let no identity but a person's act as every service account."""
    roles = [] if it.type.endswith("Policy") else it.found("role", *_CUSTOM_ROLES)
    taken = [permission for role in roles for permission in role.texts("permissions") if permission in _TAKING_OVER]
    if not taken:
        return NOT_APPLICABLE

    def one(grant: Grant) -> Verdict:
        spared = grant.named_member.startswith(_PEOPLE) or grant.is_conditional
        return allow(spared, f"the binding grants {taken[0]} for every service account at once", path="role")

    return each(grants_of(it), one)


RULES.row(
    "gcp-iam-no-basic",
    "Nobody gets a basic role, such as owner, editor or viewer.",
    on=_WIDE,
    check=OfGrants(_complains_of_basic, at_role=True),
    severity=HIGH,
    rationale=(
        "An editor may change and delete nearly everything, and even a viewer reads all metadata of the project: one "
        "stolen token becomes the whole project."
    ),
    fix="Grant predefined roles of the services in question, such as roles/container.developer, narrowly.",
    peers="CKV_GCP_42 CKV_GCP_44 CKV_GCP_45 CKV_GCP_49 CKV_GCP_115 CKV_GCP_116 CKV_GCP_117 GCP-0007 KICS:cefdad16",
    cis=("GCP 4.0: 1.5",),
)
RULES.row(
    "gcp-iam-no-public",
    "Nothing that holds data, or leads to it, is for everybody.",
    on=(*_WIDE, *_NARROW, *_ACCESS_LISTS),
    check=ByType({**dict.fromkeys((*_WIDE, *_NARROW), OfGrants(_complains_of_public)), **_ACCESS_LISTS}),
    severity=CRITICAL,
    rationale=(
        "Anyone on the internet reads it, or anyone with a Google account does; searches for such buckets run day and "
        "night."
    ),
    fix="Remove allUsers and allAuthenticatedUsers; grant the role to a group, or hand out signed addresses.",
    peers="CKV2_GCP_6 CKV2_GCP_8 CKV2_GCP_9 CKV_GCP_15 CKV_GCP_28 CKV_GCP_98 CKV_GCP_99 CKV_GCP_100 CKV_GCP_101 "
    "CKV_GCP_112 CKV_GCP_113 GCP-0001 GCP-0046 KICS:16cc87d1 KICS:a6cd52a1 KICS:c010082c KICS:e576ce44",
    cis=("GCP 4.0: 1.9", "GCP 4.0: 5.1", "GCP 4.0: 7.1"),
)
RULES.row(
    "gcp-iap-no-public",
    "Who gets past Identity-Aware Proxy is named.",
    on=_BEHIND_IAP,
    check=OfGrants(_complains_of_public),
    severity=HIGH,
    rationale="The proxy is there to keep strangers out, and allAuthenticatedUsers is everyone with a Google account.",
    fix="Grant roles/iap.httpsResourceAccessor (roles/iap.egressor for agents) to a group or a domain.",
)


@RULES.rule(
    on=(*_CALLED, *_OPENED),
    joins=True,
    severity=MEDIUM,
    rationale=(
        "Whoever finds the address runs models on your bill, and tries every request that the code did not expect."
    ),
    fix="Grant roles/run.invoker to the callers' accounts and leave invokerIamDisabled out, or set ingress to "
    "INGRESS_TRAFFIC_INTERNAL_ONLY; a web site for everybody has a load balancer in front of it.",
    peers="CKV_GCP_102 CKV_GCP_107",
)
def gcp_run_no_public(it: View, settings: Settings) -> Verdict:
    """A service of Cloud Run or a function is called by named accounts, or from networks of ours only."""
    if it.type in _OPENED:
        opened, proxied, ingress = _OPENED[it.type]
        checked = not _is_on(it, opened) or _is_on(it, proxied)
        return PASS if checked else _is_inside(it, ingress, f"{opened} is true", opened)
    said = OfGrants(_complains_of_public).judge(it, settings)
    key, type_, ingress = _CALLED[it.type]
    called = it.found(key, type_) if said.failures else []
    if not called:
        return said
    inside = each(called, lambda service: _is_inside(service, ingress, "everybody may call the service", ingress))
    return said if inside.failures else inside


def _is_on(service: View, path: str) -> bool:
    return any(value in (True, "true") for value in values(service, path))


def _is_inside(service: View, ingress: str, complaint: str, path: str) -> Verdict:
    return allow(not set(values(service, ingress)).intersection(_EVERY_NETWORK), complaint, path=path)


RULES.row(
    "gcp-iam-no-token-creator",
    "Nobody may act as every service account of a project at once, and no program make itself one that may.",
    on=_WIDE,
    check=All(OfGrants(_complains_of_impersonation), Custom(_custom_roles_take_nothing_over, others=True)),
    severity=HIGH,
    rationale="Its bearer takes the most powerful account of the project, those made later included, and acts as that.",
    fix="Grant the role on one service account, by serviceaccount.IAMMember; where a program must hand out roles, "
    "limit by condition which ones.",
    peers="CKV_GCP_41 CKV_GCP_44 CKV_GCP_45 CKV_GCP_49 GCP-0005 GCP-0009 GCP-0011 KICS:617ef6ff KICS:84d36481 "
    "KICS:c68b4e6d",
    cis=("GCP 4.0: 1.6",),
)


@RULES.rule(
    on=tuple(type_ for type_ in _WIDE if not type_.endswith("Member")),
    severity=MEDIUM,
    rationale=(
        "It removes whoever the program does not know: administrators lose the project, and Google's own agents stop "
        "working."
    ),
    fix="Grant by IAMMember, which adds one member and leaves others alone.",
)
def gcp_iam_no_authoritative(it: View, _: Settings) -> Verdict:
    """Nobody loses access because a program does not list him."""
    if it.type.endswith("Policy"):
        return fail("the policy removes every grant that it does not list", path="policyData")
    role = it.text("role") or ""
    return allow(not _OF_AGENTS.fullmatch(role), f"the binding takes {role} from all others", path="role")


def _is_made_elsewhere(it: View, settings: Settings) -> Verdict:
    outcome = Given("publicKeyData").judge(it, settings).outcome
    if outcome is Outcome.FAIL:
        return fail("Google creates a key that never expires", path="serviceAccountId")
    return PASS if outcome is Outcome.PASS else UNKNOWN


_KEYS: Final = {
    "gcp:serviceaccount/key:Key": Custom(_is_made_elsewhere),
    "gcp:storage/hmacKey:HmacKey": Custom(
        lambda _, __: fail("Google creates a pair of keys that never expire", path="serviceAccountEmail")
    ),
}

RULES.row(
    "gcp-sa-no-keys",
    "Google makes no keys of service accounts for people to keep.",
    on=tuple(_KEYS),
    check=ByType(_KEYS),
    severity=HIGH,
    rationale="Such a key works from anywhere for years, and its private half lies in the state of the stack.",
    fix="Use Workload Identity in GKE, attached service accounts on machines and federation elsewhere; if there must "
    "be a key, make it where it is used and give its public half as publicKeyData.",
    peers="CKV2_GCP_3",
    cis=("GCP 4.0: 1.4",),
)


def _tells_who(provider: View, _: Settings) -> Verdict:
    path = "attributeCondition"
    distinguishes = re.fullmatch(_TELLS_WHO, provider.text(path) or "")
    return allow(distinguishes, f"{path} holds for strangers as well: no claim in it distinguishes them", path=path)


RULES.row(
    "gcp-wif-condition",
    "A pool takes tokens of an issuer that everyone shares on a condition only.",
    on=IAM_WORKLOAD_IDENTITY_POOL_PROVIDER,
    check=Where(
        Matches("oidc.issuerUri", "|".join(re.escape(issuer) + "/?" for issuer in _SHARED_ISSUERS)),
        All(Given("attributeCondition"), Where(Given("attributeCondition"), Custom(_tells_who))),
    ),
    severity=CRITICAL,
    rationale="A workflow in anybody's repository gets a token of the same issuer, and with it a place in the pool.",
    fix="Set attributeCondition, such as assertion.repository_owner_id == '1234567'; ids do not pass to another owner.",
    peers="CKV_GCP_118 CKV_GCP_125 GCP-0068",
)
RULES.row(
    "gcp-iam-no-default-sa",
    "The default accounts of Compute Engine and App Engine get no role on a project or above.",
    on=_WIDE,
    check=OfGrants(_complains_of_default),
    severity=MEDIUM,
    rationale="Every machine and service that names no account of its own acts as it, those of other teams as well.",
    fix="Grant the role to an account that one machine or service has, best on the bucket or the secret alone.",
    peers="CKV_GCP_46 CKV_GCP_47 CKV_GCP_48 GCP-0004 GCP-0006 GCP-0008",
)
RULES.row(
    "gcp-iam-no-consumer",
    "People get roles as accounts of the organization.",
    on=(*_WIDE, *_NARROW),
    check=OfGrants(_complains_of_consumer),
    severity=MEDIUM,
    rationale=(
        "Nobody but its owner can close a private account, or ask it for a second factor: who leaves keeps the role."
    ),
    fix="Grant the role to a group of your own domain, or to an identity of a workforce pool.",
    peers="GCP-0069 KICS:9356962e",
    cis=("GCP 4.0: 1.1",),
)
RULES.row(
    "gcp-wif-no-whole-pool",
    "A role goes to certain identities of a pool, and not to all of them.",
    on=(*_WIDE, *_NARROW, *_CALLED, *_BEHIND_IAP),
    check=OfGrants(_complains_of_pool),
    severity=HIGH,
    rationale="Every repository, job or cluster whose token the pool takes has the role, and so has each that a later "
    "provider or a wider condition lets in.",
    fix="Grant to principalSet://.../attribute.repository/OWNER/NAME or to principal://.../subject/SUBJECT, with the "
    "attribute in attributeMapping of the WorkloadIdentityPoolProvider.",
)
_API_KEY: Final = "gcp:projects/apiKey:ApiKey"
_TARGETS: Final = "restrictions.apiTargets"
_FROM: Final = "restrictions.serverKeyRestrictions.allowedIps"
_SITES: Final = "restrictions.browserKeyRestrictions.allowedReferrers"
_EVERY_API: Final = ("cloudapis.googleapis.com",)
_ANY_ADDRESS: Final = r"(?:\*|https?)?(?::?/{0,2}\*)?(?:/\*)?"

RULES.row(
    "gcp-apikey-targets",
    "An API key opens certain APIs only.",
    on=_API_KEY,
    check=All(Given(_TARGETS), NoneOf(f"{_TARGETS}[].service", _EVERY_API)),
    severity=HIGH,
    rationale="A key for maps that leaked with a web page calls Gemini on your bill.",
    fix="Set restrictions.apiTargets to the services that the key is for, such as generativelanguage.googleapis.com; a "
    "program on Google Cloud needs no key, but a service account.",
    cis=("GCP 4.0: 1.14",),
)
RULES.row(
    "gcp-apikey-clients",
    "An API key works from certain addresses, sites or apps only.",
    on=_API_KEY,
    check=Either(
        All(Given(_FROM), NotOpen(f"{_FROM}[]")),
        All(Given(_SITES), Unlike(f"{_SITES}[]", _ANY_ADDRESS)),
        Given("restrictions.androidKeyRestrictions.allowedApplications"),
        Given("restrictions.iosKeyRestrictions.allowedBundleIds"),
    ),
    severity=MEDIUM,
    rationale="A key is a password that ends up in code, in pages and in logs: whoever finds it uses it from anywhere.",
    fix="Set restrictions.serverKeyRestrictions.allowedIps to the addresses of Cloud NAT (browserKeyRestrictions."
    "allowedReferrers for a page, the restrictions for Android or iOS for an app).",
    cis=("GCP 4.0: 1.13",),
)
