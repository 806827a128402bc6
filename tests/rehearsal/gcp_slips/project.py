"""Slips in what a project gives and limits: keys, identities, secrets, budgets."""

from __future__ import annotations

from tests.rehearsal.gcp_slips.slips import Slips, node

SLIPS: Slips = {
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
    "a secret that is copied in two ways": (
        "GCP-SECRET-001",
        "secret",
        {"secret": {"replication": {"auto": {}, "user_managed": {"replicas": [{"location": "us-central1"}]}}}},
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
