"""Slips in machines and pools: types, GPUs, TPUs, disks, sizes, labels."""

from __future__ import annotations

from typing import Any

from tests.a3ultra_platform import Slip, gpus
from tests.rehearsal.gcp_slips.slips import OTHER_ZONE, Slips, node

KUBERNETES_TAINT = [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]


def slice_of(machine: str, topology: str, hosts: int) -> Slip:
    """The slice of v5p as another one."""
    return {
        "slice.node": {"machine_type": machine},
        "slice": {
            "placement_policy": {"type": "COMPACT", "tpu_topology": topology},
            "autoscaling": {"min_node_count": 0, "max_node_count": hosts},
        },
    }


def shared(clients: int) -> list[dict[str, Any]]:
    """GPUs that several containers share."""
    sharing = {"gpu_sharing_strategy": "TIME_SHARING", "max_shared_clients_per_gpu": clients}
    return [{**gpu, "gpu_sharing_config": sharing} for gpu in gpus("nvidia-h200-141gb")]


SLIPS: Slips = {
    "a machine type that is not made": ("GCP-GPU-001", "train", node("train", machine_type="a3-ultragpu-4g")),
    "GPUs of another machine": ("GCP-GPU-002", "mega", node("mega", guest_accelerators=gpus("nvidia-h100-80gb"))),
    "half of the GPUs": (
        "GCP-GPU-002",
        "train",
        node("train", guest_accelerators=[{"type": "nvidia-h200-141gb", "count": 4}]),
    ),
    "half of the local SSDs": (
        "GCP-GPU-003",
        "train",
        node("train", ephemeral_storage_local_ssd_config={"local_ssd_count": 16}),
    ),
    "local SSDs for two ends": (
        "GCP-GPU-004",
        "train",
        node("train", local_nvme_ssd_block_config={"local_ssd_count": 32}),
    ),
    "a boot disk that the machine does not start from": ("GCP-GPU-005", "train", node("train", disk_type="pd-ssd")),
    "a machine that is not sold in the region": (
        "GCP-GPU-007",
        "slice",
        slice_of("ct4p-hightpu-4t", "4x4x4", 16),
    ),
    "no gVNIC": ("GCP-GPU-008", "train", node("train", gvnic=None)),
    "the newest driver on Ubuntu": ("GCP-GPU-009", "mega", node("mega", image_type="UBUNTU_CONTAINERD")),
    "one thread to a core": (
        "GCP-GPU-013",
        "train",
        node("train", advanced_machine_features={"threads_per_core": 1}),
    ),
    "local SSDs that nobody uses": ("GCP-GPU-014", "mega", node("mega", ephemeral_storage_local_ssd_config=None)),
    "a size beside autoscaling": ("GCP-POOL-001", "system", {"system": {"node_count": 2}}),
    "bounds per zone and in total": (
        "GCP-POOL-002",
        "system",
        {"system": {"autoscaling": {"min_node_count": 1, "max_node_count": 3, "total_max_node_count": 9}}},
    ),
    "bounds the wrong way round": (
        "GCP-POOL-003",
        "system",
        {"system": {"autoscaling": {"min_node_count": 4, "max_node_count": 3}}},
    ),
    "a start above the bounds": ("GCP-POOL-004", "system", {"system": {"initial_node_count": 5}}),
    "an upgrade that cannot move": (
        "GCP-POOL-005",
        "train",
        {"train": {"upgrade_settings": {"max_surge": 0, "max_unavailable": 0}}},
    ),
    "room for four pods": ("GCP-POOL-007", "train", {"train": {"max_pods_per_node": 4}}),
    "a zone of another region": ("GCP-POOL-010", "slice", {"slice": {"node_locations": ["us-east5-a"]}}),
    "an image with Docker": ("GCP-POOL-011", "system", node("system", image_type="COS")),
    "a taint in Kubernetes' spelling": ("GCP-POOL-012", "train", node("train", taints=KUBERNETES_TAINT)),
    "no upgrades in a release channel": (
        "GCP-POOL-014",
        "train",
        {"train": {"management": {"auto_repair": True, "auto_upgrade": False}}},
    ),
    "nodes that are newer than their cluster": (
        "GCP-POOL-015",
        "system",
        {"cluster": {"min_master_version": "1.34"}, "system": {"version": "1.35"}},
    ),
    "v6e in a shape that it has not": ("GCP-TPU-001", "slice", slice_of("ct6e-standard-4t", "4x6", 6)),
    "v6e with eight chips over several hosts": ("GCP-TPU-001", "slice", slice_of("ct6e-standard-8t", "4x4", 2)),
    "TPU7x in a shape of no whole cubes": (
        "GCP-TPU-001",
        "ironwood",
        {"workload": {"workload_policy": {"type": "HIGH_THROUGHPUT", "accelerator_topology": "4x4x6"}}},
    ),
    "half of the hosts": ("GCP-TPU-003", "slice", slice_of("ct5p-hightpu-4t", "4x4x4", 8)),
    "hosts of a smaller slice": ("GCP-TPU-002", "slice", {"slice": {"autoscaling": None, "node_count": 8}}),
    "bounds in total for a slice": (
        "GCP-TPU-004",
        "slice",
        {"slice": {"autoscaling": {"total_min_node_count": 0, "total_max_node_count": 16}}},
    ),
    "TPU7x placed as older ones": (
        "GCP-TPU-006",
        "ironwood",
        {"ironwood": {"placement_policy": {"type": "COMPACT", "tpu_topology": "4x4x4"}}},
    ),
    "a slice over two zones": ("GCP-TPU-007", "slice", {"slice": {"node_locations": ["us-central1-a", OTHER_ZONE]}}),
    "Ubuntu on TPUs": ("GCP-TPU-008", "slice", node("slice", image_type="UBUNTU_CONTAINERD")),
    "TPU nodes that nothing joins": (
        "GCP-TPU-011",
        "slice",
        {"slice": {"placement_policy": {"type": "COMPACT"}, "autoscaling": None, "node_count": 16}},
    ),
    "a label that GKE keeps to itself": (
        "GCP-POOL-017",
        "system",
        node("system", labels={"node-role.kubernetes.io/system": ""}),
    ),
    "a label that GKE gives anyway": (
        "GCP-POOL-018",
        "system",
        node("system", labels={"cloud.google.com/gke-nodepool": "system"}),
    ),
    "a word that Google does not know": (
        "GCP-API-001",
        "slice",
        {"slice": {"autoscaling": {"min_node_count": 0, "max_node_count": 16, "location_policy": "NONE"}}},
    ),
    "GPUs for too many": ("GCP-GPU-016", "train", node("train", guest_accelerators=shared(64))),
    "a driver that is none": (
        "GCP-API-001",
        "train",
        node(
            "train",
            guest_accelerators=[
                {
                    "type": "nvidia-h200-141gb",
                    "count": 8,
                    "gpu_driver_installation_config": {"gpu_driver_version": "NEWEST"},
                }
            ],
        ),
    ),
    "metadata by another name": (
        "GCP-API-001",
        "train",
        node("train", workload_metadata_config={"mode": "GKE_METADATA_SERVER"}),
    ),
    "a placement that is none": ("GCP-API-001", "train", {"train": {"placement_policy": {"type": "SPREAD"}}}),
    "fewer than no nodes": ("GCP-POOL-003", "train", {"train": {"node_count": -4}}),
}
