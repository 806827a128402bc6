"""Misconfigurations in what holds data: file systems, buckets, databases, repositories."""

from __future__ import annotations

from tests.a3ultra_platform import ZONE
from tests.simulate.gcp_misconfigurations.misconfigurations import OTHER_ZONE, Misconfigurations

MISCONFIGURATIONS: Misconfigurations = {
    "17,000 GiB of Lustre": ("gcp-lustre-capacity-step", "scratch", {"scratch": {"capacity_gib": "17000"}}),
    "a throughput that Lustre has not": (
        "gcp-lustre-throughput",
        "scratch",
        {"scratch": {"per_unit_storage_throughput": "300"}},
    ),
    "a file system that cannot be mounted": (
        "gcp-lustre-filesystem-name",
        "scratch",
        {"scratch": {"filesystem": "scratch-data"}},
    ),
    "Lustre in a region": ("gcp-lustre-zone", "scratch", {"scratch": {"location": "us-central1"}}),
    "Lustre far from the accelerators": (
        "gcp-lustre-accelerator-zone",
        "scratch",
        {"scratch": {"location": OTHER_ZONE}},
    ),
    "a tier that Filestore has not": ("gcp-filestore-tier", "home", {"home": {"tier": "STANDARD_SSD"}}),
    "a share that is too small": (
        "gcp-filestore-capacity",
        "home",
        {"home": {"file_shares": {"name": "home", "capacity_gb": 16}}},
    ),
    "a regional tier in a zone": ("gcp-filestore-location", "home", {"home": {"location": ZONE}}),
    "a bucket's name in capitals": ("gcp-gcs-bucket-name", "bucket", {"bucket": {"name": "Acme_Training"}}),
    "folders beside versions": ("gcp-gcs-hns-settings", "bucket", {"bucket": {"versioning": {"enabled": True}}}),
    "deleted objects for a day": (
        "gcp-gcs-soft-delete-days",
        "bucket",
        {"bucket": {"soft_delete_policy": {"retention_duration_seconds": 86400}}},
    ),
    "a bucket in another region": ("gcp-gcs-cluster-region", "bucket", {"bucket": {"location": "us-east1"}}),
    "a bucket in two places of which one is missing": (
        "gcp-gcs-dual-region",
        "bucket",
        {"bucket": {"location": "US", "custom_placement_config": {"data_locations": ["US-CENTRAL1"]}}},
    ),
    "a database in two zones without backups": (
        "gcp-sql-ha-backup",
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
        "gcp-sql-tier-edition",
        "database",
        {"database": {"settings": {"tier": "db-perf-optimized-N-2", "edition": "ENTERPRISE"}}},
    ),
    "a repository in a zone": ("gcp-ar-location", "images", {"images": {"location": ZONE}}),
    "a label in capitals": ("gcp-label-limits", "bucket", {"bucket": {"labels": {"Team": "Research"}}}),
    "NFS 4.1 where there is none": (
        "gcp-filestore-protocol",
        "home",
        {"home": {"tier": "BASIC_HDD", "location": ZONE, "protocol": "NFS_V4_1"}},
    ),
    "a repository of a format that is none": ("gcp-api-enum", "images", {"images": {"format": "OCI"}}),
}
