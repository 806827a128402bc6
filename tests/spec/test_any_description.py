"""Promises that hold for every description, right or wrong."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.descriptions import TRAINING, complaints
from tests.strategies import JUNK, descriptions

from penstock import spec
from penstock.spec import node_pool, platform

Breakage = tuple[str, object]

POOL_BREAKAGES: list[Breakage] = [
    ("name", "Not A Name"),
    ("nodes", "many"),
    ("nodes", 0),
    ("machine_type", "p5.48xlarg"),
    ("accelerator", "h1000"),
    ("capacity", "free"),
    ("zone", "us-east-9z"),
    ("fabric", "rdma"),
    ("reservation", "cr-1"),
    ("count", 7),
    ("sharing", {"time_slicing": 2}),
    ("labels", {"no label": "x"}),
    ("taints", [{"key": "x", "value": "no value"}]),
    ("disk", {"size_gib": 1}),
    ("aws", {"ami_type": "AL2_x86_64_GPU"}),
    ("colour", "blue"),
    ("tags", {"aws:owner": "me"}),
]


def places(data: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in plain data."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path] + [place for key, value in items for place in places(value, (*path, key))]


def test_the_description_used_by_other_tests_is_right() -> None:
    assert complaints(TRAINING) == []


@given(descriptions())
def test_a_right_description_leaves_no_finding(description: dict[str, Any]) -> None:
    assert complaints(description) == []


@given(descriptions())
def test_a_right_description_has_all_that_components_derive(description: dict[str, Any]) -> None:
    described = spec.parse(description)
    zones = platform.zones(described)

    for pool in described.node_pools:
        assert node_pool.machine(pool).cloud == "aws"
        if node_pool.efa(pool):
            assert node_pool.zone_of(pool, zones) in zones


@given(descriptions().filter(lambda each: each["node_pools"]), st.sampled_from(POOL_BREAKAGES), st.data())
def test_one_broken_field_is_found_where_it_stands(
    description: dict[str, Any], breakage: Breakage, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(description["node_pools"]) - 1))
    field, value = breakage
    description["node_pools"][index][field] = value

    assert any((path or "").startswith(f"node_pools[{index}].{field}") for _, path in complaints(description))


@given(JUNK)
def test_data_that_is_no_description_is_refused_and_nothing_else_happens(junk: Any) -> None:
    assert complaints(junk)


@given(st.data(), JUNK)
def test_junk_anywhere_in_a_description_raises_nothing_else(data: st.DataObject, junk: Any) -> None:
    description = copy.deepcopy(dict(TRAINING))
    *way, last = data.draw(st.sampled_from(places(description)[1:]))
    inside: Any = description
    for part in way:
        inside = inside[part]
    inside[last] = junk

    complaints(description)
