"""Descriptions for tests: one that is right, changed copies of it, and what is wrong with them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding
from penstock.description import parse

ADMIN = "arn:aws:iam::123456789012:role/platform"
RESERVATION = "cr-0123456789abcdef0"

TRAINING: Mapping[str, Any] = {
    "environment": "prod",
    "cloud": {"provider": "aws", "region": "us-east-1", "account": "123456789012"},
    "network": {"cidr": "10.40.0.0/16"},
    "cluster": {"admins": [ADMIN], "deployer_cidrs": ["203.0.113.0/24"]},
    "node_pools": [
        {"name": "system", "machine_type": "m7i.2xlarge", "nodes": 3},
        {
            "name": "train",
            "accelerator": "h100",
            "nodes": {"min": 0, "max": 16},
            "capacity": "reserved",
            "reservation": RESERVATION,
        },
    ],
    "storage": [
        {"name": "datasets", "kind": "bucket"},
        {
            "name": "scratch",
            "kind": "lustre",
            "capacity_tib": 19.2,
            "throughput_mbps_per_tib": 250,
            "source": "datasets",
            "fabric": "efa",
        },
        {"name": "home", "kind": "nfs"},
        {"name": "tracking", "kind": "postgres"},
    ],
    "addons": {"secrets": {"names": ["wandb"]}},
    "budget": {"monthly_usd": 250000, "alert_emails": ["platform@example.com"], "max_accelerators": 256},
}
"""A platform that uses every block and that nothing is wrong with."""

GCP_ADMIN = "group:ml-platform@example.com"

GCP_TRAINING: Mapping[str, Any] = {
    "environment": "prod",
    "cloud": {
        "provider": "gcp",
        "region": "us-central1",
        "account": "my-ai-project",
        "zones": ["us-central1-a", "us-central1-b"],
    },
    "network": {"cidr": "10.40.0.0/16"},
    "cluster": {"admins": [GCP_ADMIN]},
    "node_pools": [
        {"name": "system", "machine_type": "e2-standard-8", "nodes": {"min": 1, "max": 3}},
        {
            "name": "train",
            "accelerator": "h200",
            "nodes": {"min": 0, "max": 16},
            "capacity": "reserved",
            "reservation": "my-reservation",
            "zone": "us-central1-b",
        },
    ],
    "storage": [
        {"name": "datasets", "kind": "bucket"},
        {
            "name": "scratch",
            "kind": "lustre",
            "capacity_tib": 18,
            "throughput_mbps_per_tib": 500,
            "source": "datasets",
            "zone": "us-central1-b",
        },
        {"name": "home", "kind": "nfs"},
        {"name": "tracking", "kind": "postgres"},
    ],
    "addons": {"secrets": {"names": ["wandb"]}, "registry": {"repositories": ["trainer"]}},
    "budget": {"monthly_usd": 900000, "alert_emails": ["platform@example.com"], "max_accelerators": 128},
}
"""The same on Google Cloud, with A3 Ultra machines."""

AZURE_ADMIN = "group:11111111-1111-1111-1111-111111111111"

AZURE_TRAINING: Mapping[str, Any] = {
    "environment": "prod",
    "cloud": {"provider": "azure", "region": "eastus", "account": "00000000-0000-0000-0000-000000000000"},
    "network": {"cidr": "10.40.0.0/16"},
    "cluster": {"admins": [AZURE_ADMIN], "deployer_cidrs": ["203.0.113.0/24"]},
    "node_pools": [
        {"name": "system", "machine_type": "Standard_D8ds_v5", "nodes": 3},
        {"name": "train", "accelerator": "h100", "nodes": {"min": 0, "max": 16}},
    ],
    "storage": [
        {"name": "datasets", "kind": "bucket"},
        {
            "name": "scratch",
            "kind": "lustre",
            "capacity_tib": 16,
            "throughput_mbps_per_tib": 250,
            "source": "datasets",
            "importer": "22222222-2222-2222-2222-222222222222",
        },
        {"name": "home", "kind": "nfs"},
        {"name": "tracking", "kind": "postgres"},
    ],
    "addons": {"secrets": {"names": ["wandb"]}, "registry": {"repositories": ["trainer"]}},
    "budget": {"monthly_usd": 900000, "alert_emails": ["platform@example.com"], "max_accelerators": 128},
}
"""The same on Azure, with ND H100 v5 machines."""

ONPREM_TRAINING: Mapping[str, Any] = {
    "environment": "prod",
    "cloud": {"provider": "kubernetes", "profile": "dgx"},
    "cluster": {"kubeconfig": "dgx"},
    "node_pools": [
        {
            "name": "train",
            "accelerator": "h100",
            "nodes": 32,
            "fabric": "rdma",
            "labels": {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"},
        }
    ],
}
"""A platform on a cluster that exists, of DGX machines with RoCE."""

GONE = object()
"""As a value for `changed`: leaves the field out."""


def changed(path: str, value: object, description: Mapping[str, Any] = TRAINING) -> dict[str, Any]:
    """A copy with another value at a dotted path, such as `node_pools.1.zone`; blocks on the way are made."""
    whole = copy.deepcopy(dict(description))
    inside: Any = whole
    *way, last = (int(part) if part.isdigit() else part for part in path.split("."))
    for part in way:
        inside = inside[part] if isinstance(part, int) else inside.setdefault(part, {})
    if value is GONE:
        del inside[last]
    elif isinstance(last, int) and last == len(inside):
        inside.append(value)
    else:
        inside[last] = value
    return whole


BEEGFS = {"name": "data", "kind": "beegfs", "server": "beegfs.lan", "path": "/training"}
"""A file system that exists, for provider kubernetes."""

SIGNER = {"issuer": "https://token.actions.githubusercontent.com", "subject": "https://github.com/acme/*"}
"""Who signs images without a key."""


def signed(by: Mapping[str, Any], description: Mapping[str, Any] = TRAINING) -> dict[str, Any]:
    """A copy whose images must be signed by somebody."""
    return changed("addons.security", {"signatures": [{"images": ["ghcr.io/acme/*"], **by}]}, description)


def complaints(description: object) -> list[tuple[str, str | None]]:
    """The code and path of each finding, none for a description that is right."""
    return [(finding.code, finding.path) for finding in findings(description)]


def hints(description: object) -> list[str]:
    """What would be right instead, for each finding."""
    return [finding.hint for finding in findings(description)]


def findings(description: object) -> Sequence[Finding]:
    """What is wrong with a description."""
    try:
        parse(description)  # type: ignore[arg-type]  # anything may stand in a file
    except InvalidDescription as error:
        return error.findings
    return []


ONPREM_NETWORKS: Mapping[str, Any] = changed("node_pools.0.fabric_networks", ["default/roce"], ONPREM_TRAINING)
"""The same with the secondary networks that Slurm workers need over RoCE."""
