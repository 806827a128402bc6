"""Misconfigurations in machines and pools: types, GPUs, TPUs, disks, sizes, labels."""

from __future__ import annotations

from typing import Any

from tests.a3ultra_platform import Misconfiguration, gpus
from tests.simulate.gcp_misconfigurations.misconfigurations import OTHER_ZONE, Misconfigurations, node

KUBERNETES_TAINT = [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]


def slice_of(machine: str, topology: str, hosts: int) -> Misconfiguration:
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


MISCONFIGURATIONS: Misconfigurations = {
    "a machine type that is not made": (
        "gcp-machine-type-known",
        "train",
        node("train", machine_type="a3-ultragpu-4g"),
    ),
    "GPUs of another machine": (
        "gcp-gpu-guest-accelerators",
        "mega",
        node("mega", guest_accelerators=gpus("nvidia-h100-80gb")),
    ),
    "half of the GPUs": (
        "gcp-gpu-guest-accelerators",
        "train",
        node("train", guest_accelerators=[{"type": "nvidia-h200-141gb", "count": 4}]),
    ),
    "half of the local SSDs": (
        "gcp-machine-local-ssd-count",
        "train",
        node("train", ephemeral_storage_local_ssd_config={"local_ssd_count": 16}),
    ),
    "local SSDs for two ends": (
        "gcp-gke-local-ssd-use",
        "train",
        node("train", local_nvme_ssd_block_config={"local_ssd_count": 32}),
    ),
    "a boot disk that the machine does not start from": (
        "gcp-machine-boot-disk-type",
        "train",
        node("train", disk_type="pd-ssd"),
    ),
    "a machine that is not sold in the region": (
        "gcp-machine-type-region",
        "slice",
        slice_of("ct4p-hightpu-4t", "4x4x4", 16),
    ),
    "no gVNIC": ("gcp-gke-gpu-gvnic", "mega", node("mega", gvnic=None)),
    "the newest driver on Ubuntu": ("gcp-gke-gpu-driver-latest", "mega", node("mega", image_type="UBUNTU_CONTAINERD")),
    "one thread to a core": (
        "gcp-gpu-threads-per-core",
        "train",
        node("train", advanced_machine_features={"threads_per_core": 1}),
    ),
    "local SSDs that nobody uses": (
        "gcp-gke-local-ssd-config",
        "mega",
        node("mega", ephemeral_storage_local_ssd_config=None),
    ),
    "a size beside autoscaling": ("gcp-gke-pool-fixed-or-autoscaled", "system", {"system": {"node_count": 2}}),
    "bounds per zone and in total": (
        "gcp-gke-autoscaling-bounds-kind",
        "system",
        {"system": {"autoscaling": {"min_node_count": 1, "max_node_count": 3, "total_max_node_count": 9}}},
    ),
    "bounds the wrong way round": (
        "gcp-gke-autoscaling-bounds-order",
        "system",
        {"system": {"autoscaling": {"min_node_count": 4, "max_node_count": 3}}},
    ),
    "a start above the bounds": ("gcp-gke-pool-initial-node-count", "system", {"system": {"initial_node_count": 5}}),
    "an upgrade that cannot move": (
        "gcp-gke-surge-upgrade",
        "train",
        {"train": {"upgrade_settings": {"max_surge": 0, "max_unavailable": 0}}},
    ),
    "room for four pods": ("gcp-gke-max-pods-range", "train", {"train": {"max_pods_per_node": 4}}),
    "a zone of another region": ("gcp-gke-pool-zones", "slice", {"slice": {"node_locations": ["us-east5-a"]}}),
    "an image with Docker": ("gcp-gke-image-type", "system", node("system", image_type="COS")),
    "a taint in Kubernetes' spelling": ("gcp-gke-taint-effect", "train", node("train", taints=KUBERNETES_TAINT)),
    "no upgrades in a release channel": (
        "gcp-gke-channel-auto-upgrade",
        "train",
        {"train": {"management": {"auto_repair": True, "auto_upgrade": False}}},
    ),
    "nodes that are newer than their cluster": (
        "gcp-gke-node-version-skew",
        "system",
        {"cluster": {"min_master_version": "1.34"}, "system": {"version": "1.35"}},
    ),
    "v6e in a shape that it has not": ("gcp-tpu-topology-machine", "slice", slice_of("ct6e-standard-4t", "4x6", 6)),
    "v6e with eight chips over several hosts": (
        "gcp-tpu-topology-machine",
        "slice",
        slice_of("ct6e-standard-8t", "4x4", 2),
    ),
    "TPU7x in a shape of no whole cubes": (
        "gcp-tpu-topology-machine",
        "ironwood",
        {"workload": {"workload_policy": {"type": "HIGH_THROUGHPUT", "accelerator_topology": "4x4x6"}}},
    ),
    "half of the hosts": ("gcp-tpu-slice-autoscaling", "slice", slice_of("ct5p-hightpu-4t", "4x4x4", 8)),
    "hosts of a smaller slice": ("gcp-tpu-slice-hosts", "slice", {"slice": {"autoscaling": None, "node_count": 8}}),
    "bounds in total for a slice": (
        "gcp-tpu-autoscaling-per-zone",
        "slice",
        {"slice": {"autoscaling": {"total_min_node_count": 0, "total_max_node_count": 16}}},
    ),
    "TPU7x placed as older ones": (
        "gcp-tpu-slice-placement",
        "ironwood",
        {"ironwood": {"placement_policy": {"type": "COMPACT", "tpu_topology": "4x4x4"}}},
    ),
    "a slice over two zones": (
        "gcp-tpu-slice-one-zone",
        "slice",
        {"slice": {"node_locations": ["us-central1-a", OTHER_ZONE]}},
    ),
    "Ubuntu on TPUs": ("gcp-tpu-cos-image", "slice", node("slice", image_type="UBUNTU_CONTAINERD")),
    "TPU nodes that nothing joins": (
        "gcp-tpu-slice-topology",
        "slice",
        {"slice": {"placement_policy": {"type": "COMPACT"}, "autoscaling": None, "node_count": 16}},
    ),
    "a label that GKE keeps to itself": (
        "gcp-gke-node-labels",
        "system",
        node("system", labels={"node-role.kubernetes.io/system": ""}),
    ),
    "a label that GKE gives anyway": (
        "gcp-gke-node-labels-managed",
        "system",
        node("system", labels={"cloud.google.com/gke-nodepool": "system"}),
    ),
    "a word that Google does not know": (
        "gcp-api-enum",
        "slice",
        {"slice": {"autoscaling": {"min_node_count": 0, "max_node_count": 16, "location_policy": "NONE"}}},
    ),
    "GPUs for too many": ("gcp-gke-gpu-sharing-clients", "train", node("train", guest_accelerators=shared(64))),
    "a driver that is none": (
        "gcp-api-enum",
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
        "gcp-api-enum",
        "train",
        node("train", workload_metadata_config={"mode": "GKE_METADATA_SERVER"}),
    ),
    "a placement that is none": ("gcp-api-enum", "train", {"train": {"placement_policy": {"type": "SPREAD"}}}),
    "fewer than no nodes": ("gcp-gke-autoscaling-bounds-order", "train", {"train": {"node_count": -4}}),
}
