"""Misconfigurations in what a project gives and limits: keys, identities, secrets, budgets."""

from __future__ import annotations

from tests.simulate.gcp_misconfigurations.misconfigurations import Misconfigurations, node

MISCONFIGURATIONS: Misconfigurations = {
    "a key that rotates each hour": ("gcp-kms-rotation-period", "data", {"data": {"rotation_period": "3600s"}}),
    "a key in another region than its data": ("gcp-kms-key-location", "bucket", {"ring": {"location": "europe-west1"}}),
    "a key for signatures": (
        "gcp-kms-key-purpose",
        "bucket",
        {"data": {"purpose": "ASYMMETRIC_SIGN", "rotation_period": None}},
    ),
    "a key that the service may not use": (
        "gcp-kms-service-agent",
        "scratch",
        {"lustre-key": {"member": "serviceAccount:somebody@acme-training.iam.gserviceaccount.com"}},
    ),
    "a member without its kind": (
        "gcp-iam-member-form",
        "account-role",
        {"account-role": {"member": "nodes@acme.com"}},
    ),
    "a role by its bare name": ("gcp-iam-role-form", "account-role", {"account-role": {"role": "container.admin"}}),
    "an account id that is too short": ("gcp-sa-account-id", "account", {"account": {"account_id": "gke"}}),
    "a role with a misconfiguration of the keyboard": (
        "gcp-iam-role-spelling",
        "account-role",
        {"account-role": {"role": "roles/container.defaultNodeServiceAcount"}},
    ),
    "a secret that is copied in two ways": (
        "gcp-secret-replication-mode",
        "secret",
        {"secret": {"replication": {"auto": {}, "user_managed": {"replicas": [{"location": "us-central1"}]}}}},
    ),
    "a key by its last name": ("gcp-kms-key-path", "train", node("train", boot_disk_kms_key="data")),
    "a key that rotates in days": ("gcp-kms-rotation-period", "data", {"data": {"rotation_period": "90d"}}),
    "a key that a service may only read with": (
        "gcp-kms-service-agent",
        "bucket",
        {"storage-key": {"role": "roles/cloudkms.cryptoKeyDecrypter"}},
    ),
    "nodes that run as an id": ("gcp-sa-email-reference", "train", node("train", service_account="gke-nodes")),
    "nodes that may not write logs": (
        "gcp-sa-node-roles",
        "account",
        {"account-role": {"role": "roles/artifactregistry.reader"}},
    ),
    "80 percent as 80": (
        "gcp-budget-threshold",
        "budget",
        {"budget": {"threshold_rules": [{"threshold_percent": 80}]}},
    ),
    "a budget of money and of what it cost": (
        "gcp-budget-amount",
        "budget",
        {
            "budget": {
                "amount": {"last_period_amount": True, "specified_amount": {"currency_code": "USD", "units": "1"}}
            }
        },
    ),
}
