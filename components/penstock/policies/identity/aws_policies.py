"""Policies on IAM's policy documents on AWS: on identities, in trust, and on resources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from penstock.model.iam.statements import Condition, Statement
from penstock.policies.documents import OfDocuments, check_of_statements
from penstock.policies.grants import can_be_limited, escalations
from penstock.resources.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, each, fail
from penstock.resources.view import View
from penstock.rules.checks import ByType, Custom
from penstock.rules.levels import CRITICAL, HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_ROLE: Final = "aws:iam/role:Role"
_IDENTITIES: Final = {
    "aws:iam/policy:Policy": ("policy",),
    "aws:iam/rolePolicy:RolePolicy": ("policy",),
    "aws:iam/userPolicy:UserPolicy": ("policy",),
    "aws:iam/groupPolicy:GroupPolicy": ("policy",),
    "aws:ssoadmin/permissionSetInlinePolicy:PermissionSetInlinePolicy": ("inlinePolicy",),
    _ROLE: ("inlinePolicies[].policy",),
}
_TRUST: Final = {_ROLE: ("assumeRolePolicy",)}
_KEYS: Final = dict.fromkeys(
    (
        "aws:kms/key:Key",
        "aws:kms/keyPolicy:KeyPolicy",
        "aws:kms/externalKey:ExternalKey",
        "aws:kms/replicaKey:ReplicaKey",
        "aws:kms/replicaExternalKey:ReplicaExternalKey",
    ),
    ("policy",),
)
_BUCKETS: Final = dict.fromkeys(
    (
        "aws:s3/bucketPolicy:BucketPolicy",
        "aws:s3/bucket:Bucket",
        "aws:s3/accessPoint:AccessPoint",
        "aws:s3/filesFileSystemPolicy:FilesFileSystemPolicy",
        "aws:s3control/accessGrantsInstanceResourcePolicy:AccessGrantsInstanceResourcePolicy",
        "aws:s3control/accessPointPolicy:AccessPointPolicy",
        "aws:s3control/bucketPolicy:BucketPolicy",
        "aws:s3control/objectLambdaAccessPointPolicy:ObjectLambdaAccessPointPolicy",
        "aws:s3/vectorsVectorBucketPolicy:VectorsVectorBucketPolicy",
    ),
    ("policy",),
) | dict.fromkeys(
    ("aws:s3tables/tableBucketPolicy:TableBucketPolicy", "aws:s3tables/tablePolicy:TablePolicy"), ("resourcePolicy",)
)
_REGISTRIES: Final = dict.fromkeys(
    ("aws:ecr/repositoryPolicy:RepositoryPolicy", "aws:ecr/registryPolicy:RegistryPolicy"), ("policy",)
) | {"aws:ecr/repositoryCreationTemplate:RepositoryCreationTemplate": ("repositoryPolicy",)}
_DOMAINS: Final = ("aws:opensearch/domain:Domain", "aws:elasticsearch/domain:Domain")
_SEARCH: Final = (
    *_DOMAINS,
    "aws:opensearch/domainPolicy:DomainPolicy",
    "aws:elasticsearch/domainPolicy:DomainPolicy",
)
_AGENT_POLICY: Final = "aws:bedrock/agentcoreResourcePolicy:AgentcoreResourcePolicy"
_AGENTS: Final = (
    "aws:bedrock/agentcoreAgentRuntime:AgentcoreAgentRuntime",
    "aws:bedrock/agentcoreGateway:AgentcoreGateway",
)
_OTHERS: Final = {
    **dict.fromkeys(
        (
            "aws:backup/vaultPolicy:VaultPolicy",
            "aws:cloudwatch/eventBusPolicy:EventBusPolicy",
            "aws:codebuild/resourcePolicy:ResourcePolicy",
            "aws:dsql/clusterPolicy:ClusterPolicy",
            "aws:dynamodb/resourcePolicy:ResourcePolicy",
            "aws:efs/fileSystemPolicy:FileSystemPolicy",
            "aws:glue/resourcePolicy:ResourcePolicy",
            "aws:kinesis/resourcePolicy:ResourcePolicy",
            "aws:lambda/resourcePolicy:ResourcePolicy",
            "aws:msk/clusterPolicy:ClusterPolicy",
            "aws:oam/sinkPolicy:SinkPolicy",
            "aws:opensearchingest/resourcePolicy:ResourcePolicy",
            "aws:redshift/resourcePolicy:ResourcePolicy",
            "aws:redshiftserverless/resourcePolicy:ResourcePolicy",
            "aws:schemas/registryPolicy:RegistryPolicy",
            "aws:secretsmanager/secret:Secret",
            "aws:secretsmanager/secretPolicy:SecretPolicy",
            "aws:sns/topic:Topic",
            "aws:sns/topicPolicy:TopicPolicy",
            "aws:sqs/queue:Queue",
            "aws:sqs/queuePolicy:QueuePolicy",
        ),
        ("policy",),
    ),
    **dict.fromkeys(
        (
            "aws:amp/resourcePolicy:ResourcePolicy",
            "aws:cloudwatch/logResourcePolicy:LogResourcePolicy",
            "aws:codeartifact/domainPermissions:DomainPermissions",
            "aws:codeartifact/repositoryPermissionsPolicy:RepositoryPermissionsPolicy",
        ),
        ("policyDocument",),
    ),
    "aws:sagemaker/modelPackageGroupPolicy:ModelPackageGroupPolicy": ("resourcePolicy",),
    _AGENT_POLICY: ("policy",),
    **dict.fromkeys(_SEARCH, ("accessPolicies",)),
}

_PASSING: Final = "iam:PassRole"
_WEB_IDENTITY: Final = "sts:AssumeRoleWithWebIdentity"
_GITHUB: Final = "token.actions.githubusercontent.com"
_GITHUB_CLAIMS: Final = {"sub": "", "repository": "repo:", "repository_id": "repository_id:"} | {
    "job_workflow_ref": "job_workflow_ref:"
}
"""Claims that name a repository, and the prefix of their values where a subject has them."""
_REPOSITORY: Final = re.compile(
    r"repo:[^/*?:]+/(?![*?]+(?::|$))[^/:]+(?::.*)?|repository_id:(?![*?]).+|job_workflow_ref:[^/*?]+/(?![*?]).+",
    re.DOTALL,
)
_SUBJECTS: Final = {
    "cognito-identity.amazonaws.com": "aud",
    "graph.facebook.com": "app_id",
    "www.amazon.com": "app_id",
}
"""Providers whose tokens say by another key than `sub` for whom they are (IAM user guide, web identity keys)."""
_ANYBODY: Final = re.compile(
    r"(?:system:(?:serviceaccount:)?|project_path:|organization:|pulumi:[^:]+:org:)[*?].*", re.DOTALL
)
"""Subjects of any pod of a cluster, and of any customer of GitLab, Terraform Cloud, Buildkite and Pulumi Cloud."""
_HARMLESS: Final = frozenset(
    {"logs:createloggroup", "logs:createlogstream", "logs:putlogevents", "s3:getbucketlocation"}
)
"""What AWS itself allows everywhere, as in AWSLambdaBasicExecutionRole: it reads no data, and deletes nothing."""
_WHOSE_ROLE: Final = ("iam:resourcetag/", "aws:resourcetag/")


def _complains_of_every_action(statement: Statement) -> str | None:
    if not statement.names_all_actions:
        return None
    return "the policy allows every action but some" if statement.not_actions else "the policy allows every action"


def _complains_of_every_resource(statement: Statement) -> str | None:
    if statement.names_all_actions or not statement.names_all_of_a_service or statement.limits_what:
        return None
    wide = [action for action in statement.written_actions if _should_be_limited(action.lower())]
    return f"the policy allows {_some(wide)} on every resource" if wide else None


def _should_be_limited(action: str) -> bool:
    return action not in _HARMLESS and can_be_limited(action)


def _complains_of_passing(statement: Statement) -> str | None:
    if statement.names_all_actions or not statement.is_about(_PASSING) or not statement.names_all_of_a_kind:
        return None
    if any(condition.binds and condition.key.startswith(_WHOSE_ROLE) for condition in statement.conditions):
        return None
    return f"the policy allows {_PASSING} with every role"


def _complains_of_trust(statement: Statement) -> str | None:
    if statement.is_for_everybody:
        return None if statement.limits_who else "everyone who has an AWS account may assume the role"
    if not statement.is_about(_WEB_IDENTITY):
        return None
    for provider in _providers(statement):
        if _GITHUB not in provider and not _names_a_subject(provider, statement.conditions):
            return f"every token of {provider} opens the role"
    return None


def _complains_of_strangers(statement: Statement) -> str | None:
    return "everyone who has an AWS account is allowed in" if _is_open(statement) else None


def _is_open(statement: Statement) -> bool:
    return statement.is_for_everybody and not statement.limits_who


def _providers(statement: Statement) -> Iterator[str]:
    """The providers of web identities that a statement trusts, without what AWS puts before their names."""
    for kind, who in statement.principals:
        if kind.lower() == "federated" and ":saml-provider/" not in who:
            yield who.rpartition(":oidc-provider/")[2]


def _names_a_subject(provider: str, conditions: Sequence[Condition]) -> bool:
    claim = f":{_SUBJECTS.get(provider, 'sub')}"
    return any(
        condition.binds
        and condition.key.endswith(claim)
        and not any(_ANYBODY.fullmatch(value) for value in condition.values)
        for condition in conditions
    )


def _some(actions: Sequence[str]) -> str:
    return f"{actions[0]} and {len(actions) - 1} more" if len(actions) > 1 else actions[0]


def _escalates(statements: tuple[Statement, ...], path: str) -> Verdict:
    """Return what a document allows on everything, less what it denies without conditions."""

    def wide(statement: Statement, action: str) -> bool:
        return statement.is_about(action) and statement.names_all_of_a_kind

    def is_open(action: str) -> bool:
        allowed = any(
            wide(each, action) and not each.names_all_actions and not each.limits_what
            for each in statements
            if each.allows
        )
        return allowed and not any(wide(each, action) and not each.conditions for each in statements if not each.allows)

    ways = [escalation for escalation in escalations() if is_open(escalation.action)]
    if not ways:
        return PASS
    what = _some([way.action for way in ways])
    return fail(f"the policy allows {what} on everything, so that its bearer can {ways[0].how}", path=path)


def _is_pinned(statements: tuple[Statement, ...], path: str) -> Verdict:
    """Return whether each statement that trusts GitHub names repositories."""

    def check(statement: Statement) -> Verdict:
        if not statement.allows or not statement.is_about(_WEB_IDENTITY):
            return NOT_APPLICABLE
        if not any(_GITHUB in provider for provider in _providers(statement)):
            return NOT_APPLICABLE
        claims = [_wide_values(condition) for condition in statement.conditions if _is_claim_of_github(condition)]
        if not claims:
            return fail("any repository on GitHub may assume the role", path=path)
        message = f"more repositories than those that it names may assume the role: {', '.join(claims[0])}"
        return allow(not all(claims), message, path=path)

    return each(statements, check)


def _is_claim_of_github(condition: Condition) -> bool:
    """Return whether a condition asks GitHub's token, be it of github.com or of an enterprise, for a repository."""
    provider, _, claim = condition.key.rpartition(":")
    return condition.binds and provider.startswith(_GITHUB) and claim in _GITHUB_CLAIMS


