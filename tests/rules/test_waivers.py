"""Waivers that excuse more than a person can answer for."""

from __future__ import annotations

from datetime import date

import pytest
from tests.programs import graph_of

from penstock.app.judge import judge_policies
from penstock.core.findings import Severity
from penstock.rules.settings import Pack, Settings
from penstock.rules.waivers import Waiver

TODAY = date(2026, 11, 21)
OPEN = {"acl": "public-read"}


def found(urn: str, pack: Pack, expires: date = date(2027, 3, 31)) -> list[Severity]:
    """The severities of POLICY-004 of a waiver of a critical rule."""
    waiver = Waiver(rule="aws-s3-acl-private", urn=urn, reason="public figures", owner="ml-team", expires=expires)
    graph = graph_of({"it": ("aws:s3/bucketAcl:BucketAcl", OPEN), "other": ("aws:s3/bucketAcl:BucketAcl", OPEN)})
    report = judge_policies(graph, Settings(packs=(pack,), waivers=(waiver,)), today=TODAY)
    return [each.severity for each in report.findings if each.code == "POLICY-004"]


@pytest.mark.parametrize(
    "urn", ["*", "urn:*", "urn:pulumi:*", "*::*", "*::*::*", "*:aws:*", "urn:pulumi:stack::project::*"]
)
def test_a_waiver_of_every_resource_is_reported_and_blocks_what_a_pack_binds(urn: str) -> None:
    assert found(urn, "baseline") == [Severity.WARNING]
    assert found(urn, "strict") == [Severity.ERROR]


def test_a_waiver_far_in_the_future_is_reported() -> None:
    assert found("*::it", "baseline", date(2029, 1, 1)) == [Severity.WARNING]


@pytest.mark.parametrize("urn", ["*::it", "*:BucketAcl::i*"])
def test_a_waiver_of_named_resources_is_not_reported(urn: str) -> None:
    assert found(urn, "strict") == []
