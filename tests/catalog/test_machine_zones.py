"""Which zones sell a machine type: by name on Google Cloud, by id on AWS, where a name says little."""

from __future__ import annotations

import pytest

from penstock.catalog import machines, offerings, regions
from penstock.catalog.machine_zones import is_single_tenant, is_sold, may_sell, region_of_zone, zones_selling
from penstock.catalog.tables import rows
from penstock.description.node_pool import NodePoolSpec
from penstock.gcp.description.pools import zone_of

DALLAS = "us-east-1-dfw-2a"


@pytest.mark.parametrize(
    ("machine_type", "zone", "sold"),
    [
        ("a2-ultragpu-8g", "us-central1-a", True),
        ("a2-ultragpu-8g", "us-central1-b", False),
        ("a3-ultragpu-8g", "us-central1-a", False),
        ("ct6e-standard-4t", "us-central1-b", True),
        ("ct6e-standard-4t", "us-central1-a", False),
        ("tpu7x-standard-4t", "us-central1-ai1a", True),
        ("a3-ultragpu-8g", "us-central1-ai1a", None),  # a zone for accelerators that the list may not have yet
        ("g4-standard-48", "us-central1-a", None),  # a type of which no whole list is known
        ("g4-standard-48", "us-central1-b", True),
        ("a4-highgpu-8g", "europe-west1-b", None),  # a region that sells it since the list was made
        ("a2-ultragpu-8g", "nowhere-1-a", None),
    ],
)
def test_a_zone_of_google_sells_a_type_or_not_or_nobody_knows(
    machine_type: str, zone: str, *, sold: bool | None
) -> None:
    assert is_sold(machine_type, zone, "gcp") is sold


@pytest.mark.parametrize(
    ("machine_type", "zone", "sold"),
    [
        ("p5en.48xlarge", "use1-az2", True),
        ("p5en.48xlarge", "use1-az1", False),
        ("p5en.48xlarge", "us-east-1a", None),  # a name means another building in each account
        ("p5.48xlarge", "us-east-1a", True),  # all of the region's zones sell it, whatever this one's id is
        ("p6e-gb200.36xlarge", "us-east-1a", False),  # none of them does
        ("p6e-gb200.36xlarge", DALLAS, True),
        ("p6e-gb200.36xlarge", "use1-dfw2-az1", True),
        ("p5.48xlarge", DALLAS, False),
        ("trn2u.48xlarge", "us-east-2a", None),
        ("p5.48xlarge", "cn-north-1a", None),
    ],
)
def test_a_name_on_aws_says_something_only_where_all_zones_are_alike(
    machine_type: str, zone: str, *, sold: bool | None
) -> None:
    assert is_sold(machine_type, zone, "aws") is sold


def test_zones_that_sell_a_type_have_the_names_that_users_write() -> None:
    assert zones_selling("a3-ultragpu-8g", "us-central1", "gcp") == ("us-central1-b",)
    assert zones_selling("p5en.48xlarge", "us-east-1", "aws") == ("use1-az2", "use1-az6")
    assert zones_selling("p6e-gb200.36xlarge", "us-east-1", "aws") == (DALLAS,)
    assert zones_selling("g4-standard-48", "us-central1", "gcp") == ()


def test_zones_that_nobody_knows_of_stay_among_those_that_may_sell() -> None:
    zones = ("us-central1-a", "us-central1-b", "us-central1-c")

    assert may_sell("a2-ultragpu-8g", zones, "gcp") == ("us-central1-a", "us-central1-c")
    assert may_sell("e2-standard-8", zones, "gcp") == zones


def test_zones_of_single_tenants_are_not_chosen_beside_one_that_sells_to_everybody() -> None:
    pool = NodePoolSpec.model_validate({"name": "v", "accelerator": "tpu-v5p", "nodes": 4, "topology": "2x2x4"})

    assert is_single_tenant("ct5p-hightpu-4t", "us-east5-b", "gcp")
    assert not is_single_tenant("ct5p-hightpu-4t", "us-east5-a", "gcp")
    assert is_sold("ct5lp-hightpu-4t", "us-east5-b", "gcp") is None
    assert zone_of(pool, ("us-east5-b", "us-east5-a")) == "us-east5-a"


def test_every_single_tenant_zone_sells_to_nobody_else() -> None:
    for row in rows("gcp/single_tenant_zones"):
        selling = next(
            each["zones"] for each in rows("gcp/machine_zones") if each["machine_type"] == row["machine_type"]
        )
        assert not set(row["zones"].split()) & set(selling.split())


@pytest.mark.parametrize("cloud", ["aws", "gcp"])
def test_every_zone_of_the_table_lies_in_a_region(cloud: str) -> None:
    for row in rows(f"{cloud}/machine_zones"):
        machines.find_machine(row["machine_type"], cloud)
        for zone in row["zones"].split():
            assert region_of_zone(zone, cloud) is not None, zone


def test_a_region_of_aws_has_as_many_ids_as_zones() -> None:
    assert [region.name for region in regions.all_regions("aws") if len(region.zones) != len(region.zone_ids)] == []


def test_most_of_what_regions_sell_has_zones() -> None:
    """Where the two lists differ, one is younger, and nothing is said of such a type in such a region."""
    sold = [
        (machine.machine_type, region.name, cloud)
        for cloud in ("aws", "gcp")
        for machine in machines.machine_types(cloud)
        if machine.accelerators
        for region in regions.all_regions(cloud)
        if machine.machine_type in (offerings.offered(region.name, cloud) or ())
    ]

    assert sum(bool(zones_selling(*each)) for each in sold) > 0.7 * len(sold)
