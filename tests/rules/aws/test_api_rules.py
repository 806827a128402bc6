"""What the AWS APIs allow of single fields, on any resource."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.rulecases import Case, Program, Ref, check, verdict

from penstock.catalog import api_limits
from penstock.catalog.api_limits import Kind, Limit
from penstock.resources.values import UNKNOWN, Secret
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import KEY, LUSTRE, NODE_GROUP

FUNCTION = "aws:lambda/function:Function"
LISTENER = "aws:lb/listener:Listener"
TYPES = (NODE_GROUP, KEY, LUSTRE, FUNCTION, "aws:sagemaker/endpointConfiguration:EndpointConfiguration")


def one(type_: str, **inputs: Any) -> Program:
    """A program of one resource."""
    return {"it": (type_, inputs)}


def taint(effect: Any) -> Program:
    """A node group with two taints, of which the second has this effect."""
    return one(NODE_GROUP, taints=[{"key": "a", "effect": "NO_SCHEDULE"}, {"key": "b", "effect": effect}])


CASES = [
    Case("aws-api-enum-value", Outcome.PASS, taint("NO_EXECUTE")),
    Case("aws-api-enum-value", Outcome.FAIL, taint("NoSchedule"), path="taints[1].effect", says="NO_SCHEDULE"),
    Case("aws-api-enum-value", Outcome.UNKNOWN, taint(UNKNOWN)),
    Case("aws-api-enum-value", Outcome.UNKNOWN, taint(Secret("NoSchedule"))),
    Case(
        "aws-api-enum-value",
        Outcome.NOT_APPLICABLE,
        one(NODE_GROUP, nodeRoleArn="arn:aws:iam::123456789012:role/nodes"),
    ),
    Case("aws-api-enum-value", Outcome.NOT_APPLICABLE, one(NODE_GROUP, capacityType="")),
    Case("aws-api-enum-value", Outcome.NOT_APPLICABLE, one("aws:new/thing:Thing", mode="ANY")),
    Case(
        "aws-api-enum-value",
        Outcome.FAIL,
        one(NODE_GROUP, capacityType="spot"),
        path="capacityType",
        says="Did you mean SPOT?",
    ),
    Case("aws-api-enum-value", Outcome.FAIL, one(KEY, keyUsage="ENCRYPT"), path="keyUsage", says="ENCRYPT_DECRYPT"),
    Case("aws-api-enum-value", Outcome.PASS, one(KEY, customerMasterKeySpec="ML_DSA_65")),
    Case("aws-api-enum-value", Outcome.PASS, one(LISTENER, protocol="https")),
    Case("aws-api-enum-value", Outcome.FAIL, one(LISTENER, protocol="HTTPX"), path="protocol", says="HTTPS"),
    Case(
        "aws-api-enum-value",
        Outcome.PASS,
        one("aws:route53/record:Record", type="CNAME"),
    ),
    Case(
        "aws-api-enum-value",
        Outcome.NOT_APPLICABLE,
        one("aws:s3/bucketVersioning:BucketVersioning", versioningConfiguration={"status": "Disabled"}),
    ),
    Case("aws-api-number-range", Outcome.PASS, one(FUNCTION, memorySize=128)),
    Case("aws-api-number-range", Outcome.PASS, one(FUNCTION, memorySize="1024")),
    Case("aws-api-number-range", Outcome.FAIL, one(FUNCTION, memorySize=64), path="memorySize", says="At least 128"),
    Case(
        "aws-api-number-range",
        Outcome.FAIL,
        one(LUSTRE, metadataConfiguration={"iops": 200_000}),
        path="metadataConfiguration.iops",
        says="200000 is too much here At most 192000.",
    ),
    Case(
        "aws-api-number-range",
        Outcome.FAIL,
        one(NODE_GROUP, scalingConfig={"minSize": -1}),
        path="scalingConfig.minSize",
    ),
    Case("aws-api-number-range", Outcome.UNKNOWN, one(FUNCTION, memorySize=UNKNOWN)),
    Case("aws-api-number-range", Outcome.NOT_APPLICABLE, one(FUNCTION, memorySize="much")),
    Case("aws-api-length-range", Outcome.PASS, one(FUNCTION, description="a" * 256)),
    Case(
        "aws-api-length-range",
        Outcome.FAIL,
        one(FUNCTION, description="a" * 257),
        path="description",
        says="At most 256",
    ),
    Case(
        "aws-api-length-range",
        Outcome.FAIL,
        one(LUSTRE, securityGroupIds=[f"sg-{number:017x}" for number in range(51)]),
        path="securityGroupIds",
        says="a list of 51 is too long here At most 50 items.",
    ),
    Case("aws-api-length-range", Outcome.UNKNOWN, one(FUNCTION, description=UNKNOWN)),
    Case("aws-api-length-range", Outcome.NOT_APPLICABLE, one(FUNCTION, description=5)),
    Case("aws-api-text-pattern", Outcome.PASS, one(LUSTRE, weeklyMaintenanceStartTime="7:03:30")),
    Case(
        "aws-api-text-pattern",
        Outcome.FAIL,
        one(LUSTRE, weeklyMaintenanceStartTime="sun:03:30"),
        path="weeklyMaintenanceStartTime",
        says="'sun:03:30' does not have the form",
    ),
    Case("aws-api-text-pattern", Outcome.UNKNOWN, one(LUSTRE, weeklyMaintenanceStartTime=UNKNOWN)),
    Case("aws-api-text-pattern", Outcome.UNKNOWN, one(LUSTRE, securityGroupIds=["securityGroupId-0a1b2c3d"])),
    Case("aws-api-text-pattern", Outcome.NOT_APPLICABLE, one(LUSTRE, storageCapacity=1200)),
    Case(
        "aws-api-text-pattern",
        Outcome.UNKNOWN,
        {"it": (LUSTRE, {"securityGroupIds": [Ref("group")]}), "group": ("aws:ec2/securityGroup:SecurityGroup", {})},
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_api_rule_says_what_aws_would(case: Case) -> None:
    check(case)


def limits(kind: Kind) -> st.SearchStrategy[tuple[str, Limit]]:
    """A type and one of its limits."""
    return st.sampled_from([(type_, limit) for type_ in TYPES for limit in api_limits.of(type_, kind)])


def program(type_: str, limit: Limit, value: Any) -> Program:
    """A resource that has a value where a limit is."""
    for part in reversed(limit.path[1:]):
        value = [value] if part == "[]" else {part: value}
    return one(type_, **{limit.path[0]: value})


@given(limits(Kind.WORD), st.text("abcXYZ_-.", min_size=1), st.data())
def test_the_words_of_an_api_pass_and_no_others(about: tuple[str, Limit], other: str, data: st.DataObject) -> None:
    type_, limit = about
    assume(other not in limit.words)
    word = data.draw(st.sampled_from(limit.words))

    assert verdict(Case("aws-api-enum-value", Outcome.PASS, program(type_, limit, word))).outcome is Outcome.PASS
    refused = verdict(Case("aws-api-enum-value", Outcome.FAIL, program(type_, limit, other)))
    assert [failure.path for failure in refused.failures] == [
        ".".join(limit.path).replace(".[]", "[0]"),
    ]


@given(limits(Kind.NUMBER), st.integers(-(10**9), 10**9).filter(bool))
def test_a_number_passes_just_where_it_is_in_range(about: tuple[str, Limit], number: int) -> None:
    type_, limit = about
    within = (limit.minimum is None or limit.minimum <= number) and (limit.maximum is None or number <= limit.maximum)

    said = verdict(Case("aws-api-number-range", Outcome.PASS, program(type_, limit, number)))

    assert said.outcome is (Outcome.PASS if within else Outcome.FAIL)


@given(limits(Kind.PATTERN), st.data())
def test_what_has_the_form_passes(about: tuple[str, Limit], data: st.DataObject) -> None:
    type_, limit = about
    assert limit.pattern is not None
    text = data.draw(st.from_regex(limit.pattern, fullmatch=True))
    assume(text and len(text) <= 1000)

    assert verdict(Case("aws-api-text-pattern", Outcome.PASS, program(type_, limit, text))).outcome is Outcome.PASS


def test_a_message_never_repeats_a_secret() -> None:
    case = Case(
        "aws-api-enum-value", Outcome.FAIL, one(NODE_GROUP, capacityType="spot", taints=Secret([{"effect": "hidden"}]))
    )

    said = verdict(case)

    assert said.outcome is Outcome.FAIL
    assert "hidden" not in str(said)
