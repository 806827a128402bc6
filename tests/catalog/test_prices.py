"""Prices that estimates are made of."""

from __future__ import annotations

import pytest

from penstock.catalog import kubernetes_versions, lustre, machines, prices, regions
from penstock.errors import UnknownFact


def test_a_price_carries_its_unit_source_and_date() -> None:
    price = prices.on_demand("p5.48xlarge", "us-east-1")

    assert price is not None
    assert (price.usd, price.unit) == (55.04, "hour")
    assert price.source
    assert price.as_of


def test_spot_is_always_below_on_demand() -> None:
    for machine in machines.all():
        for region in regions.all():
            spot = prices.spot(machine.machine_type, region.name)
            on_demand = prices.on_demand(machine.machine_type, region.name)
            assert spot is None or on_demand is None or 0 < spot.usd < on_demand.usd


def test_a_machine_without_an_on_demand_price_is_not_sold_on_demand() -> None:
    assert prices.on_demand("p5e.48xlarge", "us-east-2") is None
    assert "on_demand" not in machines.find("p5e.48xlarge").sold


def test_what_nobody_priced_is_not_known_rather_than_free() -> None:
    assert prices.on_demand("p5.48xlarge", "xx-nowhere-1") is None
    assert prices.service("aws", "s3", "no such item") is None


@pytest.mark.parametrize("tier", lustre.tiers())
def test_every_tier_of_lustre_has_a_price_and_says_that_it_is_not_confirmed(tier: int) -> None:
    price = prices.service("aws", "fsx-lustre", f"persistent2 ssd {tier} MB/s/TiB")

    assert price is not None
    assert price.unverified == ("usd",)


def test_the_default_kubernetes_version_has_confirmed_dates() -> None:
    default = kubernetes_versions.find(kubernetes_versions.default("aws"), "aws")

    assert default.standard_until is not None
    assert not default.unverified


def test_a_kubernetes_version_that_is_not_offered_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match=r"1\.3"):
        kubernetes_versions.find("1.29", "aws")
