"""S3: names, and settings that go together."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import (
    BUCKET,
    BUCKET_ACL,
    BUCKET_ENCRYPTION,
    BUCKET_LIFECYCLE,
    BUCKET_OWNERSHIP,
    BUCKET_POLICY,
    BUCKET_PUBLIC_ACCESS_BLOCK,
    BUCKET_REPLICATION,
    BUCKET_VERSIONING,
    KEY,
)

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def setting(type_: str, *, bucket: dict[str, Any] | None = None, more: Program | None = None, **inputs: Any) -> Program:
    """A setting of a bucket."""
    data = {"bucket": "acme-data", **(bucket or {})}
    return {"data": (BUCKET, data), **(more or {}), "it": (type_, {"bucket": Ref("data"), **inputs})}


def about(type_: str, **inputs: Any) -> Program:
    """Another setting of the same bucket."""
    return {"more": (type_, {"bucket": Ref("data"), **inputs})}


def encrypted(algorithm: Any, key: Any = "arn:aws:kms:us-east-1:123456789012:key/1", **more: Any) -> Program:
    """An encryption, with a key beside it."""
    default = {"sseAlgorithm": algorithm, "kmsMasterKeyId": key}
    return {"key": (KEY, more), "it": (BUCKET_ENCRYPTION, {"rules": [{"applyServerSideEncryptionByDefault": default}]})}


def policy(principal: Any, resource: str = "arn:aws:s3:::acme-data/*", **statement: Any) -> str:
    """A bucket policy."""
    made = {"Effect": "Allow", "Principal": principal, "Action": "s3:GetObject", "Resource": resource, **statement}
    return json.dumps({"Version": "2012-10-17", "Statement": made})


def lifecycle(*rules: Any) -> Program:
    """A lifecycle."""
    return {"it": (BUCKET_LIFECYCLE, {"rules": [{"id": str(rank), **each} for rank, each in enumerate(rules)]})}


def moves(days: Any, kind: str = "STANDARD_IA", end: Any = None) -> dict[str, Any]:
    """A rule that moves objects, and lets them go."""
    gone = {"expiration": {"days": end}} if end is not None else {}
    return {"transitions": [{"days": days, "storageClass": kind}], **gone}


ACLS = about(BUCKET_OWNERSHIP, rule={"objectOwnership": "BucketOwnerPreferred"})
NO_ACLS = about(BUCKET_OWNERSHIP, rule={"objectOwnership": "BucketOwnerEnforced"})
OPEN = about(BUCKET_PUBLIC_ACCESS_BLOCK, blockPublicAcls=False, blockPublicPolicy=False)
VERSIONS = about(BUCKET_VERSIONING, versioningConfiguration={"status": "Enabled"})
SUSPENDED: dict[str, Any] = {"versioningConfiguration": {"status": "Suspended"}}
LOCKED: dict[str, Any] = {"objectLockEnabled": True}

CASES = [
    Case("aws-s3-bucket-name", PASS, {"it": (BUCKET, {"bucket": "acme-data"})}),
    Case("aws-s3-bucket-name", FAIL, {"it": (BUCKET, {"bucket": "Acme_Data"})}, path="bucket", says="Acme_Data"),
    Case("aws-s3-bucket-name", CANNOT_TELL, {"it": (BUCKET, {"bucket": UNKNOWN})}),
    Case("aws-s3-bucket-name", NOT_APPLICABLE, {"it": (BUCKET, {})}),
    Case("aws-s3-bucket-name", NOT_APPLICABLE, {"it": (BUCKET, {"bucket": ""})}),
    Case("aws-s3-one-setting-per-kind", PASS, setting(BUCKET_POLICY), preview=True),
    Case("aws-s3-one-setting-per-kind", PASS, setting(BUCKET_POLICY, more=OPEN)),
    Case(
        "aws-s3-one-setting-per-kind",
        FAIL,
        setting(BUCKET_POLICY, more=about(BUCKET_POLICY)),
        path="bucket",
        says="more sets",
    ),
    Case(
        "aws-s3-one-setting-per-kind",
        FAIL,
        setting(BUCKET_POLICY, more=about(BUCKET_POLICY)),
        path="bucket",
        preview=True,
    ),
    Case("aws-s3-one-setting-per-kind", CANNOT_TELL, {"it": (BUCKET_POLICY, {"bucket": "elsewhere"})}),
    Case("aws-s3-one-setting-per-kind", NOT_APPLICABLE, {"it": (BUCKET_POLICY, {})}),
    Case("aws-s3-kms-algorithm", PASS, encrypted("aws:kms")),
    Case("aws-s3-kms-algorithm", PASS, encrypted("aws:kms", Ref("key", "arn")), preview=True),
    Case(
        "aws-s3-kms-algorithm",
        FAIL,
        encrypted("AES256"),
        path="rules[0].applyServerSideEncryptionByDefault.sseAlgorithm",
    ),
    Case(
        "aws-s3-kms-algorithm",
        FAIL,
        encrypted("aws:kms", Ref("key", "arn"), customerMasterKeySpec="RSA_2048"),
        path="rules[0].applyServerSideEncryptionByDefault.kmsMasterKeyId",
        says="RSA_2048",
    ),
    Case("aws-s3-kms-algorithm", CANNOT_TELL, encrypted(UNKNOWN)),
    Case("aws-s3-kms-algorithm", NOT_APPLICABLE, encrypted("AES256", None)),
    Case("aws-s3-acl-ownership", PASS, setting(BUCKET_ACL, more=ACLS, acl="private")),
    Case("aws-s3-acl-ownership", FAIL, setting(BUCKET_ACL, more=NO_ACLS, acl="private"), path="bucket", preview=True),
    Case("aws-s3-acl-ownership", FAIL, setting(BUCKET_ACL, acl="private"), path="bucket", says="BucketOwnerPreferred"),
    Case("aws-s3-acl-ownership", CANNOT_TELL, setting(BUCKET_ACL, more=about(BUCKET_OWNERSHIP, rule=UNKNOWN))),
    Case("aws-s3-acl-ownership", NOT_APPLICABLE, {"it": (BUCKET_ACL, {})}),
    Case("aws-s3-public-acl-unblocked", PASS, setting(BUCKET_ACL, more=OPEN, acl="public-read")),
    Case(
        "aws-s3-public-acl-unblocked", FAIL, setting(BUCKET_ACL, acl="public-read"), path="acl", says="blockPublicAcls"
    ),
    Case("aws-s3-public-acl-unblocked", CANNOT_TELL, setting(BUCKET_ACL, acl=UNKNOWN)),
    Case("aws-s3-public-acl-unblocked", NOT_APPLICABLE, setting(BUCKET_ACL, acl="private")),
    Case("aws-s3-public-policy-unblocked", PASS, setting(BUCKET_POLICY, more=OPEN, policy=policy("*"))),
    Case(
        "aws-s3-public-policy-unblocked",
        FAIL,
        setting(BUCKET_POLICY, policy=policy({"AWS": "*"})),
        path="policy",
        says="blockPublicPolicy",
    ),
    Case("aws-s3-public-policy-unblocked", CANNOT_TELL, setting(BUCKET_POLICY, policy=UNKNOWN)),
    Case("aws-s3-public-policy-unblocked", NOT_APPLICABLE, setting(BUCKET_POLICY, policy=policy("*", Effect="Deny"))),
    Case(
        "aws-s3-public-policy-unblocked",
        NOT_APPLICABLE,
        setting(BUCKET_POLICY, policy=policy("*", Condition={"Bool": {"x": "y"}})),
    ),
    Case("aws-s3-policy-own-bucket", PASS, setting(BUCKET_POLICY, policy=policy("*"))),
    Case(
        "aws-s3-policy-own-bucket",
        FAIL,
        setting(BUCKET_POLICY, policy=policy("*", "arn:aws:s3:::other/*")),
        path="policy",
        says="other",
    ),
    Case("aws-s3-policy-own-bucket", CANNOT_TELL, setting(BUCKET_POLICY, policy=UNKNOWN)),
    Case("aws-s3-policy-own-bucket", NOT_APPLICABLE, setting(BUCKET_POLICY, policy=policy("*", "*"))),
    Case("aws-s3-replication-versioning", PASS, setting(BUCKET_REPLICATION, more=VERSIONS), preview=True),
    Case("aws-s3-replication-versioning", PASS, setting(BUCKET_REPLICATION, bucket={"versioning": {"enabled": True}})),
    Case("aws-s3-replication-versioning", FAIL, setting(BUCKET_REPLICATION), path="bucket", says="BucketVersioning"),
    Case("aws-s3-replication-versioning", CANNOT_TELL, {"it": (BUCKET_REPLICATION, {"bucket": "elsewhere"})}),
    Case("aws-s3-replication-versioning", NOT_APPLICABLE, {"it": (BUCKET_REPLICATION, {})}),
    Case(
        "aws-s3-object-lock-versioning",
        PASS,
        setting(BUCKET_VERSIONING, bucket=LOCKED, versioningConfiguration={"status": "Enabled"}),
    ),
    Case(
        "aws-s3-object-lock-versioning",
        FAIL,
        setting(BUCKET_VERSIONING, bucket=LOCKED, **SUSPENDED),
        path="versioningConfiguration.status",
        says="object lock",
    ),
    Case(
        "aws-s3-object-lock-versioning",
        CANNOT_TELL,
        setting(BUCKET_VERSIONING, bucket=LOCKED, versioningConfiguration=UNKNOWN),
    ),
    Case("aws-s3-object-lock-versioning", NOT_APPLICABLE, setting(BUCKET_VERSIONING, **SUSPENDED)),
    Case(
        "aws-s3-lifecycle-order",
        PASS,
        lifecycle(moves(30, end=31), moves(0, "GLACIER"), moves(0, "INTELLIGENT_TIERING")),
    ),
    Case("aws-s3-lifecycle-order", FAIL, lifecycle(moves(7)), path="rules[0].transitions[0].days", says="30"),
    Case(
        "aws-s3-lifecycle-order",
        FAIL,
        lifecycle(moves(90, "GLACIER", 60)),
        path="rules[0].transitions[0].days",
        says="91",
    ),
    Case("aws-s3-lifecycle-order", CANNOT_TELL, lifecycle(moves(UNKNOWN))),
    Case("aws-s3-lifecycle-order", NOT_APPLICABLE, lifecycle({"expiration": {"days": 1}})),
    Case("aws-s3-lifecycle-rule-actions", PASS, lifecycle({"expiration": {"days": 1}}, moves(30))),
    Case(
        "aws-s3-lifecycle-rule-actions", FAIL, lifecycle({"status": "Enabled"}), path="rules[0].status", says="nothing"
    ),
    Case(
        "aws-s3-lifecycle-rule-actions",
        FAIL,
        lifecycle({"expiration": {"days": 1, "date": "x"}}),
        path="rules[0].expiration",
    ),
    Case(
        "aws-s3-lifecycle-rule-actions",
        FAIL,
        lifecycle({**moves(30), "id": "1"}, moves(30)),
        path="rules[1].id",
        says="called 1",
    ),
    Case("aws-s3-lifecycle-rule-actions", CANNOT_TELL, lifecycle({"expiration": UNKNOWN})),
    Case("aws-s3-lifecycle-rule-actions", NOT_APPLICABLE, lifecycle()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_bucket_rule_says_what_aws_would(case: Case) -> None:
    check(case)
