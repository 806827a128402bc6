"""Policies on IAM's policy documents on AWS: on identities, in trust, and on resources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from penstock.aws.model.iam_statements import Condition, Statement
from penstock.aws.policies.documents import BUCKET_POLICIES, OfDocuments, check_of_statements
from penstock.aws.policies.grants import can_be_limited, escalations
from penstock.aws.types import (
    BEDROCK_AGENTCORE_AGENT_RUNTIME,
    BEDROCK_AGENTCORE_GATEWAY,
    ECR_REPOSITORY_POLICY,
    EFS_FILE_SYSTEM_POLICY,
    ELASTICSEARCH_DOMAIN,
    IAM_GROUP_POLICY,
    IAM_POLICY,
    IAM_ROLE,
    IAM_ROLE_POLICY,
    IAM_USER_POLICY,
    KMS_KEY,
    KMS_KEY_POLICY,
    OPENSEARCH_DOMAIN,
    SECRETSMANAGER_SECRET,
    SECRETSMANAGER_SECRET_POLICY,
    SNS_TOPIC,
    SNS_TOPIC_POLICY,
    SQS_QUEUE,
    SQS_QUEUE_POLICY,
)
from penstock.core.wording import listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.checks import ByType, Custom
from penstock.rules.levels import CRITICAL, HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_IDENTITIES: Final = {
    IAM_POLICY: ("policy",),
    IAM_ROLE_POLICY: ("policy",),
    IAM_USER_POLICY: ("policy",),
    IAM_GROUP_POLICY: ("policy",),
    "aws:ssoadmin/permissionSetInlinePolicy:PermissionSetInlinePolicy": ("inlinePolicy",),
    IAM_ROLE: ("inlinePolicies[].policy",),
}
_TRUST: Final = {IAM_ROLE: ("assumeRolePolicy",)}
_KEYS: Final = dict.fromkeys(
    (
        KMS_KEY,
        KMS_KEY_POLICY,
        "aws:kms/externalKey:ExternalKey",
        "aws:kms/replicaKey:ReplicaKey",
        "aws:kms/replicaExternalKey:ReplicaExternalKey",
    ),
    ("policy",),
)
_REGISTRIES: Final = dict.fromkeys((ECR_REPOSITORY_POLICY, "aws:ecr/registryPolicy:RegistryPolicy"), ("policy",)) | {
    "aws:ecr/repositoryCreationTemplate:RepositoryCreationTemplate": ("repositoryPolicy",)
}
_DOMAINS: Final = (OPENSEARCH_DOMAIN, ELASTICSEARCH_DOMAIN)
_SEARCH: Final = (
    *_DOMAINS,
    "aws:opensearch/domainPolicy:DomainPolicy",
    "aws:elasticsearch/domainPolicy:DomainPolicy",
)
_AGENT_POLICY: Final = "aws:bedrock/agentcoreResourcePolicy:AgentcoreResourcePolicy"
_AGENTS: Final = (
    BEDROCK_AGENTCORE_AGENT_RUNTIME,
    BEDROCK_AGENTCORE_GATEWAY,
)
_OTHERS: Final = {
    **dict.fromkeys(
        (
            "aws:backup/vaultPolicy:VaultPolicy",
            "aws:cloudwatch/eventBusPolicy:EventBusPolicy",
            "aws:codebuild/resourcePolicy:ResourcePolicy",
            "aws:dsql/clusterPolicy:ClusterPolicy",
            "aws:dynamodb/resourcePolicy:ResourcePolicy",
            EFS_FILE_SYSTEM_POLICY,
            "aws:glue/resourcePolicy:ResourcePolicy",
            "aws:kinesis/resourcePolicy:ResourcePolicy",
            "aws:lambda/resourcePolicy:ResourcePolicy",
            "aws:msk/clusterPolicy:ClusterPolicy",
            "aws:oam/sinkPolicy:SinkPolicy",
            "aws:opensearchingest/resourcePolicy:ResourcePolicy",
            "aws:redshift/resourcePolicy:ResourcePolicy",
            "aws:redshiftserverless/resourcePolicy:ResourcePolicy",
            "aws:schemas/registryPolicy:RegistryPolicy",
            "aws:ses/identityPolicy:IdentityPolicy",
            "aws:sesv2/emailIdentityPolicy:EmailIdentityPolicy",
            SECRETSMANAGER_SECRET,
            SECRETSMANAGER_SECRET_POLICY,
            SNS_TOPIC,
            SNS_TOPIC_POLICY,
            SQS_QUEUE,
            SQS_QUEUE_POLICY,
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
    **dict.fromkeys(
        ("aws:cloudwatch/logDestinationPolicy:LogDestinationPolicy", "aws:glacier/vault:Vault"), ("accessPolicy",)
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
_ORGANIZATION: Final = re.compile(r"repo:[^/*?:]+/.*|repository_id:(?![*?]).+|job_workflow_ref:[^/*?]+/.*", re.DOTALL)
"""Values of one owner's repositories, be they all of them."""
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
_OF_A_BUCKET: Final = re.compile(r"arn:[^:]*:s3:::[^*?]")
_WHOSE_ROLE: Final = ("iam:resourcetag/", "aws:resourcetag/")


