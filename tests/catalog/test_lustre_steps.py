"""The capacities of FSx for Lustre that AWS sells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.aws.facts import lustre
from penstock.core.errors import UnknownFact

EVERY_TIER = [(tier, efa) for tier in lustre.tiers() for efa in (False, True)]


@pytest.mark.parametrize(("capacity", "sold"), [(1200, True), (2400, True), (4800, True), (3600, False), (0, False)])
def test_a_file_system_without_efa_is_sold_in_1200_and_multiples_of_2400(capacity: int, sold: bool) -> None:
    assert lustre.steps(250).allow(capacity) is sold


@pytest.mark.parametrize(("tier", "minimum"), [(125, 38400), (250, 19200), (500, 9600), (1000, 4800)])
def test_with_efa_the_minimum_shrinks_as_the_throughput_grows(tier: int, minimum: int) -> None:
    steps = lustre.steps(tier, efa=True)

    assert steps.minimum == minimum
    assert steps.allow(2 * minimum)
    assert not steps.allow(minimum + 2400)


@given(tier=st.sampled_from(EVERY_TIER), wanted=st.integers(min_value=0, max_value=10**6))
def test_the_nearest_capacity_is_on_sale_and_none_on_sale_is_nearer(tier: tuple[int, bool], wanted: int) -> None:
    steps = lustre.steps(tier[0], efa=tier[1])

    nearest = steps.nearest(wanted)

    assert steps.allow(nearest)
    nearer = range(wanted - abs(nearest - wanted) + 1, wanted + abs(nearest - wanted))
    assert not any(steps.allow(capacity) for capacity in nearer if capacity % 1200 == 0)


def test_of_two_equally_near_capacities_the_larger_is_advised() -> None:
    assert lustre.steps(250).nearest(3600) == 4800


def test_a_throughput_that_aws_does_not_sell_names_those_on_sale() -> None:
    with pytest.raises(UnknownFact, match="125, 250, 500"):
        lustre.steps(300, efa=True)


def test_only_the_newest_deployment_type_takes_efa_clients() -> None:
    with pytest.raises(UnknownFact):
        lustre.steps(50, efa=True)
