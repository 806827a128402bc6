"""Encryption at rest on AWS."""

from __future__ import annotations

from penstock_policies.checks import Given, Is
from penstock_policies.rule import HIGH, MEDIUM, Concern, Rules

RULES = Rules(Concern.AT_REST)

_VOLUME = "aws:ebs/volume:Volume"

RULES.row(
    "aws-ebs-encrypted",
    "A volume is encrypted.",
    on=_VOLUME,
    check=Is("encrypted", value=True),
    weight=HIGH,
    why="A snapshot of it can be shared, or copied to another account, in clear.",
    fix="Set encrypted to true; a volume that stands is replaced, so copy its snapshot first.",
    peers="CKV_AWS_3 AWS-0026",
    cis=("AWS 2.2.1†",),
)
RULES.row(
    "aws-ebs-cmk",
    "A volume is encrypted with a key of the customer's own.",
    on=_VOLUME,
    check=Given("kmsKeyId"),
    weight=MEDIUM,
    why="Nobody can withdraw a key that AWS manages, nor see who used it.",
    fix="Set kmsKeyId to the ARN of a KMS key.",
    peers="CKV_AWS_189 AWS-0027",
)
