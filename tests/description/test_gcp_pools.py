"""Facts derived for a pool on Google Cloud."""

from __future__ import annotations

import pytest
from tests.descriptions import GCP_TRAINING, changed

from penstock.core.errors import UnknownFact
from penstock.description import NodePoolSpec, parse, platform
from penstock.description.cluster import ClusterSpec, version_of
from penstock.gcp.description import pools

ZONES = ("us-central1-a", "us-central1-b")


def pool(**fields: object) -> NodePoolSpec:
    return NodePoolSpec.model_validate({"name": "pool", "nodes": {"min": 0, "max": 4}, **fields})


@pytest.mark.parametrize(
    ("fields", "fabric", "dranet"),
    [
        ({"machine_type": "a3-highgpu-8g"}, "tcpx", False),
        ({"accelerator": "h100"}, "tcpxo", False),
        ({"accelerator": "h100", "fabric": "none"}, None, False),
        ({"accelerator": "h200", "gcp": {"networking": "dranet"}}, None, True),
        ({"accelerator": "gb200"}, None, True),
        ({"accelerator": "gb200", "gcp": {"networking": "multi_network"}}, "rdma-nvl72", False),
        ({"accelerator": "gb300", "fabric": "none"}, None, False),
        ({"accelerator": "tpu-v6e"}, "dual-nic", False),
        ({"accelerator": "l4"}, None, False),
        ({"machine_type": "e2-standard-8"}, None, False),
    ],
)
def test_a_fabric_is_wired_by_us_or_by_gke_and_never_by_both(
    fields: dict[str, object], fabric: str | None, *, dranet: bool
) -> None:
    wired = pools.fabric(pool(**fields))

    assert (wired.name if wired is not None else None) == fabric
    assert pools.dranet(pool(**fields)) is dranet


@pytest.mark.parametrize(
    ("fields", "placement"),
    [
        ({"accelerator": "h100"}, "compact"),
        ({"accelerator": "h100", "placement": "none"}, None),
        ({"accelerator": "h100", "nodes": 97}, None),  # more than Google's autoscaler places compactly
        ({"accelerator": "h100", "capacity": "flex_start"}, None),
        ({"accelerator": "h200", "capacity": "flex_start"}, "compact"),
        ({"accelerator": "b200", "capacity": "flex_start"}, "compact"),
        ({"accelerator": "b200", "capacity": "flex_start", "gcp": {"queued": True}}, None),
        ({"accelerator": "h200", "capacity": "reserved", "reservation": "ours"}, None),
        ({"accelerator": "h200", "capacity": "reserved", "reservation": "ours", "placement": "theirs"}, "compact"),
        ({"accelerator": "gb200", "capacity": "reserved", "reservation": "ours"}, "workload"),
        ({"accelerator": "gb300", "capacity": "reserved", "reservation": "ours"}, "workload"),
        ({"accelerator": "l4"}, None),
        ({"accelerator": "l4", "placement": "cluster"}, "compact"),
        ({"machine_type": "c3-standard-8"}, None),
        ({"accelerator": "tpu-v5p"}, None),
        ({"accelerator": "tpu-v5p", "topology": "2x2x1"}, None),
        ({"accelerator": "tpu-v5p", "topology": "4x4x4"}, "compact"),
        ({"accelerator": "tpu-v5p", "topology": "4x4x4", "capacity": "flex_start"}, "compact"),
        ({"accelerator": "tpu7x", "topology": "4x4x4"}, "workload"),
    ],
)
def test_machines_that_talk_much_are_placed_closely_where_google_can(
    fields: dict[str, object], placement: str | None
) -> None:
    assert pools.placement(pool(**fields)) == placement


@pytest.mark.parametrize(
    ("fields", "zone"),
    [
        ({"accelerator": "l4"}, None),
        ({"machine_type": "e2-standard-8"}, None),
        ({"accelerator": "l4", "zone": "us-central1-b"}, "us-central1-b"),
        ({"accelerator": "l4", "placement": "cluster"}, "us-central1-a"),
        ({"accelerator": "l4", "capacity": "reserved", "reservation": "ours"}, "us-central1-a"),
        ({"accelerator": "h100", "placement": "none"}, "us-central1-a"),
        ({"accelerator": "h100", "placement": "none", "fabric": "none"}, None),
        ({"accelerator": "gb200", "placement": "none"}, "us-central1-a"),
        ({"accelerator": "tpu-v5p", "topology": "2x2x2"}, "us-central1-a"),
        ({"accelerator": "tpu-v5p", "topology": "2x2x1"}, None),
        ({"accelerator": "h200", "capacity": "reserved", "reservation": "ours"}, "us-central1-b"),
        ({"accelerator": "tpu-v6e", "topology": "2x4"}, "us-central1-b"),
    ],
)
def test_a_pool_stands_in_one_zone_only_where_it_must(fields: dict[str, object], zone: str | None) -> None:
    assert pools.zone_of(pool(**fields), ZONES) == zone


