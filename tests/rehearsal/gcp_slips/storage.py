"""Slips in what holds data: file systems, buckets, databases, repositories."""

from __future__ import annotations

from tests.a3ultra_platform import ZONE
from tests.rehearsal.gcp_slips.slips import OTHER_ZONE, Slips

SLIPS: Slips = {
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
    "a repository in a zone": ("GCP-AR-001", "images", {"images": {"location": ZONE}}),
    "a label in capitals": ("GCP-NAME-003", "bucket", {"bucket": {"labels": {"Team": "Research"}}}),
    "NFS 4.1 where there is none": (
        "GCP-FILE-004",
        "home",
        {"home": {"tier": "BASIC_HDD", "location": ZONE, "protocol": "NFS_V4_1"}},
    ),
    "a repository of a format that is none": ("GCP-API-001", "images", {"images": {"format": "OCI"}}),
}
