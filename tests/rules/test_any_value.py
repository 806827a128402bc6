"""Whatever stands in a program, at any place: the rules judge it, tell no secret, and wave nothing unknown through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.p5_platform import platform
from tests.programs import IT, Program, Ref, graph_of
from tests.rules.cases import RuleCase
from tests.rules.verdicts import verdict, verdicts

from penstock.graph.graph import Graph, Resource
from penstock.graph.values import UNKNOWN, Secret
from penstock.graph.verdict import Outcome
from penstock.rules.judge import judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings
from penstock.testing import rehearse

SECRET = "hunter2-hunter2"
STATEMENT = {"Effect": UNKNOWN, "Action": [Secret(SECRET), 7], "Principal": {"AWS": Secret(SECRET), "Service": [5]}}

TEXTS = (
    "",
    "-",
    "*",
    "\x00",
    "é☃" * 99,
    "x" * 5000,
    "[",
    "{}",
    "null",
    "NaN",
    "1e999",
    "::/0",
    "10.0.0.0/33",
    '{"Statement": 5}',
    '{"rules": [{"rulePriority": []}]}',
)
NUMBERS = (0, -1, 10**30, -0.5, float("nan"), float("inf"))

values = st.recursive(
    st.sampled_from([None, True, False, UNKNOWN, Secret(SECRET), Secret({"a": SECRET}), *TEXTS, *NUMBERS]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "Statement", ""]), inner, max_size=3)
    ),
    max_leaves=8,
) | st.just({"Version": "2012-10-17", "Statement": [STATEMENT]})


@cache
def graph(*, preview: bool) -> Graph:
    """The Graph of a platform."""
    return rehearse(platform({}), preview=preview).graph


@cache
def slots(*, preview: bool) -> tuple[tuple[str, tuple[str | int, ...]], ...]:
    """Every place of an input, with its resource."""
    found = graph(preview=preview)
    return tuple(
        (resource.urn, path)
        for resource in found
        if resource.custom and not resource.type.startswith("pulumi:")
        for path in places(resource.inputs)
        if path
    )


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place below a value, and its own."""
    yield path
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def with_value(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    """What stands there with another value at a place."""
    if not path:
        return new
    head, *rest = path
    if isinstance(value, Mapping):
        return {**value, head: with_value(value[str(head)], tuple(rest), new)}
    return [with_value(item, tuple(rest), new) if index == head else item for index, item in enumerate(value)]


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
@given(data=st.data())
def test_any_value_at_any_place_is_judged_and_no_secret_reported(preview: bool, data: st.DataObject) -> None:
    found = graph(preview=preview)
    urn, path = data.draw(st.sampled_from(slots(preview=preview)))
    resource: Resource = replace(found[urn], inputs=with_value(found[urn].inputs, path, data.draw(values)))
    odd = replace(found, resources={**found.resources, urn: resource})

    of_providers = [failure for said in verdicts(odd, RuleKind.PROVIDER, Settings()) for failure in said.failures]
    of_policies = [failure for said in verdicts(odd, RuleKind.POLICY, Settings()) for failure in said.failures]

    reported = [f"{failure.message} {failure.hint} {failure.path}" for failure in (*of_providers, *of_policies)]
    assert not any(SECRET in each for each in reported)


UNREAD = [
    ("aws-eks-version-offered", "aws:eks/cluster:Cluster", "version"),
    ("aws-vpc-cidr-size", "aws:ec2/vpc:Vpc", "cidrBlock"),
    ("aws-s3-bucket-name", "aws:s3/bucket:Bucket", "bucket"),
    ("aws-kms-deletion-window-range", "aws:kms/key:Key", "deletionWindowInDays"),
    ("aws-tag-limits", "aws:kms/key:Key", "tags"),
]


@pytest.mark.parametrize("value", [UNKNOWN, Secret("1.35"), Secret("10.0.0.0/16"), Secret(7)], ids=str)
@pytest.mark.parametrize(("rule", "type_", "path"), UNREAD)
def test_what_nobody_may_read_is_never_a_pass(rule: str, type_: str, path: str, value: Any) -> None:
    case = RuleCase(rule, Outcome.UNKNOWN, {IT: (type_, {path: value})})

    assert verdict(case).outcome is Outcome.UNKNOWN


def test_a_type_under_its_former_name_is_judged_as_under_its_present_one() -> None:
    program: Program = {
        "data": ("aws:s3/bucketV2:BucketV2", {"bucket": "Acme_Data"}),
        "versions": (
            "aws:s3/bucketVersioningV2:BucketVersioningV2",
            {"bucket": Ref("data"), "versioningConfiguration": {"status": "Enabled"}},
        ),
        "copy": ("aws:s3/bucketReplicationConfig:BucketReplicationConfig", {"bucket": Ref("data")}),
    }

    said = judge(graph_of(program), Settings(), RuleKind.PROVIDER).findings

    assert [finding.code for finding in said] == ["aws-s3-bucket-name"]