@pytest.mark.parametrize(
    ("fields", "zones"),
    [
        ({"machine_type": "e2-standard-8"}, ZONES),
        ({"accelerator": "l4"}, ZONES),
        ({"accelerator": "a100-80gb"}, ("us-central1-a",)),
        ({"machine_type": "g4-standard-48"}, ("us-central1-b",)),  # known to sell it; others may
        ({"accelerator": "tpu7x"}, ZONES),  # no zone sells them, which a rule reports
    ],
)
def test_a_pool_is_in_the_zones_that_sell_its_machines(fields: dict[str, object], zones: tuple[str, ...]) -> None:
    assert pools.zones_for(pool(**fields), ZONES) == zones


@pytest.mark.parametrize(
    ("fields", "most"),
    [
        ({"machine_type": "e2-standard-8"}, 64),
        ({"accelerator": "l4"}, 64),
        ({"accelerator": "h100"}, 32),
        ({"accelerator": "gb200"}, 32),
        ({"accelerator": "h100", "fabric": "none"}, 64),
        ({"accelerator": "tpu-v5p"}, 32),
        ({"accelerator": "tpu-v6e"}, 32),
    ],
)
def test_nodes_of_large_machines_leave_addresses_to_others(fields: dict[str, object], most: int) -> None:
    assert pools.max_pods(pool(**fields)) == most


def test_a_topology_says_how_many_machines_a_slice_has() -> None:
    shape = pools.slice_(pool(accelerator="tpu-v5p", topology="4x4x8"))

    assert shape is not None
    assert (shape.chips, shape.hosts, shape.multi_host) == (128, 32, True)
    assert pools.slice_(pool(accelerator="tpu-v5p")) is None


def test_a_topology_that_no_slice_has_is_no_fact() -> None:
    with pytest.raises(UnknownFact, match="4x6"):
        pools.slice_(pool(accelerator="tpu-v6e", topology="4x6"))


@pytest.mark.parametrize(
    ("fields", "features"),
    [
        ({"accelerator": "h100"}, {"multi_networking", "tcpxo"}),
        ({"accelerator": "gb200"}, {"dranet"}),
        ({"accelerator": "gb300"}, {"dranet", "a4x-maxgpu"}),
        ({"accelerator": "h200"}, {"multi_networking"}),
        ({"machine_type": "e2-standard-8"}, set()),
    ],
)
def test_a_pool_needs_of_gke_what_its_machine_and_fabric_need(fields: dict[str, object], features: set[str]) -> None:
    assert set(pools.features(pool(**fields))) == features


def test_a_cluster_has_the_default_version_of_its_cloud_unless_it_names_one() -> None:
    assert version_of(ClusterSpec(), "gcp") == "1.35"
    assert version_of(ClusterSpec(version="1.34"), "gcp") == "1.34"


def test_a_platform_without_a_pool_for_its_own_pods_gets_one() -> None:
    described = parse(changed("node_pools", [], GCP_TRAINING))

    assert [(each.name, each.machine_type) for each in platform.node_pools(described)] == [("system", "e2-standard-4")]


def test_an_adopted_network_leaves_the_zones_to_the_region() -> None:
    existing = {
        "id": "projects/my-ai-project/global/networks/shared",
        "subnets": {"us-central1": "projects/my-ai-project/regions/us-central1/subnetworks/nodes"},
        "pods_range": "pods",
        "services_range": "services",
    }
    described = parse(
        changed(
            "network", {"existing": existing}, changed("cloud", {**GCP_TRAINING["cloud"], "zones": []}, GCP_TRAINING)
        )
    )

    assert platform.zones(described) == ("us-central1-a", "us-central1-b", "us-central1-c")
