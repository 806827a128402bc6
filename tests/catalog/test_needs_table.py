"""The needs of clouds are written so that they lead somewhere."""

from __future__ import annotations

import pulumi_aws  # noqa: F401 - the SDKs tell which properties there are
import pulumi_gcp  # noqa: F401

from penstock.catalog.needs import Need
from penstock.catalog.records import records
from penstock.catalog.tables import clouds_with
from penstock.graph.property_path import PropertyPath
from penstock.simulate.sdk_types import input_types

NEEDS = [(need.type, need) for cloud in clouds_with("needs") for need in records(Need, f"{cloud}/needs")]


def test_every_step_follows_a_property_that_the_type_has() -> None:
    for type_, need in NEEDS:
        at = type_
        for step in need.steps:
            owner, name = (at, step.property) if step.forward else (step.type, step.property)
            if "{" not in name and name != "*" and not owner.startswith("pulumi:"):
                assert PropertyPath.parse(name).top in (input_types(owner) or {}), (owner, name)
            at = step.type


def test_every_step_leads_to_a_type_that_there_is() -> None:
    for type_, need in NEEDS:
        for step in need.steps:
            assert input_types(step.type) is not None, (type_, step.type)


def test_every_need_says_why() -> None:
    for type_, need in NEEDS:
        assert need.why, type_
        assert need.steps