def _complains_of_every_action(statement: Statement) -> str | None:
    if not statement.names_all_actions or not _is_wide(statement):
        return None
    return "the policy allows every action but some" if statement.not_actions else "the policy allows every action"


def _complains_of_every_action_there(statement: Statement) -> str | None:
    if not statement.names_all_actions or _is_wide(statement):
        return None
    return f"the policy allows every action on {listed(statement.resources or ('what it names',), 1)}"


def _is_wide(statement: Statement) -> bool:
    """Return whether a statement is about more than resources that it names: on one bucket, * means s3:*."""
    if statement.names_all_of_a_service:
        return True
    return statement.names_all_of_a_kind and not all(_OF_A_BUCKET.match(each) for each in statement.resources)


def _complains_of_every_resource(statement: Statement) -> str | None:
    if statement.names_all_actions or not statement.names_all_of_a_service or statement.limits_what:
        return None
    wide = [action for action in statement.written_actions if _should_be_limited(action.lower())]
    return f"the policy allows {listed(wide, 1)} on every resource" if wide else None


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


def _complains_of_any_action(statement: Statement) -> str | None:
    return "the policy allows every action" if statement.names_all_actions else None


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
    what = listed((way.action for way in ways), 1)
    return fail(f"the policy allows {what} on everything, so that its bearer can {ways[0].how}", path=path)


def _trusts_within(allowed: re.Pattern[str]) -> Callable[[tuple[Statement, ...], str], Verdict]:
    """A check that each statement which trusts GitHub asks for a claim with allowed values only."""

    def judge(statements: tuple[Statement, ...], path: str) -> Verdict:
        def check(statement: Statement) -> Verdict:
            if not statement.allows or not statement.is_about(_WEB_IDENTITY):
                return NOT_APPLICABLE
            if not any(_GITHUB in provider for provider in _providers(statement)):
                return NOT_APPLICABLE
            conditions = [condition for condition in statement.conditions if _is_claim_of_github(condition)]
            claims = [_others(condition, allowed) for condition in conditions]
            if not claims and allowed is _REPOSITORY:
                return NOT_APPLICABLE  # aws-iam-gha-oidc-sub reports it
            if not claims:
                return fail("any repository on GitHub may assume the role", path=path)
            message = f"more repositories than those that it names may assume the role: {', '.join(claims[0])}"
            return allow(not all(claims), message, path=path)

        return each(statements, check)

    return judge


def _is_claim_of_github(condition: Condition) -> bool:
    """Return whether a condition asks GitHub's token, be it of github.com or of an enterprise, for a repository."""
    provider, _, claim = condition.key.rpartition(":")
    return condition.binds and provider.startswith(_GITHUB) and claim in _GITHUB_CLAIMS


def _others(condition: Condition, allowed: re.Pattern[str]) -> list[str]:
    """The values that are not of an allowed form."""
    before = _GITHUB_CLAIMS[condition.key.rpartition(":")[2]]
    return [value for value in condition.values if not allowed.fullmatch(f"{before}{value}")]


def _search_keeps_strangers_out(it: View, settings: Settings) -> Verdict:
    """Return whether the policy of a domain does; one in a VPC, or with users of its own, has other guards."""
    said = _NO_STRANGERS.judge(it, settings)
    return NOT_APPLICABLE if said.failures and _is_guarded(it) else said


def _is_guarded(it: View) -> bool:
    domains = [it] if it.type in _DOMAINS else _domains_of(it)
    users = [domain.block("advancedSecurityOptions") for domain in domains]
    guarded = any(own and own.flag("enabled") and not own.flag("anonymousAuthEnabled") for own in users)
    return guarded or any(domain.value("vpcOptions") for domain in domains)


