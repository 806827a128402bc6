"""Facts that follow from a description without being written in it."""

from __future__ import annotations

from ipaddress import IPv4Network

import pytest
from tests.descriptions import TRAINING, changed

from penstock.aws.description import pools, subnets
from penstock.description import NodePoolSpec, Spec, parse, platform, storage
from penstock.description.storage import BucketSpec, LustreSpec

ZONES = ("us-east-1a", "us-east-1b")


def pool(**fields: object) -> NodePoolSpec:
    return NodePoolSpec.model_validate({"name": "pool", "nodes": 1, **fields})


@pytest.fixture
def training() -> Spec:
    return parse(TRAINING)


def test_an_accelerator_finds_its_training_machine() -> None:
    assert pools.machine(pool(accelerator="h100")).machine_type == "p5.48xlarge"


def test_a_count_finds_the_machine_with_just_so_many() -> None:
    assert pools.machine(pool(accelerator="h100", count=1)).machine_type == "p5.4xlarge"


def test_a_machine_type_wins_over_what_the_accelerator_would_find() -> None:
    assert pools.machine(pool(accelerator="h100", machine_type="p5.4xlarge")).machine_type == "p5.4xlarge"


@pytest.mark.parametrize(
    ("region", "machine_type"), [("us-east-1", "p5en.48xlarge"), ("eu-west-2", "p5e.48xlarge"), (None, "p5en.48xlarge")]
)
def test_an_accelerator_finds_a_machine_that_the_region_sells(region: str | None, machine_type: str) -> None:
    described = Spec.model_validate(
        {
            "environment": "dev",
            "cloud": {"provider": "aws", "region": region},
            "node_pools": [{"name": "train", "accelerator": "h200", "nodes": 1}],
        }
    )

    assert platform.node_pools(described)[-1].machine_type == machine_type


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"accelerator": "h100"}, True),
        ({"accelerator": "h100", "fabric": "none"}, False),
        ({"accelerator": "l4"}, False),
        ({"machine_type": "m7i.2xlarge"}, False),
        ({"accelerator": "h100", "fabric": "efa"}, True),
    ],
)
def test_efa_is_on_where_machine_and_description_have_it(fields: dict[str, object], expected: bool) -> None:
    assert pools.efa(pool(**fields)) is expected


@pytest.mark.parametrize(
    ("fields", "zone"),
    [
        ({"accelerator": "l4"}, None),
        ({"accelerator": "l4", "zone": "us-east-1b"}, "us-east-1b"),
        ({"accelerator": "l4", "placement": "cluster"}, "us-east-1a"),
        ({"accelerator": "l4", "capacity": "reserved"}, "us-east-1a"),
        ({"accelerator": "h100"}, "us-east-1a"),
        ({"accelerator": "h100", "fabric": "none"}, None),
    ],
)
def test_a_pool_stands_in_one_zone_only_where_it_must(fields: dict[str, object], zone: str | None) -> None:
    assert pools.zone_of(pool(**fields), ZONES) == zone


def test_a_file_system_stays_where_it_is_when_pools_come_and_go() -> None:
    lake = LustreSpec(name="lake", capacity_tib=1.2, throughput_mbps_per_tib=125)

    assert storage.zone_of(lake, ZONES) == "us-east-1a"
    assert storage.zone_of(lake.model_copy(update={"zone": "us-east-1b"}), ZONES) == "us-east-1b"


def test_a_platform_stands_in_the_first_three_zones_of_its_region(training: Spec) -> None:
    assert platform.zones(training) == ("us-east-1a", "us-east-1b", "us-east-1c")


def test_an_adopted_network_says_the_zones() -> None:
    existing = {"id": "vpc-01234567", "subnets": {"us-east-1c": "subnet-01234567", "us-east-1d": "subnet-01234568"}}
    described = parse(changed("network", {"existing": existing}))

    assert platform.zones(described) == ("us-east-1c", "us-east-1d")


def test_tags_of_a_component_win_over_those_of_the_platform() -> None:
    described = parse(changed("tags", {"team": "a", "cost": "1"}, changed("owner", "me")))
    bucket = BucketSpec(name="data", tags={"team": "b"})

    assert platform.tags(described, bucket) == {
        "platform": "platform",
        "environment": "prod",
        "owner": "me",
        "team": "b",
        "cost": "1",
    }


@pytest.mark.parametrize(
    ("environment", "wish", "expected"),
    [("prod", None, True), ("dev", None, False), ("prod", False, False), ("dev", True, True)],
)
def test_data_is_protected_in_prod_unless_the_description_says_otherwise(
    environment: str,
    wish: bool | None,
    expected: bool,
) -> None:
    described = parse(changed("environment", environment))

    assert platform.protect(described, BucketSpec(name="data", protect=wish)) is expected


def test_subnets_of_all_zones_lie_apart() -> None:
    cidr = IPv4Network("10.40.0.0/16")
    zones = [f"us-east-1{letter}" for letter in "abcdef"]
    ranges = [make(cidr, zone) for zone in zones for make in (subnets.private, subnets.public)]

    assert all(each.subnet_of(cidr) for each in ranges)
    assert not any(a.overlaps(b) for index, a in enumerate(ranges) for b in ranges[:index])


def test_the_smallest_network_has_subnets_that_aws_takes() -> None:
    smallest = IPv4Network(f"10.40.0.0/{subnets.LONGEST_PREFIX}")

    assert subnets.public(smallest, "us-east-1f").prefixlen <= 28
    assert subnets.usable_addresses(smallest, "us-east-1f") == subnets.private(smallest, "us-east-1f").num_addresses - 5
