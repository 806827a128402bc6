"""IAM: policy documents in AWS' own grammar, and roles with the trust and the rights that their users need."""

from __future__ import annotations

import json
import re

from penstock.aws.facts import managed_policies
from penstock.aws.model.iam_documents import VERSIONS, document_at
from penstock.aws.model.iam_statements import Statement
from penstock.aws.model.launch_templates import inside
from penstock.aws.types import (
    EC2_VPC_ENDPOINT,
    ECR_REPOSITORY_POLICY,
    EFS_FILE_SYSTEM_POLICY,
    EKS_CLUSTER,
    EKS_NODE_GROUP,
    EKS_POD_IDENTITY_ASSOCIATION,
    IAM_GROUP_POLICY,
    IAM_INSTANCE_PROFILE,
    IAM_POLICY,
    IAM_ROLE,
    IAM_ROLE_POLICY,
    IAM_ROLE_POLICY_ATTACHMENT,
    IAM_USER_POLICY,
    KMS_KEY,
    KMS_KEY_POLICY,
    S3_BUCKET_POLICY,
    SECRETSMANAGER_SECRET_POLICY,
    SNS_TOPIC_POLICY,
    SQS_QUEUE_POLICY,
)
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, PASS, TypeMismatch, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_IDENTITY = (IAM_POLICY, IAM_ROLE_POLICY, IAM_USER_POLICY, IAM_GROUP_POLICY)
_RESOURCE = (
    S3_BUCKET_POLICY,
    KMS_KEY,
    KMS_KEY_POLICY,
    SQS_QUEUE_POLICY,
    SNS_TOPIC_POLICY,
    SECRETSMANAGER_SECRET_POLICY,
    ECR_REPOSITORY_POLICY,
    EFS_FILE_SYSTEM_POLICY,
    EC2_VPC_ENDPOINT,
)
_ALL = (*_IDENTITY, *_RESOURCE, IAM_ROLE)
_SIZES = {
    IAM_POLICY: "managed_policy_characters",
    IAM_ROLE_POLICY: "role_policy_characters",
    IAM_USER_POLICY: "user_policy_characters",
    IAM_GROUP_POLICY: "group_policy_characters",
}
_ARN = re.compile(r"arn:aws(-[a-z]+)*:iam::(aws|\d{12}):policy/(?P<path>(?:[\w+=,.@-]+/)*)(?P<name>[\w+=,.@-]+)")

_TAKERS = {
    EKS_CLUSTER: ("roleArn", "eks.amazonaws.com", ("sts:AssumeRole",)),
    EKS_NODE_GROUP: ("nodeRoleArn", "ec2.amazonaws.com", ("sts:AssumeRole",)),
    IAM_INSTANCE_PROFILE: ("role", "ec2.amazonaws.com", ("sts:AssumeRole",)),
    EKS_POD_IDENTITY_ASSOCIATION: ("roleArn", "pods.eks.amazonaws.com", ("sts:AssumeRole", "sts:TagSession")),
}
"""Who takes a role: where it names the role, and what the role must let which service do."""


def _places(holder: View) -> list[tuple[Block, str]]:
    """Where a resource holds policy documents."""
    if holder.type != IAM_ROLE:
        return [(holder, "policy")]
    return [(holder, "assumeRolePolicy"), *((inline, "policy") for inline in holder.blocks("inlinePolicies"))]


@RULES.rule(
    on=_ALL,
    each_of=_places,
    severity=HIGH,
    rationale="IAM rejects any other text with MalformedPolicyDocument.",
    fix='Write the policy with json.dumps as {"Version": "2012-10-17", "Statement": [...]}.',
    sources=("IAM user guide, grammar of the policy language: MalformedPolicyDocument",),
)
def aws_iam_policy_json(item: tuple[Block, str]) -> Verdict:
    """A policy document is a JSON object."""
    block, key = item
    try:
        document = document_at(block, key)
    except TypeMismatch:
        hint = 'Write it with json.dumps, as {"Version": "2012-10-17", "Statement": [...]}.'
        return fail("the policy is not a JSON object", hint=hint, path=block.at(key))
    return NOT_APPLICABLE if document is None else PASS


@RULES.rule(
    on=_ALL,
    severity=HIGH,
    rationale="IAM rejects a document that breaks the grammar with MalformedPolicyDocument.",
    fix="Set Version to 2012-10-17, Effect to Allow or Deny, and Action or NotAction to actions such as s3:GetObject.",
    sources=("IAM user guide, grammar of the policy language: MalformedPolicyDocument",),
)
def aws_iam_policy_grammar(holder: View) -> Verdict:
    """A policy document has a valid version, and statements with an effect and either Action or NotAction."""
    return each(_places(holder), lambda item: _grammar(*item))


