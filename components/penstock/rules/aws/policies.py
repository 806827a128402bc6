"""IAM: policy documents in AWS' own grammar, and roles with the trust and the rights that their users need."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from penstock.catalog import limits
from penstock.catalog.aws import managed_policies
from penstock.findings import Severity
from penstock.resources.invented import may_be_invented
from penstock.resources.verdict import (
    NOT_APPLICABLE,
    PASS,
    Misfit,
    NotKnown,
    Verdict,
    allow,
    each,
    fail,
    together,
)
from penstock.resources.view import Block, View
from penstock.rules.aws import documents, nodes
from penstock.rules.aws.types import (
    ALL_POLICY_ATTACHMENTS,
    BUCKET_POLICY,
    CLUSTER,
    GROUP_POLICY,
    INSTANCE_PROFILE,
    KEY,
    KEY_POLICY,
    NODE_GROUP,
    POD_IDENTITY,
    POLICY,
    POLICY_ATTACHMENT,
    QUEUE_POLICY,
    REPOSITORY_POLICY,
    ROLE,
    ROLE_POLICY,
    SECRET_POLICY,
    SHARED_FILES_POLICY,
    SHARED_POLICY_ATTACHMENT,
    TOPIC_POLICY,
    USER_POLICY,
    VPC_ENDPOINT,
)
from penstock.rules.rule import rule

_GRAMMAR = "IAM user guide, grammar of the policy language: MalformedPolicyDocument"
_IDENTITY = (POLICY, ROLE_POLICY, USER_POLICY, GROUP_POLICY)
_RESOURCE = (
    BUCKET_POLICY,
    KEY,
    KEY_POLICY,
    QUEUE_POLICY,
    TOPIC_POLICY,
    SECRET_POLICY,
    REPOSITORY_POLICY,
    SHARED_FILES_POLICY,
    VPC_ENDPOINT,
)
_ALL = (*_IDENTITY, *_RESOURCE, ROLE)
_VERSIONS = ("2012-10-17", "2008-10-17")
_SIZES = {
    POLICY: "managed_policy_characters",
    ROLE_POLICY: "role_policy_characters",
    USER_POLICY: "user_policy_characters",
    GROUP_POLICY: "group_policy_characters",
}
_ARN = re.compile(r"arn:aws(-[a-z]+)*:iam::(aws|\d{12}):policy/(?P<path>(?:[\w+=,.@-]+/)*)(?P<name>[\w+=,.@-]+)")

_TAKERS = {
    CLUSTER: ("roleArn", "eks.amazonaws.com", ("sts:AssumeRole",)),
    NODE_GROUP: ("nodeRoleArn", "ec2.amazonaws.com", ("sts:AssumeRole",)),
    INSTANCE_PROFILE: ("role", "ec2.amazonaws.com", ("sts:AssumeRole",)),
    POD_IDENTITY: ("roleArn", "pods.eks.amazonaws.com", ("sts:AssumeRole", "sts:TagSession")),
}
"""Who takes a role: where it names the role, and what the role must let which service do."""

_ATTACHERS = {
    POLICY_ATTACHMENT: ("role", "policyArn"),
    SHARED_POLICY_ATTACHMENT: ("roles", "policyArn"),
    ALL_POLICY_ATTACHMENTS: ("roleName", "policyArns"),
}
"""What attaches policies to a role: where it names the role, and where the policies."""

_NEEDED = {
    CLUSTER: (("AmazonEKSClusterPolicy", "AmazonEKSLocalOutpostClusterPolicy"),),
    NODE_GROUP: (
        ("AmazonEKSWorkerNodePolicy", "AmazonEKSWorkerNodeMinimalPolicy"),
        (
            "AmazonEC2ContainerRegistryPullOnly",
            "AmazonEC2ContainerRegistryReadOnly",
            "AmazonEC2ContainerRegistryPowerUser",
        ),
    ),
}
"""What EKS needs a role to carry: one policy of each row (EKS user guide, cluster and node IAM roles)."""


@rule("AWS-IAM-001", on=_ALL, source=_GRAMMAR)
def a_policy_is_json(holder: View) -> Verdict:
    """A policy document is a JSON object."""

    def check(item: tuple[Block, str]) -> Verdict:
        block, key = item
        try:
            document = documents.read(block, key)
        except Misfit:
            hint = 'Write it with json.dumps, as {"Version": "2012-10-17", "Statement": [...]}.'
            return fail("the policy is no JSON object", hint=hint, path=block.at(key))
        return NOT_APPLICABLE if document is None else PASS

    return each(_places(holder), check)


@rule("AWS-IAM-002", on=_ALL, source=_GRAMMAR)
def a_policy_follows_the_grammar(holder: View) -> Verdict:
    """A document has a version that AWS knows, and statements with an effect and either actions or their opposite."""
    return each(_places(holder), lambda item: _grammar(*item))


@rule("AWS-IAM-003", on=_ALL, source="IAM user guide, policy elements: Principal and Resource")
def a_policy_names_a_principal_where_it_must(holder: View) -> Verdict:
    """Policies on resources and trust name principals, those on identities none; trust names no resource."""
    return each(_places(holder), lambda item: _parties(*item, holder.type))


@rule("AWS-IAM-004", on=tuple(_SIZES), source="IAM user guide, quotas: LimitExceeded")
def a_policy_is_short_enough(holder: View) -> Verdict:
    """A policy for an identity is no longer than IAM allows, not counting white space."""
    return _short_enough(holder, "policy", _SIZES[holder.type])


@rule(
    "AWS-IAM-005", on=ROLE, severity=Severity.WARNING, source="IAM user guide, quotas: 2,048 characters unless raised"
)
def trust_is_short_enough(role: View) -> Verdict:
    """The trust policy of a role is no longer than the account's quota, not counting white space."""
    return _short_enough(role, "assumeRolePolicy", "trust_policy_characters")