def _wide_values(condition: Condition) -> list[str]:
    """The values that are of more than one repository."""
    before = _GITHUB_CLAIMS[condition.key.rpartition(":")[2]]
    return [value for value in condition.values if not _REPOSITORY.fullmatch(f"{before}{value}")]


def _search_keeps_strangers_out(it: View, settings: Settings) -> Verdict:
    """Return whether the policy of a domain does; one in a VPC, or with users of its own, has other guards."""
    said = _NO_STRANGERS.judge(it, settings)
    return NOT_APPLICABLE if said.failures and _is_guarded(it) else said


def _is_guarded(it: View) -> bool:
    domains = [it] if it.type in _DOMAINS else it.many("domainName", *_DOMAINS)
    users = [domain.block("advancedSecurityOptions") for domain in domains]
    return any("vpcOptions" in domain for domain in domains) or any(own and own.flag("enabled") for own in users)


def _agents_keep_strangers_out(it: View, settings: Settings) -> Verdict:
    """Return whether the policy of an agent does; one that asks for tokens of OAuth can name no principal of AWS."""
    said = _NO_STRANGERS.judge(it, settings)
    if not said.failures:
        return said
    agents = it.sources("resourceArn", *_AGENTS) if "resourceArn" in it else []
    if not agents:
        return UNKNOWN
    return NOT_APPLICABLE if all("authorizerConfiguration" in agent for agent in agents) else said


