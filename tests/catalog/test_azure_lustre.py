"""What Azure sells of Managed Lustre."""

from __future__ import annotations

import pytest

from penstock.azure.facts import lustre
from penstock.core.errors import UnknownFact
from penstock.core.quantities import lustre_gib

TIERS = lustre.tiers()


def test_tiers_are_those_of_microsoft() -> None:
    assert TIERS == (40, 125, 250, 500)


@pytest.mark.parametrize(
    ("tier", "tib", "sold"),
    [
        (40, 48, True),
        (40, 16, False),
        (40, 100, False),
        (125, 16, True),
        (125, 24, False),
        (250, 8, True),
        (250, 0, False),
        (500, 12, True),
        (500, 128, True),
        (500, 132, True),
    ],
)
def test_capacities_are_multiples_of_the_step(tier: int, tib: float, sold: bool) -> None:
    assert lustre.steps(tier).allow(lustre_gib(tib)) is sold


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("tib", [0.5, 3, 17, 47.9, 100, 5000])
def test_the_nearest_capacity_is_sold_and_none_is_nearer(tier: int, tib: float) -> None:
    steps, wanted = lustre.steps(tier), lustre_gib(tib)

    nearest = steps.nearest(wanted)

    assert steps.allow(nearest)
    on_sale = range(steps.minimum, 2 * lustre_gib(5000), steps.step)
    assert abs(nearest - wanted) == min(abs(each - wanted) for each in on_sale)


@pytest.mark.parametrize("tier", TIERS)
def test_a_sku_is_called_by_its_throughput(tier: int) -> None:
    assert lustre.steps_of(f"AMLFS-Durable-Premium-{tier}") == lustre.steps(tier)


def test_a_capacity_beyond_what_every_subscription_gets_needs_a_request() -> None:
    steps = lustre.steps(250)

    assert not steps.needs_request(lustre_gib(128))
    assert steps.needs_request(lustre_gib(136))


def test_the_smallest_file_systems_of_all_tiers_have_like_throughput() -> None:
    together = {tier * lustre.steps(tier).minimum // 1000 for tier in TIERS}

    assert together == {1920, 2000}


@pytest.mark.parametrize(("tib", "prefix"), [(4, 27), (16, 27), (20, 26), (96, 24), (400, 23), (404, None)])
def test_larger_file_systems_need_larger_subnets(tib: float, prefix: int | None) -> None:
    assert lustre.longest_prefix(lustre_gib(tib)) == prefix


def test_a_sku_that_azure_has_not_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match="AMLFS-Durable-Premium-125"):
        lustre.steps_of("AMLFS-Durable-Premium-150")
