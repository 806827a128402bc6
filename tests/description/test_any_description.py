"""Properties that hold for every description, right or wrong."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.descriptions import GCP_TRAINING, TRAINING, complaints
from tests.strategies import JUNK, descriptions, gcp_descriptions

from penstock.aws.description import pools
from penstock.description import parse, platform
from penstock.gcp.description import pools as gcp_pools

Breakage = tuple[str, object]

EITHER = descriptions() | gcp_descriptions()

POOL_BREAKAGES: list[Breakage] = [
    ("name", "Not A Name"),
    ("nodes", "many"),
    ("nodes", 0),
    ("machine_type", "p5.48xlarg"),
    ("accelerator", "h1000"),
    ("capacity", "free"),
    ("zone", "us-east-9z"),
    ("fabric", "infiniband"),
    ("reservation", "cr_1"),
    ("count", 7),
    ("sharing", {"time_slicing": 2, "mps": 2}),
    ("labels", {"no label": "x"}),
    ("taints", [{"key": "x", "value": "no value"}]),
    ("disk", {"size_gib": 1}),
    ("colour", "blue"),
    ("tags", {"aws:owner": "me"}),
]
AWS_POOL_BREAKAGES: list[Breakage] = [("fabric", "rdma"), ("aws", {"ami_type": "AL2_x86_64_GPU"}), ("gcp", {})]
GCP_POOL_BREAKAGES: list[Breakage] = [
    ("fabric", "efa"),
    ("capacity", "capacity_block"),
    ("topology", "3x5"),
    ("slices", 0),
    ("gcp", {"local_ssds": 5}),
    ("gcp", {"max_run_hours": 169}),
    ("aws", {}),
]


def places(data: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in plain data."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path] + [place for key, value in items for place in places(value, (*path, key))]


def test_the_descriptions_used_by_other_tests_are_right() -> None:
    assert complaints(TRAINING) == []
    assert complaints(GCP_TRAINING) == []


@given(EITHER)
def test_a_right_description_leaves_no_finding(description: dict[str, Any]) -> None:
    assert complaints(description) == []


@given(descriptions())
def test_a_right_description_has_all_that_components_derive(description: dict[str, Any]) -> None:
    described = parse(description)
    zones = platform.zones(described)

    for pool in described.node_pools:
        assert pools.machine(pool).cloud == "aws"
        if pools.efa(pool):
            assert pools.zone_of(pool, zones) in zones


@given(gcp_descriptions())
def test_a_right_description_on_google_has_all_that_components_derive(description: dict[str, Any]) -> None:
    described = parse(description)
    zones = platform.zones(described)

    for pool in platform.node_pools(described):
        wired, shape = gcp_pools.fabric(pool), gcp_pools.slice_(pool)
        assert gcp_pools.machine(pool).machine_type == pool.machine_type
        assert gcp_pools.max_pods(pool) > 0
        assert not (wired is not None and gcp_pools.dranet(pool))
        if wired is not None or gcp_pools.placement(pool) is not None or (shape is not None and shape.multi_host):
            assert gcp_pools.zone_of(pool, zones) in zones


@given(EITHER.filter(lambda each: each["node_pools"]), st.data())
def test_one_broken_field_is_found_where_it_stands(description: dict[str, Any], data: st.DataObject) -> None:
    own = AWS_POOL_BREAKAGES if description["cloud"]["provider"] == "aws" else GCP_POOL_BREAKAGES
    index = data.draw(st.integers(0, len(description["node_pools"]) - 1))
    field, value = data.draw(st.sampled_from([*POOL_BREAKAGES, *own]))
    description["node_pools"][index][field] = value

    assert any((path or "").startswith(f"node_pools[{index}].{field}") for _, path in complaints(description))


@given(JUNK)
def test_data_that_is_no_description_is_refused_and_nothing_else_happens(junk: Any) -> None:
    assert complaints(junk)


@given(st.data(), JUNK)
def test_junk_anywhere_in_a_description_raises_nothing_else(data: st.DataObject, junk: Any) -> None:
    description = copy.deepcopy(dict(data.draw(st.sampled_from([TRAINING, GCP_TRAINING]))))
    *way, last = data.draw(st.sampled_from(places(description)[1:]))
    inside: Any = description
    for part in way:
        inside = inside[part]
    inside[last] = junk

    complaints(description)
