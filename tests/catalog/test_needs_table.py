"""The needs of clouds are written so that they lead somewhere."""

from __future__ import annotations

import pytest

from penstock.catalog import needs
from penstock.catalog.needs import Need
from penstock.rehearsal.sdk_types import mismatches

NEEDS = [(type_, need) for type_, found in needs.by_type().items() for need in found]


@pytest.mark.parametrize(("type_", "need"), NEEDS)
def test_every_step_follows_a_property_that_the_type_has(type_: str, need: Need) -> None:
    at = type_
    for step in need.steps:
        owner, name = (at, step.property) if step.forward else (step.type, step.property)
        if "{" not in name and not owner.startswith("pulumi:"):
            unknown = [each for each in mismatches(owner, {name.split(".")[0]: None}) if each.code == "TYPE-001"]
            assert not unknown, (owner, name)
        at = step.type


@pytest.mark.parametrize(("type_", "need"), NEEDS)
def test_every_need_says_why(type_: str, need: Need) -> None:
    assert need.why, type_
    assert need.steps
