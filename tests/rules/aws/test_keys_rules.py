"""KMS: keys that stay in somebody's hands and fit what they encrypt."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import ALIAS, KEY, KEY_POLICY, LAUNCH_TEMPLATE, LOG_GROUP, LUSTRE

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def key(**inputs: Any) -> Program:
    """A key."""
    return {"it": (KEY, inputs)}


def allowing(action: Any, **principal: str) -> str:
    """A key's policy."""
    statement = {"Effect": "Allow", "Principal": principal, "Action": action, "Resource": "*"}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def encrypted(**inputs: Any) -> Program:
    """A file system and its key."""
    return {"key": (KEY, inputs), "it": (LUSTRE, {"kmsKeyId": Ref("key", "arn")})}


def logged(policy: Any, **more: Any) -> Program:
    """A log group and its key."""
    return {"key": (KEY, {"policy": policy}), **more, "it": (LOG_GROUP, {"kmsKeyId": Ref("key", "arn")})}


ROOT = "arn:aws:iam::123456789012:root"
LOGS = allowing("kms:*", Service="logs.us-east-1.amazonaws.com")
DISKS = {"blockDeviceMappings": [{"ebs": {"kmsKeyId": Ref("key", "arn")}}]}

CASES = [
    Case("aws-kms-deletion-window-range", PASS, key(deletionWindowInDays=7)),
    Case(
        "aws-kms-deletion-window-range", FAIL, key(deletionWindowInDays=3), path="deletionWindowInDays", says="Use 7."
    ),
    Case(
        "aws-kms-deletion-window-range", FAIL, key(deletionWindowInDays=31), path="deletionWindowInDays", says="Use 30."
    ),
    Case("aws-kms-deletion-window-range", CANNOT_TELL, key(deletionWindowInDays=UNKNOWN)),
    Case("aws-kms-deletion-window-range", NOT_APPLICABLE, key()),
    Case("aws-kms-policy-lockout", PASS, key(policy=allowing("kms:*", AWS=ROOT))),
    Case("aws-kms-policy-lockout", PASS, key(policy=allowing(["kms:Put*"], AWS=ROOT))),
    Case("aws-kms-policy-lockout", FAIL, key(policy=allowing(["kms:Decrypt"], AWS=ROOT)), path="policy", says="root"),
    Case("aws-kms-policy-lockout", FAIL, {"it": (KEY_POLICY, {"policy": LOGS})}, path="policy"),
    Case("aws-kms-policy-lockout", CANNOT_TELL, key(policy=UNKNOWN)),
    Case("aws-kms-policy-lockout", NOT_APPLICABLE, key()),
    Case("aws-kms-policy-lockout", NOT_APPLICABLE, key(policy=LOGS, bypassPolicyLockoutSafetyCheck=True)),
    Case("aws-kms-rotation-symmetric", PASS, key(enableKeyRotation=True)),
    Case(
        "aws-kms-rotation-symmetric",
        FAIL,
        key(enableKeyRotation=True, customerMasterKeySpec="RSA_4096"),
        path="enableKeyRotation",
    ),
    Case(
        "aws-kms-rotation-symmetric",
        FAIL,
        key(enableKeyRotation=True, customKeyStoreId="cks-1"),
        path="enableKeyRotation",
    ),
    Case("aws-kms-rotation-symmetric", CANNOT_TELL, key(enableKeyRotation=UNKNOWN)),
    Case("aws-kms-rotation-symmetric", NOT_APPLICABLE, key(customerMasterKeySpec="RSA_4096")),
    Case("aws-kms-symmetric-for-services", PASS, encrypted(), preview=True),
    Case(
        "aws-kms-symmetric-for-services",
        FAIL,
        encrypted(customerMasterKeySpec="ECC_NIST_P256"),
        path="kmsKeyId",
        says="SYMMETRIC_DEFAULT",
    ),
    Case(
        "aws-kms-symmetric-for-services", FAIL, encrypted(keyUsage="GENERATE_VERIFY_MAC"), path="kmsKeyId", preview=True
    ),
    Case(
        "aws-kms-symmetric-for-services",
        FAIL,
        {"key": (KEY, {"keyUsage": "SIGN_VERIFY"}), "it": (LAUNCH_TEMPLATE, DISKS)},
        path="blockDeviceMappings",
    ),
    Case("aws-kms-symmetric-for-services", CANNOT_TELL, encrypted(keyUsage=UNKNOWN)),
    Case(
        "aws-kms-symmetric-for-services",
        NOT_APPLICABLE,
        {"it": (LUSTRE, {"kmsKeyId": "arn:aws:kms:us-east-1:123456789012:key/1"})},
    ),
    Case("aws-kms-alias-name", PASS, {"it": (ALIAS, {"name": "alias/data"})}),
    Case("aws-kms-alias-name", FAIL, {"it": (ALIAS, {"name": "data"})}, path="name", says="alias/data"),
    Case("aws-kms-alias-name", FAIL, {"it": (ALIAS, {"name": "alias/aws/data"})}, path="name", says="Write alias/data"),
    Case("aws-kms-alias-name", CANNOT_TELL, {"it": (ALIAS, {"name": UNKNOWN})}),
    Case("aws-kms-alias-name", NOT_APPLICABLE, {"it": (ALIAS, {})}),
    Case("aws-logs-key-policy", PASS, logged(LOGS)),
    Case(
        "aws-logs-key-policy",
        PASS,
        logged(None, separate=(KEY_POLICY, {"keyId": Ref("key"), "policy": LOGS})),
        preview=True,
    ),
    Case("aws-logs-key-policy", FAIL, logged(None), path="kmsKeyId", says="logs.REGION"),
    Case("aws-logs-key-policy", FAIL, logged(allowing("kms:*", AWS=ROOT)), path="kmsKeyId", preview=True),
    Case("aws-logs-key-policy", CANNOT_TELL, logged(UNKNOWN)),
    Case("aws-logs-key-policy", NOT_APPLICABLE, {"it": (LOG_GROUP, {})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_key_rule_says_what_aws_would(case: Case) -> None:
    check(case)