def _domains_of(policy: View) -> list[View]:
    """The domain of a policy, be it referred to or named in words."""
    name = policy.given("domainName")
    named = [it for it in policy.site.of_type(*_DOMAINS) if isinstance(name, str) and it.given("domainName") == name]
    return named or policy.many("domainName", *_DOMAINS)


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
    peers="CKV_AWS_62 CKV_AWS_63 CKV_AWS_49 CKV_AWS_1 KICS:2f37c4a3 KICS:575a2155 KICS:132a8c31 KICS:1b3af2f9 "
    "CKV2_AWS_68",
    cis=("AWS 5.0: 1.15†",),
)
RULES.row(
    "aws-iam-star-action-named",
    "A policy names the actions that it allows on the resources that it names.",
    on=tuple(_IDENTITIES),
    check=OfDocuments(_IDENTITIES, check_of_statements(_complains_of_every_action_there)),
    severity=MEDIUM,
    rationale="A job that reads a bucket may as well delete it, change its policy and turn its encryption off.",
    fix="List the actions in Action, in place of *; Access Analyzer generates a list from CloudTrail.",
    peers="CKV_AWS_63 CKV_AWS_49",
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
    peers="CKV_AWS_355 AWS-0345 CKV_AWS_356 CKV_AWS_107 CKV_AWS_287 CKV_AWS_108 CKV_AWS_288 "
    "CKV_AWS_111 CKV_AWS_290 KICS:ba2ed23b",
)
RULES.row(
    "aws-iam-no-passrole-star",
    "A policy lets its bearer pass certain roles only.",
    on=tuple(_IDENTITIES),
    check=OfDocuments(_IDENTITIES, check_of_statements(_complains_of_passing)),
    severity=HIGH,
    rationale="Its bearer starts a machine or a function with the role of an administrator, and acts as that.",
    fix="Name the roles in Resource; iam:PassedToService beside them says to which service they may be passed.",
    peers="CKV_AWS_286 AWS-0342 KICS:034d0aee KICS:15e6ad8c KICS:7d544dad KICS:9b0ffadc KICS:0a592060 "
    "KICS:30b88745 KICS:be2aa235 KICS:fa62ac4f KICS:19ffbe31 KICS:8055dec2 KICS:89561b03 "
    "KICS:94fbe150 KICS:e39bee8c",
)
RULES.row(
    "aws-iam-no-privesc",
    "A policy does not let its bearer give himself rights.",
    on=tuple(_IDENTITIES),
    check=OfDocuments(_IDENTITIES, _escalates),
    severity=HIGH,
    rationale="A narrow role is worth nothing if it can widen itself: one stolen token becomes the whole account.",
    fix="Limit these actions to ARNs, to a path of roles, or by a condition on iam:PermissionsBoundary.",
    peers="CKV_AWS_286 CKV_AWS_289 KICS:04c686f1 KICS:3dd96caa KICS:571254d8 KICS:60263b4a KICS:70b42736 "
    "KICS:7782d4b3 KICS:78f1ec6f KICS:846646e3 KICS:8f3c16b3 KICS:970ed7a2 KICS:ad296c0d "
    "KICS:c0c1e744 KICS:db78d14b KICS:e77c89f6 KICS:ec49cbfd KICS:118281d0 KICS:35ccf766 "
    "KICS:5b4d4aee KICS:7c96920c KICS:8f75840d KICS:9a205ba3 KICS:b8a31292 KICS:c583f0f9 "
    "KICS:d6047119 KICS:eb64f1e9 KICS:eda48c88 KICS:ee49557d KICS:f1173d8c KICS:f465fff1 "
    "KICS:f906113d KICS:0c10d7da KICS:0fd7d920 KICS:113208f2 KICS:1743f5f1 KICS:33627268 "
    "KICS:43a41523 KICS:6d23d87e KICS:6deb34e2 KICS:70cb518c KICS:8bfbf7ab KICS:9b877bd8 "
    "KICS:b69247e5 KICS:bf9d42c7 KICS:e227091e KICS:eeb4d37a CKV_AWS_110 CKV_AWS_109 CKV2_AWS_40",
)
RULES.row(
    "aws-iam-trust-scope",
    "A role trusts certain accounts, services and subjects of tokens, and not everybody.",
    on=IAM_ROLE,
    check=OfDocuments(_TRUST, check_of_statements(_complains_of_trust)),
    severity=CRITICAL,
    rationale=(
        "Strangers assume the role from accounts of their own, or any pod of a cluster does with the token it has."
    ),
    fix="Name accounts or services in Principal; for web identity ask by StringEquals for the provider's sub and aud.",
    peers="CKV_AWS_60 CKV_AWS_393 KICS:12b7e704 KICS:bcdcbdc6",
)
RULES.row(
    "aws-iam-gha-oidc-sub",
    "A role that GitHub Actions assume is for repositories of certain owners.",
    on=IAM_ROLE,
    check=OfDocuments(_TRUST, _trusts_within(_ORGANIZATION)),
    severity=CRITICAL,
    rationale="A workflow in anybody's repository on GitHub gets a token of the same issuer, and with it the role.",
    fix="Ask for token.actions.githubusercontent.com:sub like repo:OWNER/NAME:*, best with a branch or an environment.",
    peers="CKV_AWS_358 CKV_AWS_393",
)
RULES.row(
    "aws-iam-gha-oidc-repository",
    "A role that GitHub Actions assume names the repositories.",
    on=IAM_ROLE,
    check=OfDocuments(_TRUST, _trusts_within(_REPOSITORY)),
    severity=MEDIUM,
    rationale="A workflow in any repository of the organization, a forgotten one of an intern say, assumes the role.",
    fix="Ask for token.actions.githubusercontent.com:sub like repo:OWNER/NAME:*, best with a branch or an environment.",
    peers="CKV_AWS_358",
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
    peers="CKV_AWS_33 CKV2_AWS_64 KICS:7ebc9038",
)
RULES.row(
    "aws-s3-policy-no-star",
    "The policy of a bucket allows strangers nothing.",
    on=tuple(BUCKET_POLICIES),
    check=OfDocuments(BUCKET_POLICIES, check_of_statements(_complains_of_strangers)),
    severity=CRITICAL,
    rationale="Anyone on the internet reads or writes the objects; searches for such buckets run day and night.",
    fix="Name principals in policy, or ask for aws:PrincipalOrgID or aws:SourceVpce; for a public site put CloudFront "
    "before the bucket.",
    peers="CKV_AWS_70 AWS-0346 CKV_AWS_283 KICS:7af43613 KICS:a4966c4f KICS:d24c0755 KICS:ffdf4b37 "
    "KICS:1df37f4b KICS:66c6f96f",
)
RULES.row(
    "aws-ecr-policy-private",
    "The policy of a repository allows strangers nothing.",
    on=tuple(_REGISTRIES),
    check=OfDocuments(_REGISTRIES, check_of_statements(_complains_of_strangers)),
    severity=CRITICAL,
    rationale=(
        "Any AWS account may pull the images with the code and the models in them, or push images that nodes then run."
    ),
    fix="Name accounts in Principal, or ask for aws:PrincipalOrgID in a condition.",
    peers="AWS-0032 CKV_AWS_32 KICS:e86e26fc",
)
RULES.row(
    "aws-resource-policy-no-star",
    "The policy of a queue, a topic, a secret, a stream, a table, a file system or an agent allows strangers nothing.",
    on=tuple(_OTHERS),
    check=ByType(
        dict.fromkeys(_OTHERS, _NO_STRANGERS)
        | dict.fromkeys(_SEARCH, Custom(_search_keeps_strangers_out, others=True))
        | {_AGENT_POLICY: Custom(_agents_keep_strangers_out, others=True)}
    ),
    severity=CRITICAL,
    rationale="Any AWS account may read what is in it, or put something in that the programs behind it trust.",
    fix="Name principals in the policy, or ask for aws:PrincipalOrgID, aws:SourceAccount or aws:SourceArn.",
    peers="CKV_AWS_168 CKV_AWS_169 KICS:d25edb51 KICS:fa00ce45 KICS:b26d2b7e KICS:abb06e5f KICS:730675f9 "
    "CKV_AWS_387 KICS:16c4216a KICS:e7530c3c CKV_AWS_167 KICS:34b921bd KICS:db0ec4c4 KICS:fae52418",
)
RULES.row(
    "aws-resource-policy-actions",
    "The policy of a resource names the actions that it allows.",
    on=tuple(_OTHERS),
    check=OfDocuments(_OTHERS, check_of_statements(_complains_of_any_action)),
    severity=MEDIUM,
    rationale="Those who should only send a message delete the queue as well, or change its policy.",
    fix="List the actions in Action, such as sqs:SendMessage, in place of * and of NotAction.",
    peers="CKV_AWS_72 AWS-0097 KICS:816ea8cf KICS:5ea624e4",
)