@RULES.rule(
    on=_ALL,
    severity=HIGH,
    rationale="AWS rejects a policy whose statements have the wrong elements for its kind.",
    fix="Add or remove Principal and Resource in each statement as the kind of policy requires.",
    sources=("IAM user guide, policy elements: Principal", "IAM user guide, policy elements: Resource"),
)
def aws_iam_policy_principal(holder: View) -> Verdict:
    """Resource and trust policies name principals, identity policies none, and trust policies no resource."""
    return each(_places(holder), lambda item: _parties(*item, holder.type))


@RULES.rule(
    on=tuple(_SIZES),
    severity=HIGH,
    rationale="IAM rejects a longer policy with LimitExceeded.",
    fix="Shorten policy with wildcards, or split it into several policies.",
    sources=("IAM user guide, quotas: LimitExceeded",),
)
def aws_iam_policy_length(holder: View) -> Verdict:
    """An identity policy is within the IAM limit on characters, not counting white space."""
    return _short_enough(holder, "policy", _SIZES[holder.type])


@RULES.rule(
    on=IAM_ROLE,
    severity=MEDIUM,
    rationale="IAM refuses a longer trust policy unless the quota has been raised.",
    fix="Shorten assumeRolePolicy, or request a quota increase.",
    sources=("IAM user guide, quotas: 2,048 characters unless raised",),
)
def aws_iam_trust_policy_length(role: View) -> Verdict:
    """The trust policy of a role is within the account's quota on characters, not counting white space."""
    return _short_enough(role, "assumeRolePolicy", "trust_policy_characters")


@RULES.rule(
    on=tuple(_TAKERS),
    severity=HIGH,
    rationale="EKS refuses the role, or the nodes and pods get no credentials.",
    fix="Allow the service principal sts:AssumeRole, and sts:TagSession for pods, in assumeRolePolicy.",
    joins=True,
    sources=(
        "EKS user guide, cluster role",
        "EKS user guide, node role",
        "EKS user guide, pod identity role",
        "IAM user guide",
    ),
)
def aws_iam_role_trusts_service(taker: View) -> Verdict:
    """A role trusts the service that assumes it: EKS for a cluster, EC2 for nodes, and EKS Pod Identity for pods."""
    key, service, actions = _TAKERS[taker.type]
    role = taker.one(key, IAM_ROLE)
    if role is None:
        return NOT_APPLICABLE
    trust = document_at(inside(role), "assumeRolePolicy")
    if trust is None:
        return NOT_APPLICABLE
    granted = [statement for statement in trust.allowing if _names(statement, service)]
    missing = [wanted for wanted in actions if not any(statement.is_about(wanted) for statement in granted)]
    return allow(
        not missing,
        f"the trust policy of {role.name} does not allow {service} {' and '.join(missing)}",
        hint=f"Allow the principal {{Service: {service}}} {' and '.join(actions)} in assumeRolePolicy.",
        path=key,
    )


def _attachments(holder: View) -> list[tuple[str, str]]:
    """The ARNs that somebody wrote for managed policies, and where."""
    if holder.type == IAM_ROLE:
        return [(arn, f"managedPolicyArns[{index}]") for index, arn in enumerate(holder.texts("managedPolicyArns"))]
    if "policyArn" not in holder or holder.found("policyArn", IAM_POLICY):
        return []
    return [(holder.text("policyArn") or "", "policyArn")]


@RULES.rule(
    on=(IAM_ROLE_POLICY_ATTACHMENT, IAM_ROLE),
    each_of=_attachments,
    severity=HIGH,
    rationale="AttachRolePolicy rejects a value that is not an ARN of a policy.",
    fix="Set policyArn or managedPolicyArns to ARNs such as arn:aws:iam::aws:policy/NAME.",
    sources=("IAM API model in botocore 1.44, arnType", "IAM user guide, ARNs"),
)
def aws_iam_attach_by_arn(item: tuple[str, str]) -> Verdict:
    """A managed policy is attached by its ARN, and not by its name."""
    written, path = item
    if _ARN.fullmatch(written):
        return PASS
    name = written.rpartition("/")[2] or "NAME"
    hint = (
        f"Write arn:aws:iam::aws:policy/{managed_policies.path(name) or ''}{name}, or the account's "
        "ARN for a custom policy."
    )
    return fail(f"{written!r} is not the ARN of a policy", hint=hint, path=path)


@RULES.rule(
    on=(IAM_ROLE_POLICY_ATTACHMENT, IAM_ROLE),
    severity=MEDIUM,
    rationale="IAM finds no policy at another path, and the attachment fails; the paths were not checked one by one.",
    fix="Set the ARN to arn:aws:iam::aws:policy/ followed by the path and the name.",
    sources=("AWS managed policy reference guide; paths not checked one by one",),
)
def aws_iam_managed_policy_path(holder: View) -> Verdict:
    """The ARN of an AWS managed policy includes the path of the policy, such as service-role/."""
    return each(_attachments(holder), lambda item: _is_at_its_path(*item))


