"""Prices that estimates are made of."""

from __future__ import annotations

import pulumi_aws  # noqa: F401 - the SDKs tell which types there are
import pulumi_azure_native  # noqa: F401
import pulumi_gcp  # noqa: F401
import pytest

from penstock.aws.facts import lustre
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import kubernetes_versions, machines, prices, regions
from penstock.catalog.tables import rows
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import lustre as gcp_lustre
from penstock.simulate.sdk_types import input_types


def test_a_price_carries_its_unit_source_and_date() -> None:
    price = prices.on_demand("p5.48xlarge", "us-east-1", "aws")

    assert price is not None
    assert (price.usd, price.unit) == (55.04, "hour")
    assert price.source
    assert price.as_of


@pytest.mark.parametrize("cloud", ["aws", "gcp", "azure"])
def test_spot_is_always_below_on_demand(cloud: str) -> None:
    for machine in machines.machine_types(cloud):
        for region in regions.all_regions(cloud):
            spot = prices.spot(machine.machine_type, region.name, cloud)
            on_demand = prices.on_demand(machine.machine_type, region.name, cloud)
            assert spot is None or on_demand is None or 0 < spot.usd < on_demand.usd


@pytest.mark.parametrize("cloud", ["aws", "gcp", "azure"])
def test_every_price_is_that_of_a_region_that_there_is(cloud: str) -> None:
    known = {region.name for region in regions.all_regions(cloud)}

    assert {row["region"] for row in rows(f"{cloud}/prices")} <= known


def test_a_tpu_costs_as_much_as_its_chips() -> None:
    one, four = (prices.on_demand(f"ct6e-standard-{chips}t", "us-east5", "gcp") for chips in (1, 4))

    assert one is not None
    assert four is not None
    assert four.usd == 4 * one.usd


def test_what_is_reserved_costs_what_is_bought_on_demand() -> None:
    reserved = prices.machine_hour("a3-megagpu-8g", "us-east4", "reserved", "gcp")

    assert reserved is not None
    assert reserved == prices.on_demand("a3-megagpu-8g", "us-east4", "gcp")


def test_a_machine_without_an_on_demand_price_is_not_sold_on_demand() -> None:
    assert prices.on_demand("p5e.48xlarge", "us-east-2", "aws") is None
    assert "on_demand" not in machines.find_machine("p5e.48xlarge", AwsMachine).sold


def test_what_nobody_priced_is_not_known_rather_than_free() -> None:
    assert prices.on_demand("p5.48xlarge", "xx-nowhere-1", "aws") is None
    assert prices.service("aws", "s3", "no such item") is None


@pytest.mark.parametrize("tier", lustre.tiers())
def test_every_tier_of_lustre_has_a_price_and_says_that_it_is_not_confirmed(tier: int) -> None:
    price = prices.service("aws", "fsx-lustre", f"persistent2 ssd {tier} MB/s/TiB")

    assert price is not None
    assert price.unverified == ("usd",)


@pytest.mark.parametrize("tier", [tier for tier in gcp_lustre.tiers() if not gcp_lustre.steps(tier).dynamic])
def test_every_tier_of_managed_lustre_has_a_price_and_says_that_it_is_not_confirmed(tier: int) -> None:
    price = prices.service("gcp", "managed-lustre", f"{tier} MB/s/TiB")

    assert price is not None
    assert price.unverified == ("usd",)


def test_the_default_kubernetes_version_has_confirmed_dates() -> None:
    default = kubernetes_versions.find_version(kubernetes_versions.default_version("aws"), "aws")

    assert default.standard_until is not None
    assert not default.unverified


def test_a_kubernetes_version_that_is_not_offered_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match=r"1\.3"):
        kubernetes_versions.find_version("1.29", "aws")


@pytest.mark.parametrize("cloud", ["aws", "gcp", "azure"])
def test_what_a_cloud_bills_otherwise_is_a_type_that_there_is(cloud: str) -> None:
    assert not [row["type"] for row in rows(f"{cloud}/billed_otherwise") if input_types(row["type"]) is None]
