"""GPUs that pods share: what the pods request of a pool, and what a description may say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import AZURE_TRAINING, GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed, findings

from penstock.catalog.records import records
from penstock.description import parse
from penstock.description.nodes import PoolNodes, nodes_of
from penstock.kubernetes.facts import mig


def shared(description: Mapping[str, Any], sharing: Mapping[str, Any], **fields: object) -> PoolNodes:
    """The nodes of a pool more, which shares its GPUs."""
    more = {"name": "more", "nodes": 1, "sharing": sharing, **fields}
    count = len(description["node_pools"])
    return nodes_of(parse(changed(f"node_pools.{count}", more, description)))[-1]


FOUR_L4 = {"machine_type": "g6.12xlarge", "fabric": "none"}
LABEL = {"nvidia.com/gpu.product": "NVIDIA-H200"}


@pytest.mark.parametrize(
    ("description", "fields", "sharing", "devices"),
    [
        (
            TRAINING,
            {"machine_type": "g6.12xlarge", "fabric": "none"},
            {"time_slicing": 4},
            {"nvidia.com/gpu.shared": 16},
        ),
        (TRAINING, {"machine_type": "g6.12xlarge", "fabric": "none"}, {"mps": 2}, {"nvidia.com/gpu.shared": 8}),
        (GCP_TRAINING, {"machine_type": "a2-highgpu-2g"}, {"mig": "1g.5gb"}, {"nvidia.com/gpu": 14}),
        (GCP_TRAINING, {"machine_type": "g2-standard-24"}, {"time_slicing": 8}, {"nvidia.com/gpu": 16}),
    ],
)
def test_pods_find_as_many_devices_as_share_a_gpu(
    description: Mapping[str, Any], fields: dict[str, Any], sharing: dict[str, Any], devices: dict[str, int]
) -> None:
    limitless = {key: value for key, value in description.items() if key != "budget"}

    nodes = shared(limitless, sharing, **fields)

    assert nodes.devices == devices
    assert nodes.resource == next(iter(devices))


def test_partitions_have_names_of_their_own_where_the_gpu_operator_is() -> None:
    (nodes,) = nodes_of(parse(changed("node_pools.0.sharing", {"mig": "2g.20gb"}, ONPREM_TRAINING)))

    assert nodes.devices == {"nvidia.com/mig-2g.20gb": 24, "rdma/roce": 8}


def test_the_same_gpu_has_other_partitions_with_more_memory() -> None:
    assert mig.profiles("a100", 40)["1g.10gb"].parts == 4
    assert mig.profiles("a100", 80)["1g.10gb"].parts == 7
    assert mig.profiles("l4", 24) == {}


def test_partitions_of_a_gpu_fit_into_its_compute_units() -> None:
    for each in records(mig.MigProfile, "kubernetes/mig_profiles"):
        assert int(each.profile.partition("g")[0]) * each.parts <= 7, each


def test_nodes_of_eks_are_labelled_by_how_they_share() -> None:
    nodes = shared(TRAINING, {"mps": 4}, machine_type="g6.12xlarge")

    assert nodes.labels["nvidia.com/device-plugin.config"] == "mps-4"
    assert nodes.labels["nvidia.com/mps.capable"] == "true"


def test_a_description_without_sharing_says_nothing_of_it() -> None:
    assert all(nodes.shared is None for nodes in nodes_of(parse(TRAINING)))
    assert not any("device-plugin" in key for nodes in nodes_of(parse(TRAINING)) for key in nodes.labels)


@pytest.mark.parametrize(
    ("profile", "pool", "says", "hint"),
    [
        ("dgx", {"sharing": {"mig": "1g.5gb"}}, "'1g.5gb' is not a MIG profile of h100", "1g.10gb"),
        ("k3s", {"fabric": "none", "sharing": {"mig": "1g.10gb"}}, "GPU Operator", "time_slicing"),
        ("coreweave", {"fabric": "none", "sharing": {"time_slicing": 2}}, "themselves", "Leave sharing out"),
        ("dgx", {"accelerator": "mi300x", "sharing": {"time_slicing": 2}}, "not a GPU of NVIDIA", "Leave sharing"),
        ("dgx", {"sharing": {"mig": "1g.10gb", "mps": 2}}, "exclude each other", "Set one of"),
        ("k3s", {"fabric": "none", "sharing": {"mps": 2}}, "Nothing says which nodes", "mps.capable=true"),
    ],
)
def test_sharing_that_nothing_does_is_reported(profile: str, pool: dict[str, Any], says: str, hint: str) -> None:
    description = changed("cloud.profile", profile, ONPREM_TRAINING)
    description["node_pools"][0] |= {"labels": {"example.com/pool": "train"}, **pool}

    (found,) = findings(description)

    assert found.code == "SPEC-164"
    assert str(found.path).startswith("node_pools[0]")
    assert says in found.message
    assert hint in found.hint


def test_pools_that_share_differently_have_labels_that_say_so() -> None:
    other = {"name": "dev", "accelerator": "h200", "nodes": 1, "labels": LABEL, "sharing": {"time_slicing": 4}}
    description = changed("node_pools.1", other, ONPREM_TRAINING)

    (found,) = findings(description)

    assert (found.code, found.path) == ("SPEC-164", "node_pools[1].labels")
    assert "nvidia.com/device-plugin.config=time-slicing-4" in found.hint
    labelled = {**LABEL, "nvidia.com/device-plugin.config": "time-slicing-4"}
    assert findings(changed("node_pools.1.labels", labelled, description)) == []


def test_a_second_advertiser_is_reported_where_it_is_written() -> None:
    def existing(profile: str, *installed: str, fabric: str = "none") -> dict[str, Any]:
        description = changed("cloud.profile", profile, ONPREM_TRAINING)
        description["node_pools"][0]["fabric"] = fabric
        return changed("cluster.existing", {"name": "it", "installed": list(installed)}, description)

    assert findings(existing("dgx", "gpu-operator")) == []
    assert findings(existing("generic", "network-operator", fabric="infiniband")) == []
    for wrong, says in {
        "gpu-operator": "nvidia.com/gpu a second time",
        "network-operator": "rdma/ib a second time",
    }.items():
        (found,) = findings(existing("coreweave", wrong, fabric="infiniband"))
        assert (found.code, found.path) == ("SPEC-165", "cluster.existing.installed")
        assert says in found.message
        assert f"Remove {wrong}" in found.hint


@pytest.mark.parametrize(("profile", "goes"), [("generic", "nvidia"), ("dgx", "nvidia"), ("k3s", "gpu-operator")])
def test_of_two_advertisers_the_one_that_pools_are_built_on_stays(profile: str, goes: str) -> None:
    description = changed("cloud.profile", profile, ONPREM_TRAINING)
    description["node_pools"][0] |= {"fabric": "none", "labels": {"example.com/pool": "train"}}
    existing = {"name": "it", "installed": ["nvidia", "gpu-operator"]}

    (found,) = findings(changed("cluster.existing", existing, description))

    assert (found.code, found.path) == ("SPEC-165", "cluster.existing.installed")
    assert f"Remove {goes} from" in found.hint


def test_nvlink_between_nodes_needs_a_cluster_that_takes_its_driver() -> None:
    pool = {"accelerator": "gb200", "labels": {"nvidia.com/gpu.product": "NVIDIA-GB200"}}
    description = changed("node_pools.0", {**ONPREM_TRAINING["node_pools"][0], **pool}, ONPREM_TRAINING)

    (found,) = findings(changed("cluster.version", "1.31", description))

    assert found.code == "SPEC-166"
    assert "1.34" in found.message
    assert findings(changed("cluster.version", "1.34", description)) == []


@pytest.mark.parametrize(
    ("description", "pool"),
    [
        (ONPREM_TRAINING, 0),
        (changed("cluster.existing", {"name": "it"}, changed("cloud.profile", "dgx", ONPREM_TRAINING)), 0),
        (TRAINING, 1),
        (AZURE_TRAINING, 1),
        (GCP_TRAINING, 1),
    ],
    ids=["generic", "dgx", "aws", "azure", "gcp"],
)
def test_mps_lets_no_more_pods_onto_a_gpu_than_its_server_takes(description: dict[str, Any], pool: int) -> None:
    def mps(pods: int) -> list[tuple[str, str]]:
        shared = changed(f"node_pools.{pool}.sharing", {"mps": pods}, description)
        return [(each.code, str(each.path)) for each in findings(shared)]

    assert mps(48) == []
    assert mps(49) == [("SPEC-164", f"node_pools[{pool}].sharing.mps")]


@pytest.mark.parametrize(
    ("machine_type", "sharing", "labels"),
    [
        (
            "Standard_NC24ads_A100_v4",
            {"mps": 4},
            {"nvidia.com/device-plugin.config": "mps-4", "nvidia.com/mps.capable": "true"},
        ),
        ("Standard_NC24ads_A100_v4", {"time_slicing": 4}, {"nvidia.com/device-plugin.config": "time-slicing-4"}),
        ("Standard_ND96isr_H100_v5", {"mig": "1g.10gb"}, {"nvidia.com/mig.config": "all-1g.10gb"}),
    ],
)
def test_nodes_on_azure_have_the_labels_by_which_they_share(
    machine_type: str, sharing: dict[str, Any], labels: dict[str, str]
) -> None:
    pool = {"name": "train", "machine_type": machine_type, "nodes": 1, "sharing": sharing}
    description = changed("node_pools.1", pool, AZURE_TRAINING)

    *_, nodes = nodes_of(parse(description))

    assert labels.items() <= nodes.labels.items()
