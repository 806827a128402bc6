"""The AWS accounts that a program is known to work in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from penstock.model.iam.documents import read_document
from penstock.resources.verdict import NotKnown, TypeMismatch
from penstock.resources.view import Site, View

ACCOUNT: Final = re.compile(r"(?:arn:aws[\w-]*:iam::)?(\d{12})(?::root)?")
"""A whole account as a principal."""
_OF_ARN: Final = re.compile(r"arn:aws[\w-]*:[\w-]*:[\w-]*:(\d{12}):")
_CALLER: Final = "aws:index/getCallerIdentity:getCallerIdentity"
_KEY: Final = "aws:kms/key:Key"
_PASSED: Final = {
    "aws:codebuild/project:Project": ("serviceRole",),
    "aws:ecs/taskDefinition:TaskDefinition": ("executionRoleArn", "taskRoleArn"),
    "aws:eks/cluster:Cluster": ("roleArn",),
    "aws:eks/nodeGroup:NodeGroup": ("nodeRoleArn",),
    "aws:lambda/function:Function": ("role",),
    "aws:sagemaker/model:Model": ("executionRoleArn",),
    "aws:sagemaker/notebookInstance:NotebookInstance": ("roleArn",),
}
"""Roles that a service gets: nobody can pass one of another account (IAM user guide, iam:PassRole)."""


def own_accounts(it: View) -> frozenset[str]:
    """The accounts by the resource's ARN, its provider, answers of AWS, passed roles and administrators of keys."""
    assumed = [place.value for place in it.provider.locations("assumeRoles[].roleArn")]
    allowed = it.provider.given("allowedAccountIds")
    named = [
        *map(_account_of, (it.outputs.given("arn"), *assumed)),
        *(allowed if isinstance(allowed, list | tuple) else ()),
        *it.site.once(_accounts_of_program),
    ]
    return frozenset(account for account in named if isinstance(account, str))


def _accounts_of_program(site: Site) -> tuple[object, ...]:
    asked = (lookup.answer.get("accountId") for lookup in site.graph.lookups if lookup.token == _CALLER)
    passed = (
        _account_of(user.given(path))
        for type_, paths in _PASSED.items()
        for user in site.of_type(type_)
        for path in paths
    )
    keys = (account for key in site.of_type(_KEY) for account in _administrators(key))
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


def _account_of(arn: object) -> str | None:
    match = _OF_ARN.match(arn) if isinstance(arn, str) else None
    return match[1] if match else None
