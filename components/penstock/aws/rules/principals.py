"""Principals that policies and access entries name: a role, a user or a service-linked role has to exist first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.aws.model.iam_documents import document_at
from penstock.aws.types import (
    ECR_REPOSITORY_POLICY,
    EFS_FILE_SYSTEM_POLICY,
    EKS_ACCESS_ENTRY,
    IAM_ROLE,
    IAM_SERVICE_LINKED_ROLE,
    IAM_USER,
    KMS_KEY,
    KMS_KEY_POLICY,
    S3_BUCKET_POLICY,
    SECRETSMANAGER_SECRET_POLICY,
    SNS_TOPIC_POLICY,
    SQS_QUEUE_POLICY,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, each, fail
from penstock.graph.view import Site, View
from penstock.model.order import comes_after
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_POLICIES = {
    IAM_ROLE: "assumeRolePolicy",
    **dict.fromkeys(
        (
            S3_BUCKET_POLICY,
            KMS_KEY,
            KMS_KEY_POLICY,
            SQS_QUEUE_POLICY,
            SNS_TOPIC_POLICY,
            SECRETSMANAGER_SECRET_POLICY,
            EFS_FILE_SYSTEM_POLICY,
        ),
        "policy",
    ),
    ECR_REPOSITORY_POLICY: "policy",
}
_ARN = re.compile(
    r"arn:aws[\w-]*:iam::\d{12}:"
    r"(?:role/aws-service-role/(?P<service>[\w.-]+)/\w+|(?P<kind>role|user)/(?:[\w+=,.@-]+/)*(?P<name>[\w+=,.@-]+))"
)
_TYPES = {"role": IAM_ROLE, "user": IAM_USER}


def _principals(view: View) -> Iterator[str]:
    if view.type == EKS_ACCESS_ENTRY:
        yield view.text("principalArn") or ""
        return
    document = document_at(view, _POLICIES[view.type])
    for statement in document.statements if document is not None else ():
        yield from statement.named("AWS")


@RULES.rule(
    on=(*_POLICIES, EKS_ACCESS_ENTRY),
    severity=HIGH,
    rationale=(
        "AWS looks the principals of a policy up when it accepts it, and refuses one that does not exist. Where the "
        "ARN is written out, the engine does not know that the role comes first, and creates both at the same time."
    ),
    fix="Use the output arn of the role or user, or add it to depends_on.",
    joins=True,
    sources=("IAM user guide, principals in policies",),
)
def aws_principal_exists(view: View) -> Verdict:
    """A policy or access entry that names a role or user of the same program by its ARN waits for it."""
    return each(_principals(view), lambda arn: _exists_before(view, arn))


def _exists_before(view: View, arn: str) -> Verdict:
    created = _creator(view.site, arn)
    if created is None or created.urn == view.urn:
        return NOT_APPLICABLE
    if comes_after(view, created):
        return PASS
    return fail(
        f"names {arn}, which is created as {created.name}, and does not wait for it",
        hint=f"Use the arn of {created.name} or add {created.name} to depends_on.",
        path=_POLICIES.get(view.type, "principalArn"),
    )


def _creator(site: Site, arn: str) -> View | None:
    """The resource of the program that creates a principal under the name in its ARN."""
    found = _ARN.fullmatch(arn)
    if found is None:
        return None
    type_, key = (IAM_SERVICE_LINKED_ROLE, "awsServiceName") if found["service"] else (_TYPES[found["kind"]], "name")
    name = found["service"] or found["name"]
    return next((each for each in site.of_type(type_) if each.given(key) == name), None)
