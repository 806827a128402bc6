"""Slips in the cluster: its networking, keys, versions and maintenance."""

from __future__ import annotations

from tests.a3ultra_platform import Slip
from tests.rehearsal.gcp_slips.slips import Slips


def maintained(**window: str) -> Slip:
    """A slip in when the cluster may be worked on."""
    right = {"start_time": "2026-01-03T02:00:00Z", "end_time": "2026-01-03T08:00:00Z", "recurrence": "FREQ=DAILY"}
    return {"cluster": {"maintenance_policy": {"recurring_window": {**right, **window}}}}


SLIPS: Slips = {
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
    "encryption misspelt": (
        "GCP-API-001",
        "cluster",
        {"cluster": {"database_encryption": lambda made: {"state": "ENCRYPT", "key_name": made["data"].id}}},
    ),
    "a channel in small letters": ("GCP-API-001", "cluster", {"cluster": {"release_channel": {"channel": "regular"}}}),
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
}