_NO_STRANGERS: Final = OfDocuments(_OTHERS, check_of_statements(_complains_of_strangers))

RULES.row(
    "aws-iam-no-star-action",
    "A policy names the actions that it allows.",
    on=tuple(_IDENTITIES),
    check=OfDocuments(_IDENTITIES, check_of_statements(_complains_of_every_action)),
    severity=CRITICAL,
    rationale="Whoever takes over one machine or one pod with it owns the account: its data, its keys, its bills.",
    fix="List the actions in Action, in place of * and of NotAction; Access Analyzer generates a list from CloudTrail.",
    peers="CKV_AWS_62 CKV_AWS_63 AWS-0057",
    cis=("AWS 1.16",),
)
RULES.row(
    "aws-iam-no-star-resource",
    "A policy names the resources, where its actions can be limited to some.",
    on=tuple(_IDENTITIES),
    check=OfDocuments(_IDENTITIES, check_of_statements(_complains_of_every_resource)),
    severity=HIGH,
    rationale=(
        "A training job that may read its own bucket reads those of every other team as well, and may delete in them."
    ),
    fix="Put ARNs in Resource, or a condition on tags such as aws:ResourceTag; keep * in a statement of its own for "
    "what takes no resource.",
    peers="CKV_AWS_355 AWS-0057 AWS-0345",
    cis=("AWS 1.16",),
)
RULES.row(
    "aws-iam-no-passrole-star",
    "A policy lets its bearer pass certain roles only.",
    on=tuple(_IDENTITIES),
    check=OfDocuments(_IDENTITIES, check_of_statements(_complains_of_passing)),
    severity=HIGH,
    rationale="Its bearer starts a machine or a function with the role of an administrator, and acts as that.",
    fix="Name the roles in Resource; iam:PassedToService beside them says to which service they may be passed.",
    peers="CKV_AWS_286 AWS-0342",
)
RULES.row(
    "aws-iam-no-privesc",
    "A policy does not let its bearer give himself rights.",
    on=tuple(_IDENTITIES),
    check=OfDocuments(_IDENTITIES, _escalates),
    severity=HIGH,
    rationale="A narrow role is worth nothing if it can widen itself: one stolen token becomes the whole account.",
    fix="Limit these actions to ARNs, to a path of roles, or by a condition on iam:PermissionsBoundary.",
    peers="CKV_AWS_286 CKV_AWS_289",
)
RULES.row(
    "aws-iam-trust-scope",
    "A role trusts certain accounts, services and subjects of tokens, and not everybody.",
    on=_ROLE,
    check=OfDocuments(_TRUST, check_of_statements(_complains_of_trust)),
    severity=CRITICAL,
    rationale=(
        "Strangers assume the role from accounts of their own, or any pod of a cluster does with the token it has."
    ),
    fix="Name accounts or services in Principal; for web identity ask by StringEquals for the provider's sub and aud.",
    peers="CKV_AWS_60 CKV_AWS_61 CKV_AWS_393",
)
RULES.row(
    "aws-iam-gha-oidc-sub",
    "A role that GitHub Actions assume is for certain repositories.",
    on=_ROLE,
    check=OfDocuments(_TRUST, _is_pinned),
    severity=CRITICAL,
    rationale="A workflow in anybody's repository on GitHub gets a token of the same issuer, and with it the role.",
    fix="Ask for token.actions.githubusercontent.com:sub like repo:OWNER/NAME:*, best with a branch or an environment.",
    peers="CKV_AWS_358 CKV_AWS_393",
)
RULES.row(
    "aws-kms-policy-no-star",
    "The policy of a key keeps strangers out.",
    on=tuple(_KEYS),
    check=OfDocuments(_KEYS, check_of_statements(_complains_of_strangers)),
    severity=CRITICAL,
    rationale=(
        "Any AWS account may decrypt what the key protects, or schedule the deletion of the key and all it protects."
    ),
    fix="Name principals in policy, or keep * to one's own account by a condition on kms:CallerAccount.",
    peers="CKV_AWS_33 CKV2_AWS_64",
)
RULES.row(
    "aws-s3-policy-no-star",
    "The policy of a bucket allows strangers nothing.",
    on=tuple(_BUCKETS),
    check=OfDocuments(_BUCKETS, check_of_statements(_complains_of_strangers)),
    severity=CRITICAL,
    rationale="Anyone on the internet reads or writes the objects; searches for such buckets run day and night.",
    fix="Name principals in policy, or ask for aws:PrincipalOrgID or aws:SourceVpce; for a public site put CloudFront "
    "before the bucket.",
    peers="CKV_AWS_70 AWS-0346",
)
RULES.row(
    "aws-ecr-policy-private",
    "The policy of a repository allows strangers nothing.",
    on=tuple(_REGISTRIES),
    check=OfDocuments(_REGISTRIES, check_of_statements(_complains_of_strangers)),
    severity=HIGH,
    rationale=(
        "Any AWS account may pull the images with the code and the models in them, or push images that nodes then run."
    ),
    fix="Name accounts in Principal, or ask for aws:PrincipalOrgID in a condition.",
    peers="AWS-0032",
)
RULES.row(
    "aws-resource-policy-no-star",
    "The policy of a queue, a topic, a secret, a stream, a table, a file system or an agent allows strangers nothing.",
    on=tuple(_OTHERS),
    check=ByType(
        dict.fromkeys(_OTHERS, _NO_STRANGERS)
        | dict.fromkeys(_SEARCH, Custom(("accessPolicies",), _search_keeps_strangers_out, others=True))
        | {_AGENT_POLICY: Custom(("policy", "resourceArn"), _agents_keep_strangers_out, others=True)}
    ),
    severity=HIGH,
    rationale="Any AWS account may read what is in it, or put something in that the programs behind it trust.",
    fix="Name principals in the policy, or ask for aws:PrincipalOrgID, aws:SourceAccount or aws:SourceArn.",
    peers="CKV_AWS_168 CKV_AWS_169",
)
