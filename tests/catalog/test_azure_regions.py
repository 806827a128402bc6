"""Azure's regions, their zones, and what they sell."""

from __future__ import annotations

import pytest

from penstock.azure.facts.machines import AzureMachine
from penstock.catalog import machine_zones, machines, offerings, prices, regions


@pytest.mark.parametrize("region", regions.all_regions("azure"), ids=lambda region: region.name)
def test_a_region_has_three_zones_or_none(region: regions.Region) -> None:
    assert len(region.zones) == len(region.zone_ids)
    assert region.zones in ((), tuple(f"{region.name}-{number}" for number in (1, 2, 3)))


def test_regions_of_tests_and_previews_are_left_out() -> None:
    assert not [region.name for region in regions.all_regions("azure") if region.name.endswith(("euap", "stg"))]


@pytest.mark.parametrize(
    ("region", "residency"),
    [("westeurope", "eu"), ("uksouth", "gb"), ("switzerlandnorth", "ch"), ("norwayeast", "no"), ("eastus2", "us")],
)
def test_data_stay_under_the_law_of_their_place(region: str, residency: str) -> None:
    assert regions.find_region(region, "azure").residency == residency


def test_the_zone_of_a_subscription_is_of_its_region_and_nobody_knows_what_it_sells() -> None:
    found = machine_zones.region_of_zone("swedencentral-2", "azure")

    assert found == regions.find_region("swedencentral", "azure")
    assert machine_zones.is_sold("Standard_ND96isr_H100_v5", "swedencentral-2", "azure") is None


@pytest.mark.parametrize(
    ("machine_type", "where", "nowhere"),
    [
        ("Standard_ND96asr_v4", "southcentralus", "swedencentral"),
        ("Standard_ND96isr_H100_v5", "eastus", "jioindiawest"),
        ("Standard_NC40ads_H100_v5", "westus3", "brazilsoutheast"),
    ],
)
def test_machines_are_offered_where_they_have_a_price(machine_type: str, where: str, nowhere: str) -> None:
    assert machine_type in (offerings.offered(where, "azure") or ())
    assert machine_type not in (offerings.offered(nowhere, "azure") or ())
    assert prices.on_demand(machine_type, where, "azure") is not None


def test_every_machine_but_those_without_a_price_is_sold_somewhere() -> None:
    sold = frozenset[str]().union(
        *(offerings.offered(region.name, "azure") or () for region in regions.all_regions("azure"))
    )

    unpriced = {machine.machine_type for machine in machines.machine_types(AzureMachine)} - sold
    assert unpriced == {"Standard_ND128isr_GB300_v6", "Standard_ND128isrG5_GB300_v6"}