@rule("AWS-IAM-006", on=tuple(_TAKERS), source="EKS user guide, cluster, node and pod identity roles; IAM user guide")
def a_role_trusts_who_takes_it(taker: View) -> Verdict:
    """A role trusts the service that takes it: EKS for a cluster, EC2 for nodes, the pods' service for pods."""
    key, service, actions = _TAKERS[taker.type]
    role = taker.one(key, ROLE)
    if role is None:
        return NOT_APPLICABLE
    trust = documents.read(nodes.inside(role), "assumeRolePolicy")
    if trust is None:
        return NOT_APPLICABLE
    granted = [
        action.lower()
        for statement in documents.statements(trust)
        if documents.allows(statement) and _names(statement, service)
        for action in documents.listed(statement.get("Action"))
        if isinstance(action, str)
    ]
    missing = [wanted for wanted in actions if not any(fnmatchcase(wanted.lower(), action) for action in granted)]
    return allow(
        not missing,
        f"{role.name} does not let {service} do {' and '.join(missing)}",
        hint=f"Allow the principal {{Service: {service}}} {' and '.join(actions)} in assumeRolePolicy.",
        path=key,
    )


@rule("AWS-IAM-007", on=tuple(_NEEDED), source="EKS user guide, cluster IAM role and node IAM role")
def a_role_carries_what_eks_needs(taker: View) -> Verdict:
    """The role of a cluster or of nodes carries the policies that EKS asks for, or some of its user's own."""
    key = _TAKERS[taker.type][0]
    role = taker.one(key, ROLE)
    if role is None:
        return NOT_APPLICABLE
    arns = list(_attached(nodes.inside(role)))
    if not all(isinstance(arn, str) for arn in arns):
        raise Misfit
    names = {arn.rpartition("/")[2] for arn in arns}
    missing = [row[0] for row in _NEEDED[taker.type] if not names & set(row)]
    own = "inlinePolicies" in role or role.referrers(ROLE_POLICY, "role") or any("::aws:" not in arn for arn in arns)
    if missing and (own or "AdministratorAccess" in names):
        raise NotKnown
    return allow(
        not missing,
        f"{role.name} does not carry {' and '.join(missing)}",
        hint=f"Attach {' and '.join(f'arn:aws:iam::aws:policy/{name}' for name in missing)}.",
        path=key,
    )


@rule(
    "AWS-IAM-008", on=(POLICY_ATTACHMENT, ROLE), source="IAM API model in botocore 1.44, arnType; IAM user guide, ARNs"
)
def an_attached_policy_is_named_by_its_arn(holder: View) -> Verdict:
    """A policy is attached by its ARN, not by its name."""

    def check(item: tuple[str, str]) -> Verdict:
        written, path = item
        if _ARN.fullmatch(written):
            return PASS
        if may_be_invented(written):
            raise NotKnown  # the simulated cloud said so, not AWS
        name = written.rpartition("/")[2] or "NAME"
        hint = f"Write arn:aws:iam::aws:policy/{managed_policies.path(name) or ''}{name}, or for one's own the account."
        return fail(f"{written!r} is no ARN of a policy", hint=hint, path=path)

    return each(_attachments(holder), check)


@rule(
    "AWS-IAM-010",
    on=(POLICY_ATTACHMENT, ROLE),
    severity=Severity.WARNING,
    source="AWS managed policy reference guide; paths not checked one by one",
)
def a_policy_of_aws_is_named_with_its_path(holder: View) -> Verdict:
    """The ARN of a policy that AWS maintains has the policy's path, such as service-role/."""
    return each(_attachments(holder), lambda item: _is_at_its_path(*item))


@rule("AWS-IAM-009", on=ROLE, severity=Severity.WARNING, source="IAM user guide, quotas: 10 unless raised (L-0DA4ABF3)")
def a_role_carries_so_many_policies(role: View) -> Verdict:
    """A role has no more managed policies than the account's quota: ten, unless raised."""
    limit = limits.find_limit("managed_policies_per_role", "aws")
    most = role.site.quotas.get(limit.quota, limit.most)
    count = len(role.referrers(POLICY_ATTACHMENT, "role")) + role.count("managedPolicyArns")
    if not count:
        return NOT_APPLICABLE
    hint = f"Merge some into one policy, or ask for more by quota {limit.quota}."
    return allow(
        count <= most, f"{count} policies, where a role may have {most:g}", hint=hint, path="managedPolicyArns"
    )


