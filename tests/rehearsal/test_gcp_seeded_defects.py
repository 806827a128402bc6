"""The slips that the author of a plain platform of GPUs and TPUs would meet late in `pulumi up`, or never learn of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from tests.a3ultra_platform import (
    HOST_AND_RAILS,
    NO_RESERVATION,
    TCPXO,
    ZONE,
    Slip,
    gpus,
    interfaces,
    platform,
    reserved,
)

from penstock.testing import Rehearsal, rehearse

OTHER_ZONE = "us-central1-f"
KUBERNETES_TAINT = [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]


def seeded(slip: Slip, *, preview: bool = False) -> Rehearsal:
    return rehearse(platform(slip), preview=preview)


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_the_right_program_has_no_finding(preview: bool) -> None:
    assert seeded({}, preview=preview).findings == ()


def node(pool: str, **properties: Any) -> Slip:
    """A slip among the nodes of a pool."""
    return {f"{pool}.node": properties}


def slice_of(machine: str, topology: str, hosts: int) -> Slip:
    """The slice of v5p as another one."""
    return {
        "slice.node": {"machine_type": machine},
        "slice": {
            "placement_policy": {"type": "COMPACT", "tpu_topology": topology},
            "autoscaling": {"min_node_count": 0, "max_node_count": hosts},
        },
    }


def wired(pool: str, *subnetworks: str) -> Slip:
    """A slip among the interfaces of a pool."""
    return {pool: {"network_config": lambda made: interfaces(made, *subnetworks)}}


def reservation(properties: Mapping[str, Any], count: int = 4) -> Slip:
    """A slip in the reservation."""
    return {"reservation": {"specific_reservation": {"count": count, "instance_properties": properties}}}


def roce(profile: str) -> Slip:
    """A slip in the profile of the network for RDMA."""
    return {"roce": {"network_profile": f"projects/acme-training/global/networkProfiles/{profile}"}}


def shared(clients: int) -> list[dict[str, Any]]:
    """GPUs that several containers share."""
    sharing = {"gpu_sharing_strategy": "TIME_SHARING", "max_shared_clients_per_gpu": clients}
    return [{**gpu, "gpu_sharing_config": sharing} for gpu in gpus("nvidia-h200-141gb")]


def maintained(**window: str) -> Slip:
    """A slip in when the cluster may be worked on."""
    right = {"start_time": "2026-01-03T02:00:00Z", "end_time": "2026-01-03T08:00:00Z", "recurrence": "FREQ=DAILY"}
    return {"cluster": {"maintenance_policy": {"recurring_window": {**right, **window}}}}


ULTRA = "a3-ultragpu-8g"
PODS_AND_SERVICES = {"cluster_secondary_range_name": "pods", "services_secondary_range_name": "services"}
NAMED = {"reservation_affinity": lambda made: reserved(made["reservation"])}

DEFECTS: Mapping[str, tuple[str, str, Slip]] = {
    # machines
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
    # fabrics
    "seven of eight networks": ("GCP-FABRIC-001", "mega", wired("mega", *TCPXO[1:])),
    "one network too many": ("GCP-FABRIC-001", "mega", wired("mega", "host", *TCPXO)),
    "RDMA without the network of the host": ("GCP-FABRIC-001", "train", wired("train", *HOST_AND_RAILS[1:])),
    "no networks for the fabric": ("GCP-FABRIC-002", "train", {"train": {"network_config": None}}),
    "packets of RDMA on A3 Mega": ("GCP-FABRIC-003", "lane-3", {"lane-3": {"mtu": 8896}}),
    "packets of the default size": ("GCP-FABRIC-003", "hosts", {"hosts": {"mtu": None}}),
    "a network for RDMA in another zone": ("GCP-FABRIC-004", "roce", roce(f"{OTHER_ZONE}-vpc-roce")),
    "a network for bare metal": ("GCP-FABRIC-004", "roce", roce(f"{ZONE}-vpc-roce-metal")),
    "an ordinary network instead of RDMA": (
        "GCP-FABRIC-004",
        "train",
        {"roce": {"network_profile": None, "mtu": 8896}},
    ),
    "several networks in a cluster with one": (
        "GCP-FABRIC-009",
        "cluster",
        {"cluster": {"enable_multi_networking": False}},
    ),
    "DRANET beside networks of one's own": (
        "GCP-FABRIC-011",
        "train",
        {
            "train": {
                "network_config": lambda made: {
                    **interfaces(made, *HOST_AND_RAILS),
                    "accelerator_network_profile": "auto",
                }
            }
        },
    ),
    "DRANET without its label": (
        "GCP-FABRIC-013",
        "train",
        {"train": {"network_config": {"accelerator_network_profile": "auto"}}},
    ),
    # placement
    "compact placement over two zones": (
        "GCP-PLACE-001",
        "system",
        {"system": {"placement_policy": {"type": "COMPACT"}, "node_locations": [ZONE, OTHER_ZONE]}},
    ),
    "compact placement with blue-green upgrades": (
        "GCP-PLACE-002",
        "train",
        {"train": {"placement_policy": {"type": "COMPACT"}, "upgrade_settings": {"strategy": "BLUE_GREEN"}}},
    ),
    "compact placement of queued machines": (
        "GCP-PLACE-003",
        "mega",
        {"mega": {"placement_policy": {"type": "COMPACT"}}},
    ),
    "compact placement of A3 Mega by flex start": (
        "GCP-PLACE-004",
        "mega",
        {"mega": {"placement_policy": {"type": "COMPACT"}, "queued_provisioning": None}},
    ),
    "a workload policy that says two things": (
        "GCP-PLACE-007",
        "workload",
        {
            "workload": {
                "workload_policy": {
                    "type": "HIGH_THROUGHPUT",
                    "accelerator_topology": "4x4x4",
                    "max_topology_distance": "BLOCK",
                }
            }
        },
    ),
    "a policy in another region": ("GCP-PLACE-009", "ironwood", {"workload": {"region": "us-east1"}}),
    # buying
    "spot and flex start": ("GCP-BUY-001", "mega", node("mega", spot=True)),
    "spot with a reservation": ("GCP-BUY-002", "slice", node("slice", **NAMED)),
    "flex start with a reservation": ("GCP-BUY-002", "mega", node("mega", **NAMED)),
    "queued machines that may be reserved": ("GCP-BUY-002", "mega", node("mega", reservation_affinity=None)),
    "flex start with repair": ("GCP-BUY-003", "mega", {"mega": {"management": {"auto_repair": True}}}),
    "queued machines that must be there": (
        "GCP-BUY-004",
        "mega",
        {"mega": {"autoscaling": {"total_min_node_count": 2, "total_max_node_count": 8}}},
    ),
    "A3 Ultra on demand": ("GCP-BUY-005", "train", node("train", reservation_affinity=NO_RESERVATION)),
    "A3 Ultra without its reservation": ("GCP-BUY-006", "train", node("train", reservation_affinity=None)),
    "a reservation without its key": (
        "GCP-BUY-010",
        "train",
        node("train", reservation_affinity=lambda made: {**reserved(made["reservation"]), "key": "name"}),
    ),
    "a reservation by its zone": (
        "GCP-BUY-011",
        "train",
        node(
            "train",
            reservation_affinity=lambda made: {
                **reserved(made["reservation"]),
                "values": [f"projects/acme-training/zones/{ZONE}/reservations/ultra"],
            },
        ),
    ),
    "a reservation of other machines": ("GCP-BUY-012", "train", reservation({"machine_type": "a3-megagpu-8g"})),
    "a reservation of machines without SSDs": (
        "GCP-BUY-012",
        "train",
        reservation({"machine_type": f"{ULTRA}-nolssd"}),
    ),
    "a reservation in another zone": ("GCP-BUY-012", "train", {"reservation": {"zone": OTHER_ZONE}}),
    "a reservation that is open to all": (
        "GCP-BUY-012",
        "reservation",
        {"reservation": {"specific_reservation_required": False}},
    ),
    "a reservation that is too small": ("GCP-BUY-013", "reservation", reservation({"machine_type": ULTRA}, count=2)),
    "hosts that are maintained otherwise": (
        "GCP-BUY-014",
        "train",
        node("train", host_maintenance_policy={"maintenance_interval": "PERIODIC"}),
    ),
    "flex start for eight days": ("GCP-BUY-007", "mega", node("mega", max_run_duration="691200s")),
    "flex start for seven d": ("GCP-BUY-007", "mega", node("mega", max_run_duration="7d")),
    # pools
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
    # TPUs
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
    # the cluster and its networks
    "packets larger than any network carries": ("GCP-NET-001", "vpc", {"vpc": {"mtu": 9000}}),
    "a profile by its last name": ("GCP-NET-002", "roce", {"roce": {"network_profile": f"{ZONE}-vpc-roce"}}),
    "a subnetwork for RDMA with more ranges": (
        "GCP-NET-006",
        "rail-0",
        {"rail-0": {"stack_type": "IPV4_IPV6"}},
    ),
    "rails that overlap": ("GCP-NET-008", "rail-1", {"rail-1": {"ip_cidr_range": "192.168.64.0/21"}}),
    "a gateway in another region": ("GCP-NAT-003", "nat", {"nat": {"region": "us-east1"}}),
    "a way out of the network for RDMA": (
        "GCP-NAT-007",
        "router",
        {"router": {"network": lambda made: made["roce"].id}},
    ),
    "a firewall around RDMA": ("GCP-FW-001", "inside", {"inside": {"network": lambda made: made["roce"].id}}),
    "a firewall rule for nobody": ("GCP-FW-004", "inside", {"inside": {"allows": None}}),
    "a range of pods that is not there": (
        "GCP-IP-001",
        "cluster",
        {
            "cluster": {
                "ip_allocation_policy": {
                    "cluster_secondary_range_name": "pod",
                    "services_secondary_range_name": "services",
                }
            }
        },
    ),
    "a range for services that is too small": ("GCP-PSA-001", "peers", {"peers": {"prefix_length": 30}}),
    "several networks without Dataplane V2": (
        "GCP-GKE-001",
        "cluster",
        {"cluster": {"datapath_provider": "LEGACY_DATAPATH"}},
    ),
    "encryption without a key": (
        "GCP-GKE-004",
        "cluster",
        {"cluster": {"database_encryption": {"state": "ENCRYPTED"}}},
    ),
    "identities of another form": (
        "GCP-GKE-005",
        "cluster",
        {"cluster": {"workload_identity_config": {"workload_pool": "acme-training"}}},
    ),
    "a version that GKE never had": ("GCP-GKE-007", "cluster", {"cluster": {"min_master_version": "1.12"}}),
    "a pool in another region than its cluster": ("GCP-REF-003", "system", {"system": {"location": "us-east1"}}),
    # storage
    "17,000 GiB of Lustre": ("GCP-LUSTRE-002", "scratch", {"scratch": {"capacity_gib": "17000"}}),
    "a throughput that Lustre has not": (
        "GCP-LUSTRE-001",
        "scratch",
        {"scratch": {"per_unit_storage_throughput": "300"}},
    ),
    "a file system that cannot be mounted": ("GCP-LUSTRE-003", "scratch", {"scratch": {"filesystem": "scratch-data"}}),
    "Lustre in a region": ("GCP-LUSTRE-005", "scratch", {"scratch": {"location": "us-central1"}}),
    "Lustre far from the accelerators": ("GCP-LUSTRE-006", "scratch", {"scratch": {"location": OTHER_ZONE}}),
    "a tier that Filestore has not": ("GCP-FILE-001", "home", {"home": {"tier": "STANDARD_SSD"}}),
    "a share that is too small": (
        "GCP-FILE-002",
        "home",
        {"home": {"file_shares": {"name": "home", "capacity_gb": 16}}},
    ),
    "a regional tier in a zone": ("GCP-FILE-003", "home", {"home": {"location": ZONE}}),
    "a bucket's name in capitals": ("GCP-GCS-001", "bucket", {"bucket": {"name": "Acme_Training"}}),
    "folders beside versions": ("GCP-GCS-003", "bucket", {"bucket": {"versioning": {"enabled": True}}}),
    "deleted objects for a day": (
        "GCP-GCS-005",
        "bucket",
        {"bucket": {"soft_delete_policy": {"retention_duration_seconds": 86400}}},
    ),
    "a bucket in another region": ("GCP-GCS-013", "bucket", {"bucket": {"location": "us-east1"}}),
    # keys, identities and the rest
    "a key that rotates each hour": ("GCP-KMS-001", "data", {"data": {"rotation_period": "3600s"}}),
    "a key in another region than its data": ("GCP-KMS-004", "bucket", {"ring": {"location": "europe-west1"}}),
    "a key for signatures": (
        "GCP-KMS-003",
        "bucket",
        {"data": {"purpose": "ASYMMETRIC_SIGN", "rotation_period": None}},
    ),
    "a key that the service may not use": (
        "GCP-KMS-005",
        "scratch",
        {"lustre-key": {"member": "serviceAccount:somebody@acme-training.iam.gserviceaccount.com"}},
    ),
    "a member without its kind": ("GCP-IAM-001", "account-role", {"account-role": {"member": "nodes@acme.com"}}),
    "a role by its bare name": ("GCP-IAM-002", "account-role", {"account-role": {"role": "container.admin"}}),
    "an account id that is too short": ("GCP-IAM-003", "account", {"account": {"account_id": "gke"}}),
    "a role over everything": ("GCP-IAM-005", "account-role", {"account-role": {"role": "roles/editor"}}),
    "a role with a slip of the keyboard": (
        "GCP-IAM-014",
        "account-role",
        {"account-role": {"role": "roles/container.defaultNodeServiceAcount"}},
    ),
    "a bucket in two places of which one is missing": (
        "GCP-GCS-014",
        "bucket",
        {"bucket": {"location": "US", "custom_placement_config": {"data_locations": ["US-CENTRAL1"]}}},
    ),
    "a database in two zones without backups": (
        "GCP-SQL-001",
        "database",
        {
            "database": {
                "settings": {
                    "tier": "db-perf-optimized-N-2",
                    "edition": "ENTERPRISE_PLUS",
                    "availability_type": "REGIONAL",
                    "ip_configuration": {"ipv4_enabled": True},
                    "backup_configuration": {"enabled": False},
                }
            }
        },
    ),
    "a tier of another edition": (
        "GCP-SQL-004",
        "database",
        {"database": {"settings": {"tier": "db-perf-optimized-N-2", "edition": "ENTERPRISE"}}},
    ),
    "a secret that is copied in two ways": (
        "GCP-SECRET-001",
        "secret",
        {"secret": {"replication": {"auto": {}, "user_managed": {"replicas": [{"location": "us-central1"}]}}}},
    ),
    "a repository in a zone": ("GCP-AR-001", "images", {"images": {"location": ZONE}}),
    "a name with an underscore": ("GCP-NAME-001", "vpc", {"vpc": {"name": "acme_vpc"}}),
    "a label in capitals": ("GCP-NAME-003", "bucket", {"bucket": {"labels": {"Team": "Research"}}}),
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
    "encryption misspelt": (
        "GCP-API-001",
        "cluster",
        {"cluster": {"database_encryption": lambda made: {"state": "ENCRYPT", "key_name": made["data"].id}}},
    ),
    "a channel in small letters": ("GCP-API-001", "cluster", {"cluster": {"release_channel": {"channel": "regular"}}}),
    "fewer than no nodes": ("GCP-POOL-003", "train", {"train": {"node_count": -4}}),
    "two reservations": (
        "GCP-BUY-010",
        "train",
        node(
            "train",
            reservation_affinity={
                "consume_reservation_type": "SPECIFIC_RESERVATION",
                "key": "compute.googleapis.com/reservation-name",
                "values": ["ultra", "other"],
            },
        ),
    ),
    "hosts that are kept apart": (
        "GCP-FW-007",
        "hosts",
        {"host-inside": {"allows": [{"protocol": "icmp"}]}},
    ),
    "lanes that let others in": (
        "GCP-FW-007",
        "lane-2",
        {"gpu-2-inside": {"source_ranges": ["172.61.0.0/16"]}},
    ),
    "a range of 33 bits": ("GCP-FW-008", "inside", {"inside": {"source_ranges": ["10.0.0.0/33"]}}),
    "a port beyond the last": (
        "GCP-FW-006",
        "inside",
        {"inside": {"allows": [{"protocol": "tcp", "ports": ["0-65536"]}]}},
    ),
    "a range that starts in the middle": ("GCP-NET-007", "nodes", {"nodes": {"ip_cidr_range": "10.0.1.0/20"}}),
    "ranges the wrong way round": (
        "GCP-IP-004",
        "cluster",
        {
            "cluster": {
                "ip_allocation_policy": {
                    "cluster_secondary_range_name": "services",
                    "services_secondary_range_name": "pods",
                }
            }
        },
    ),
    "one range for pods and services": (
        "GCP-IP-001",
        "cluster",
        {"cluster": {"ip_allocation_policy": {**PODS_AND_SERVICES, "services_secondary_range_name": "pods"}}},
    ),
    "a control plane with too many addresses": (
        "GCP-GKE-014",
        "cluster",
        {
            "cluster": {
                "private_cluster_config": {"enable_private_nodes": True, "master_ipv4_cidr_block": "172.20.0.0/24"}
            }
        },
    ),
    "an authorised network without its length": (
        "GCP-GKE-016",
        "cluster",
        {"cluster": {"master_authorized_networks_config": {"cidr_blocks": [{"cidr_block": "10.0.0.7"}]}}},
    ),
    "a window of three hours": ("GCP-GKE-017", "cluster", maintained(end_time="2026-01-03T05:00:00Z")),
    "a window that recurs somehow": ("GCP-GKE-017", "cluster", maintained(recurrence="WEEKLY")),
    "a version with a v": ("GCP-GKE-007", "cluster", {"cluster": {"min_master_version": "v1.35"}}),
    "addresses of a gateway that has none": (
        "GCP-NAT-001",
        "nat",
        {"nat": {"nat_ip_allocate_option": "MANUAL_ONLY"}},
    ),
    "a key by its last name": ("GCP-KMS-007", "train", node("train", boot_disk_kms_key="data")),
    "a key that rotates in days": ("GCP-KMS-001", "data", {"data": {"rotation_period": "90d"}}),
    "a key that a service may only read with": (
        "GCP-KMS-005",
        "bucket",
        {"storage-key": {"role": "roles/cloudkms.cryptoKeyDecrypter"}},
    ),
    "nodes that run as an id": ("GCP-IAM-012", "train", node("train", service_account="gke-nodes")),
    "nodes that may not write logs": (
        "GCP-IAM-013",
        "account",
        {"account-role": {"role": "roles/artifactregistry.reader"}},
    ),
    "NFS 4.1 where there is none": (
        "GCP-FILE-004",
        "home",
        {"home": {"tier": "BASIC_HDD", "location": ZONE, "protocol": "NFS_V4_1"}},
    ),
    "a repository of a format that is none": ("GCP-API-001", "images", {"images": {"format": "OCI"}}),
    "80 percent as 80": (
        "GCP-BUDGET-002",
        "budget",
        {"budget": {"threshold_rules": [{"threshold_percent": 80}]}},
    ),
    "a budget of money and of what it cost": (
        "GCP-BUDGET-003",
        "budget",
        {
            "budget": {
                "amount": {"last_period_amount": True, "specified_amount": {"currency_code": "USD", "units": "1"}}
            }
        },
    ),
}

WARNED = {
    "GCP-GPU-008",
    "GCP-GPU-013",
    "GCP-GPU-014",
    "GCP-GPU-016",
    "GCP-IP-004",
    "GCP-FABRIC-002",
    "GCP-FABRIC-003",
    "GCP-FABRIC-013",
    "GCP-BUY-006",
    "GCP-POOL-001",
    "GCP-POOL-018",
    "GCP-TPU-008",
    "GCP-TPU-011",
    "GCP-NAT-007",
    "GCP-LUSTRE-006",
    "GCP-GCS-013",
    "GCP-IAM-005",
    "GCP-IAM-013",
    "GCP-IAM-014",
    "GCP-FW-007",
    "GCP-BUDGET-002",
}
"""What Google takes and then does badly, or what no primary source says that it refuses."""


@pytest.mark.parametrize("defect", DEFECTS)
@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_a_slip_is_told_with_its_mend(defect: str, preview: bool) -> None:
    code, name, slip = DEFECTS[defect]
    findings = seeded(slip, preview=preview).findings
    found = [
        finding for finding in findings if finding.urn and finding.urn.endswith(f"::{name}") and finding.code == code
    ]

    assert found, findings
    assert all(finding.blocks for finding in found) or code in WARNED
    assert all(finding.hint for finding in findings)


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_a_program_beyond_the_quotas_of_its_project_is_told(preview: bool) -> None:
    quotas = {"NETWORKS": 10, "GPUS_PER_GPU_FAMILY:NVIDIA_H200": 16}

    findings = rehearse(platform({}), config={"penstock:quotas": json.dumps(quotas)}, preview=preview).findings

    assert {finding.code for finding in findings} == {"GCP-QUOTA-001", "GCP-QUOTA-002"}
    assert all(finding.hint for finding in findings)