@RULES.rule(
    on=IAM_ROLE,
    severity=MEDIUM,
    rationale="IAM refuses further attachments unless the quota has been raised.",
    fix="Merge some of the policies into one, or request a quota increase.",
    sources=("IAM user guide, quotas: 10 unless raised (L-0DA4ABF3)",),
)
def aws_quota_role_policies(role: View) -> Verdict:
    """A role has at most as many managed policies as the account's quota: ten, unless raised."""
    limit = limits.find_limit("managed_policies_per_role", "aws")
    most = role.site.quotas.get(limit.quota, limit.most)
    count = len(role.referrers(IAM_ROLE_POLICY_ATTACHMENT, "role")) + role.count("managedPolicyArns")
    if not count:
        return NOT_APPLICABLE
    hint = f"Merge some into one policy, or request an increase of quota {limit.quota}."
    return allow(
        count <= most,
        f"{count} managed policies; quota {limit.quota} allows {most:g} for each role",
        hint=hint,
        path="managedPolicyArns",
    )


def _grammar(block: Block, key: str) -> Verdict:
    document = document_at(block, key)
    if document is None:
        return NOT_APPLICABLE
    path = block.at(key)
    if document.version not in VERSIONS:
        return fail(
            f"{document.version!r} is not a version of the policy language", hint=f"Use {VERSIONS[0]}.", path=path
        )
    if not document.statements:
        return fail("the policy has no statement", hint='Add "Statement": [...].', path=path)
    return together(_statement(statement, path) for statement in document.statements)


def _statement(statement: Statement, path: str) -> Verdict:
    if statement.effect not in ("Allow", "Deny"):
        message = f"Effect {statement.effect!r} is not Allow or Deny"
        return fail(message, hint="Write Allow or Deny, in this spelling.", path=path)
    if statement.gives("Action") == statement.gives("NotAction"):
        return fail("a statement has neither or both of Action and NotAction", hint="Write one of them.", path=path)
    actions = (*statement.written_actions, *statement.not_actions)
    wrong = [action for action in actions if action != "*" and ":" not in action]
    hint = "Write the service first, such as s3:GetObject."
    return allow(actions and not wrong, f"{wrong[0] if wrong else 'nothing'!r} is not an action", hint=hint, path=path)


def _parties(block: Block, key: str, type_: str) -> Verdict:
    document = document_at(block, key)
    if document is None:
        return NOT_APPLICABLE
    trust = key == "assumeRolePolicy"
    path = block.at(key)

    def check(statement: Statement) -> Verdict:
        named = [word for word in ("Principal", "NotPrincipal") if statement.gives(word)]
        where = [word for word in ("Resource", "NotResource") if statement.gives(word)]
        if trust or type_ in _RESOURCE:
            if len(named) != 1:
                hint = 'Add a Principal, such as {"Service": "ec2.amazonaws.com"}.'
                return fail("a statement has no Principal", hint=hint, path=path)
            hint = "Leave Resource out: the role itself is the resource."
            return allow(not (trust and where), "a trust policy has a Resource", hint=hint, path=path)
        if named:
            hint = f"Leave {named[0]} out: the identity with the policy is the principal."
            return fail("an identity policy has a Principal", hint=hint, path=path)
        return allow(len(where) == 1, "a statement has no Resource", hint='Add "Resource".', path=path)

    return each(document.statements, check)


def _short_enough(block: Block, key: str, name: str) -> Verdict:
    document = document_at(block, key)
    if document is None:
        return NOT_APPLICABLE
    limit = limits.find_limit(name, "aws")
    length = len(re.sub(r"\s", "", json.dumps(document.written, ensure_ascii=False, default=str)))
    hint = "Shorten the policy by wildcards, or create several policies."
    message = f"{length} characters; IAM allows {limit.most}"
    return allow(length <= limit.most, message, hint=hint, path=block.at(key))


def _names(statement: Statement, service: str) -> bool:
    return any(named.removesuffix(".cn") == service for named in statement.named("Service"))


def _is_at_its_path(written: str, path: str) -> Verdict:
    found = _ARN.fullmatch(written)
    right = managed_policies.path(found["name"]) if found is not None and found[2] == "aws" else None
    if found is None or right is None:
        return NOT_APPLICABLE
    hint = f"Write {written.split(':policy/', maxsplit=1)[0]}:policy/{right}{found['name']}."
    message = f"AWS has no policy {found['path']}{found['name']}"
    return allow(found["path"] == right, message, hint=hint, path=path)
