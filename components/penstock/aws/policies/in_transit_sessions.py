"""Encryption of sessions that people open on machines and containers of AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.policies.keys import OwnKey
from penstock.aws.policies.sessions import session_inputs
from penstock.aws.types import ECS_CLUSTER, SSM_DOCUMENT
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import All, Custom, Either, Given, Is, Where
from penstock.rules.levels import LOW, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IN_TRANSIT)

_EXEC: Final = "configuration.executeCommandConfiguration"


def _sessions_have_a_key(document: View, _: Settings) -> Verdict:
    inputs = session_inputs(document)
    if inputs is None:
        return NOT_APPLICABLE
    return allow(inputs.get("kmsKeyId"), "kmsKeyId is not set in the inputs of content", path="content")


RULES.row(
    "aws-ssm-session-key",
    "Sessions on machines are encrypted with a KMS key on top of TLS.",
    on=SSM_DOCUMENT,
    check=Custom(_sessions_have_a_key),
    severity=LOW,
    rationale="TLS ends at the service, so that every user of Session Manager may open a session: no key is needed.",
    fix="Set kmsKeyId in the inputs of content, and let people and the role of the machines use the key.",
    peers="CKV_AWS_112 KICS:ce60cc6b",
)
RULES.row(
    "aws-ecs-exec-key",
    "Commands in containers, and their logs, are encrypted with a KMS key.",
    on=ECS_CLUSTER,
    check=Where(
        Given(_EXEC),
        All(
            OwnKey(f"{_EXEC}.kmsKeyId"),
            Where(
                Is(f"{_EXEC}.logging", "OVERRIDE"),
                Either(
                    Is(f"{_EXEC}.logConfiguration.cloudWatchEncryptionEnabled", value=True),
                    Is(f"{_EXEC}.logConfiguration.s3BucketEncryptionEnabled", value=True),
                ),
            ),
        ),
    ),
    severity=LOW,
    rationale="What people type and see in the container, secrets among it, is open to all who may read the log.",
    fix="Set kmsKeyId to a KMS key, and in logConfiguration cloudWatchEncryptionEnabled or s3BucketEncryptionEnabled "
    "to true.",
    peers="CKV_AWS_224",
)