def _places(holder: View) -> list[tuple[Block, str]]:
    """Where a resource holds policy documents."""
    if holder.type != ROLE:
        return [(holder, "policy")]
    return [(holder, "assumeRolePolicy"), *((inline, "policy") for inline in holder.blocks("inlinePolicies"))]


def _grammar(block: Block, key: str) -> Verdict:
    document = documents.read(block, key)
    if document is None:
        return NOT_APPLICABLE
    path = block.at(key)
    version = document.get("Version", _VERSIONS[1])
    if version not in _VERSIONS:
        return fail(f"{version!r} is no version of the policy language", hint=f"Use {_VERSIONS[0]}.", path=path)
    statements = documents.statements(document)
    if not statements:
        return fail("the policy has no statement", hint='Add "Statement": [...].', path=path)
    return together(_statement(statement, path) for statement in statements)


def _statement(statement: documents.Document, path: str) -> Verdict:
    if statement.get("Effect") not in ("Allow", "Deny"):
        message = f"{statement.get('Effect')!r} is no effect"
        return fail(message, hint="Write Allow or Deny, in this spelling.", path=path)
    if ("Action" in statement) == ("NotAction" in statement):
        return fail("a statement has Action or NotAction, and one of them", hint="Write one of them.", path=path)
    actions = [action for key in ("Action", "NotAction") for action in documents.listed(statement.get(key))]
    wrong = [action for action in actions if not (isinstance(action, str) and (action == "*" or ":" in action))]
    hint = "Write the service before it, such as s3:GetObject."
    return allow(actions and not wrong, f"{wrong[0] if wrong else 'nothing'!r} is no action", hint=hint, path=path)


def _parties(block: Block, key: str, type_: str) -> Verdict:
    document = documents.read(block, key)
    if document is None:
        return NOT_APPLICABLE
    trust = key == "assumeRolePolicy"
    path = block.at(key)

    def check(statement: documents.Document) -> Verdict:
        named = [word for word in ("Principal", "NotPrincipal") if word in statement]
        where = [word for word in ("Resource", "NotResource") if word in statement]
        if trust or type_ in _RESOURCE:
            if len(named) != 1:
                hint = 'Add a Principal, such as {"Service": "ec2.amazonaws.com"}.'
                return fail("a statement does not say whom it is for", hint=hint, path=path)
            hint = "Leave Resource out: the role itself is meant."
            return allow(not (trust and where), "a trust policy names a resource", hint=hint, path=path)
        if named:
            hint = f"Leave {named[0]} out: whoever carries the policy is meant."
            return fail("a policy for an identity names a principal", hint=hint, path=path)
        return allow(len(where) == 1, "a statement names no resource", hint='Add "Resource".', path=path)

    return each(documents.statements(document), check)


def _short_enough(block: Block, key: str, name: str) -> Verdict:
    document = documents.read(block, key)
    if document is None:
        return NOT_APPLICABLE
    limit = limits.find_limit(name, "aws")
    length = len(re.sub(r"\s", "", json.dumps(document, ensure_ascii=False, default=str)))
    hint = "Shorten it by wildcards, or make several policies."
    message = f"{length} characters, where IAM takes {limit.most}"
    return allow(length <= limit.most, message, hint=hint, path=block.at(key))


def _names(statement: Mapping[str, object], service: str) -> bool:
    return any(named.removesuffix(".cn") == service for named in documents.principals(statement, "Service"))


def _attached(role: View) -> Iterator[str]:
    """The ARNs of a role's managed policies; what is a policy of the program's stands as its URN.

    Raises:
        NotKnown: one of them cannot be told.
    """
    yield from role.texts("managedPolicyArns")
    for type_, (role_at, policies_at) in _ATTACHERS.items():
        for attachment in role.referrers(type_, role_at):
            own = attachment.found(policies_at, POLICY)
            named = [policy.urn for policy in own] or documents.listed(attachment.value(policies_at))
            yield from (each for each in named if isinstance(each, str))


def _attachments(holder: View) -> list[tuple[str, str]]:
    """The ARNs that somebody wrote for managed policies, and where."""
    if holder.type == ROLE:
        return [(arn, f"managedPolicyArns[{index}]") for index, arn in enumerate(holder.texts("managedPolicyArns"))]
    if "policyArn" not in holder or holder.found("policyArn", POLICY):
        return []
    return [(holder.text("policyArn") or "", "policyArn")]


def _is_at_its_path(written: str, path: str) -> Verdict:
    found = _ARN.fullmatch(written)
    right = managed_policies.path(found["name"]) if found is not None and found[2] == "aws" else None
    if found is None or right is None:
        return NOT_APPLICABLE
    hint = f"Write {written.split(':policy/', maxsplit=1)[0]}:policy/{right}{found['name']}."
    message = f"AWS has no policy {found['path']}{found['name']}"
    return allow(found["path"] == right, message, hint=hint, path=path)
