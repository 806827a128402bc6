"""The AWS accounts that a program is known to work in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from penstock.aws.model.iam_documents import read_document
from penstock.aws.types import (
    CODEBUILD_PROJECT,
    ECS_TASK_DEFINITION,
    EKS_CLUSTER,
    EKS_NODE_GROUP,
    KMS_KEY,
    LAMBDA_FUNCTION,
    SAGEMAKER_MODEL,
    SAGEMAKER_NOTEBOOK_INSTANCE,
)
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, Site, View

ACCOUNT: Final = re.compile(r"(?:arn:aws[\w-]*:iam::)?(\d{12})(?::root)?")
"""A whole account as a principal."""
_OF_ARN: Final = re.compile(r"arn:aws[\w-]*:[\w-]*:[\w-]*:(\d{12}):")
_OF_EXAMPLES: Final = "123456789012"
_CALLER: Final = "aws:index/getCallerIdentity:getCallerIdentity"
_PASSED: Final = {
    CODEBUILD_PROJECT: ("serviceRole",),
    ECS_TASK_DEFINITION: ("executionRoleArn", "taskRoleArn"),
    EKS_CLUSTER: ("roleArn",),
    EKS_NODE_GROUP: ("nodeRoleArn",),
    LAMBDA_FUNCTION: ("role",),
    SAGEMAKER_MODEL: ("executionRoleArn",),
    SAGEMAKER_NOTEBOOK_INSTANCE: ("roleArn",),
}
"""Roles that a service gets: nobody can pass one of another account (IAM user guide, iam:PassRole)."""


def own_accounts(it: View) -> frozenset[str]:
    """The accounts by the resource's ARN, its provider, answers of AWS, passed roles and administrators of keys.

    A rehearsal answers with the account of AWS's examples, in which nobody works; it counts where the program wrote it.
    """
    named = [
        _told(_account_of(it.outputs.given("arn"))),
        *_listed(it.provider, "allowedAccountIds"),
        *(_account_of(role.get("roleArn")) for role in _listed(it.provider, "assumeRoles") if isinstance(role, dict)),
        *it.site.once(_accounts_of_program),
    ]
    known = {account for account in named if isinstance(account, str)}
    return frozenset(known | {_OF_EXAMPLES}) if known else frozenset()


def _listed(provider: Block, key: str) -> list[object]:
    """A list among the inputs of a provider, where lists are JSON."""
    given = provider.given(key)
    try:
        listed = json.loads(given) if isinstance(given, str) else given
    except ValueError:
        return []
    return list(listed) if isinstance(listed, list | tuple) else []


def _accounts_of_program(site: Site) -> tuple[object, ...]:
    asked = (_told(lookup.answer.get("accountId")) for lookup in site.graph.lookups if lookup.token == _CALLER)
    passed = (
        _written(_account_of(user.given(path)), user, path)
        for type_, paths in _PASSED.items()
        for user in site.of_type(type_)
        for path in paths
    )
    keys = (_written(account, key, "policy") for key in site.of_type(KMS_KEY) for account in _administrators(key))
    return (*asked, *passed, *keys)


def _administrators(key: View) -> Iterator[str]:
    """The accounts that may change the policy of a key; KMS refuses one that locks its own account out."""
    try:
        statements = read_document(key.given("policy")).statements if "policy" in key else ()
        for statement in statements:
            if statement.allows and statement.is_about("kms:PutKeyPolicy"):
                yield from (match[1] for who in statement.named("AWS") if (match := ACCOUNT.fullmatch(who)))
    except (NotKnown, TypeMismatch):
        return


def _told(account: object) -> object:
    return None if account == _OF_EXAMPLES else account


def _written(account: str | None, it: View, path: str) -> object:
    return _told(account) if it.resource.property_dependencies.get(path) else account


def _account_of(arn: object) -> str | None:
    match = _OF_ARN.match(arn) if isinstance(arn, str) else None
    return match[1] if match else None
