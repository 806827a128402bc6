"""The slices that TPU machines form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.catalog import machines
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import tpus
from penstock.gcp.facts.machines import GcpMachine

TPUS = [machine for machine in machines.machine_types(GcpMachine) if machine.accelerator_kind == "tpu"]


def machine(machine_type: str) -> GcpMachine:
    return machines.find_machine(machine_type, GcpMachine)


@pytest.mark.parametrize(
    ("machine_type", "topology", "hosts"),
    [
        ("ct5lp-hightpu-1t", "1x1", 1),
        ("ct5lp-hightpu-4t", "2x2", 1),
        ("ct5lp-hightpu-8t", "2x4", 1),
        ("ct6e-standard-4t", "2x4", 2),
        ("ct6e-standard-4t", "4x4", 4),
        ("ct6e-standard-4t", "4x8", 8),
        ("ct6e-standard-4t", "8x8", 16),
        ("ct6e-standard-4t", "8x16", 32),
        ("ct6e-standard-4t", "16x16", 64),
        ("ct6e-standard-8t", "2x4", 1),
        ("ct5p-hightpu-4t", "2x2x1", 1),
        ("ct5p-hightpu-4t", "2x2x2", 2),
        ("ct5p-hightpu-4t", "2x2x4", 4),
        ("ct5p-hightpu-4t", "2x4x4", 8),
        ("ct5p-hightpu-4t", "4x4x4", 16),
        ("ct5p-hightpu-4t", "16x16x24", 1536),
        ("ct4p-hightpu-4t", "12x16x16", 768),
        ("tpu7x-standard-1t", "1x1x1", 1),
        ("tpu7x-standard-4t", "16x24x24", 2304),
    ],
)
def test_a_slice_has_the_hosts_that_google_lists(machine_type: str, topology: str, hosts: int) -> None:
    found = tpus.slice_(machine(machine_type), topology)

    assert found.hosts == hosts
    assert found.multi_host is (hosts > 1)


@pytest.mark.parametrize("each", TPUS, ids=lambda each: each.machine_type)
def test_every_tpu_machine_has_topologies_that_its_chips_fill(each: GcpMachine) -> None:
    assert tpus.topologies(each)
    for topology in tpus.topologies(each):
        found = tpus.slice_(each, topology)
        assert found.chips == found.hosts * each.accelerators


@pytest.mark.parametrize(
    ("machine_type", "topology", "says"),
    [
        ("ct6e-standard-4t", "4x6", "comes as 2x2, 2x4, 4x4"),
        ("ct6e-standard-8t", "4x4", "comes as 2x4"),
        ("ct6e-standard-4t", "1x1", "comes as 2x2"),
        ("ct6e-standard-4t", "4x4x4", "not a topology"),
        ("ct6e-standard-4t", "32x32", "not a topology"),
        ("ct5p-hightpu-4t", "4x4", "has 2 edges"),
        ("ct5p-hightpu-4t", "4x4x6", "whole cubes of 4x4x4"),
        ("ct5p-hightpu-4t", "2x2x8", "whole cubes of 4x4x4"),
        ("tpu7x-standard-4t", "8x4x4", "4x4x8 is the same slice"),
        ("tpu7x-standard-4t", "16x24x28", "a pod of tpu7x-standard-4t has 9216"),
        ("ct4p-hightpu-4t", "16x16x20", "a pod of ct4p-hightpu-4t has 4096"),
        ("ct5p-hightpu-4t", "20x20x24", "a pod of ct5p-hightpu-4t has 8960"),
        ("tpu7x-standard-1t", "2x2x1", "comes as 1x1x1"),
        ("a3-megagpu-8g", "4x4", "no TPU chips"),
        ("ct5p-hightpu-4t", "four", "not a topology|1 edges"),
    ],
)
def test_what_is_no_slice_is_reported_what_is(machine_type: str, topology: str, says: str) -> None:
    with pytest.raises(UnknownFact, match=says):
        tpus.slice_(machine(machine_type), topology)


@given(cubes=st.lists(st.integers(min_value=1, max_value=9), min_size=3, max_size=3))
def test_cubes_form_a_slice_exactly_up_to_the_size_of_a_pod(cubes: list[int]) -> None:
    a, b, c = sorted(cubes)

    trouble = tpus.problem(machine("tpu7x-standard-4t"), f"{4 * a}x{4 * b}x{4 * c}")

    assert (trouble is None) is (a * b * c <= 144)


@pytest.mark.parametrize(
    ("machine_type", "topology", "policy"),
    [
        ("ct5p-hightpu-4t", "2x2x1", None),
        ("ct5p-hightpu-4t", "4x4x4", "compact"),
        ("ct6e-standard-4t", "4x4", "compact"),
        ("tpu7x-standard-4t", "2x2x1", None),
        ("tpu7x-standard-4t", "4x4x4", "workload"),
    ],
)
def test_only_slices_of_several_hosts_are_placed_by_a_policy(
    machine_type: str, topology: str, policy: str | None
) -> None:
    assert tpus.slice_(machine(machine_type), topology).policy == policy
