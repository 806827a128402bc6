"""Misconfigurations in the cluster: its networking, keys, versions and maintenance."""

from __future__ import annotations

from tests.a3ultra_platform import Misconfiguration
from tests.simulate.gcp_misconfigurations.misconfigurations import Misconfigurations


def maintained(**window: str) -> Misconfiguration:
    """A misconfiguration in when the cluster may be worked on."""
    right = {"start_time": "2026-01-03T02:00:00Z", "end_time": "2026-01-03T08:00:00Z", "recurrence": "FREQ=DAILY"}
    return {"cluster": {"maintenance_policy": {"recurring_window": {**right, **window}}}}


MISCONFIGURATIONS: Misconfigurations = {
    "several networks without Dataplane V2": (
        "gcp-gke-multi-network-dataplane",
        "cluster",
        {"cluster": {"datapath_provider": "LEGACY_DATAPATH"}},
    ),
    "encryption without a key": (
        "gcp-gke-db-encryption-key",
        "cluster",
        {"cluster": {"database_encryption": {"state": "ENCRYPTED"}}},
    ),
    "identities of another form": (
        "gcp-gke-workload-pool",
        "cluster",
        {"cluster": {"workload_identity_config": {"workload_pool": "acme-training"}}},
    ),
    "a version that GKE never had": ("gcp-gke-version-offered", "cluster", {"cluster": {"min_master_version": "1.12"}}),
    "a pool in another region than its cluster": (
        "gcp-gke-pool-location",
        "system",
        {"system": {"location": "us-east1"}},
    ),
    "encryption misspelt": (
        "gcp-api-enum",
        "cluster",
        {"cluster": {"database_encryption": lambda made: {"state": "ENCRYPT", "key_name": made["data"].id}}},
    ),
    "a channel in small letters": ("gcp-api-enum", "cluster", {"cluster": {"release_channel": {"channel": "regular"}}}),
    "a control plane with too many addresses": (
        "gcp-gke-control-plane-range",
        "cluster",
        {
            "cluster": {
                "private_cluster_config": {"enable_private_nodes": True, "master_ipv4_cidr_block": "172.20.0.0/24"}
            }
        },
    ),
    "an authorised network without its length": (
        "gcp-gke-authorized-range",
        "cluster",
        {"cluster": {"master_authorized_networks_config": {"cidr_blocks": [{"cidr_block": "10.0.0.7"}]}}},
    ),
    "a window of three hours": ("gcp-gke-maint-window-length", "cluster", maintained(end_time="2026-01-03T05:00:00Z")),
    "a window that recurs somehow": ("gcp-gke-maint-window-length", "cluster", maintained(recurrence="WEEKLY")),
    "a version with a v": ("gcp-gke-version-offered", "cluster", {"cluster": {"min_master_version": "v1.35"}}),
}
