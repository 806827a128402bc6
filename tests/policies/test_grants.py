"""Facts about IAM's actions have sources, and wildcards are limited if something that they mean can be."""

from __future__ import annotations

import pytest

from penstock.aws.policies.grants import can_be_limited, escalations


@pytest.mark.parametrize(
    "action",
    [
        "ec2:describe*",
        "ec2:describeinstances",
        "s3:listallmybuckets",
        "kms:listkeys",
        "ecr:getauthorizationtoken",
        "sts:getcalleridentity",
        "ssmmessages:*",
        "eks:list*",
    ],
)
def test_what_takes_no_resource_cannot_be_limited(action: str) -> None:
    assert not can_be_limited(action)


@pytest.mark.parametrize(
    "action", ["s3:getobject", "s3:*", "s3:list*", "s3:listbucket", "kms:decrypt", "ec2:*", "ec2:runinstances", "*"]
)
def test_what_takes_one_can_be_limited(action: str) -> None:
    assert can_be_limited(action)


def test_an_escalation_says_how_and_who_says_so() -> None:
    for escalation in escalations():
        assert ":" in escalation.action
        assert escalation.how, escalation
        assert escalation.source, escalation
