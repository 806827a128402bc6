"""Every field of a description either changes what is built, or is refused: a provider ignores none in silence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from pydantic import BaseModel
from tests.descriptions import AZURE_TRAINING, GCP_TRAINING, GONE, ONPREM_TRAINING, TRAINING, changed, findings

from penstock.description import parse
from penstock.description.cloud import CloudSpec
from penstock.description.cluster import ClusterSpec
from penstock.description.network import NetworkSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.description.storage import BucketSpec, DatabaseSpec, LustreSpec, SharedFilesSpec
from penstock.platform import Platform
from penstock.testing import rehearse

pytestmark = pytest.mark.exhaustive

TEAMS = {"teams": [{"name": "a", "users": ["b"]}]}

BASES: Mapping[str, Mapping[str, Any]] = {
    "aws": TRAINING,
    "gcp": changed("addons.training", {}, GCP_TRAINING),
    "azure": AZURE_TRAINING,
    "kubernetes": changed("addons", {"queueing": TEAMS, "training": {}}, ONPREM_TRAINING),
}
BLOCKS: Mapping[str, type[BaseModel]] = {"cloud": CloudSpec, "network": NetworkSpec, "cluster": ClusterSpec}
STORAGE: Mapping[str, type[BaseModel]] = {
    "bucket": BucketSpec,
    "lustre": LustreSpec,
    "nfs": SharedFilesSpec,
    "postgres": DatabaseSpec,
}

OTHERS: Mapping[str, Any] = {
    "cloud.provider": None,  # is the provider itself
    "cloud.region": {"aws": "us-west-2", "gcp": "us-east5", "azure": "westus3", "kubernetes": "us-east-1"},
    "cloud.zones": {
        "aws": ["us-east-1a", "us-east-1b"],
        "gcp": ["us-central1-b"],
        "azure": ["1", "2"],
        "kubernetes": ["a"],
    },
    "cloud.account": {
        "aws": "210987654321",
        "gcp": "another-project",
        "azure": "00000000-0000-0000-0000-000000000001",
        "kubernetes": "a",
    },
    "cloud.profile": "generic",
    "network.tags": {"more": "yes"},
    "network.cidr": "10.44.0.0/16",
    "network.egress": "none",
    "network.private_endpoints": False,
    "network.allowed_cidrs": ["198.51.100.0/24"],
    "network.mtu": 8500,
    "network.image_mirror": "registry.example.com/mirror",
    "network.chart_mirror": "oci://registry.example.com/charts",
    "network.existing": None,  # has a rule for each of its fields
    "network.nat": "single",
    "cluster.tags": {"more": "yes"},
    "cluster.protect": False,
    "cluster.version": "1.34",
    "cluster.access": "restricted",
    "cluster.deployer_cidrs": ["198.51.100.0/24"],
    "cluster.runner": True,
    "cluster.autoscaling": "karpenter",
    "cluster.device_allocation": "claims",
    "cluster.node_upgrades": "weekends",
    "cluster.admins": {
        "aws": ["arn:aws:iam::123456789012:role/other"],
        "gcp": ["group:others@example.com"],
        "azure": ["group:22222222-2222-2222-2222-222222222222"],
        "kubernetes": ["me"],
    },
    "cluster.existing": None,  # decides what is created at all
    "cluster.kubeconfig": "lab",
    "cluster.context": "lab",
    "cluster.upgrade_policy": "extended",
    "node_pools.tags": {"more": "yes"},
    "node_pools.name": "other",
    "node_pools.accelerator": "b200",
    "node_pools.machine_type": {
        "aws": "p4d.24xlarge",
        "gcp": "a3-megagpu-8g",
        "azure": "Standard_ND96amsr_A100_v4",
        "kubernetes": "p4d.24xlarge",
    },
    "node_pools.count": 4,
    "node_pools.nodes": 5,
    "node_pools.capacity": "spot",
    "node_pools.reservation": "other",
    "node_pools.zone": {"aws": "us-east-1b", "gcp": "us-central1-a", "azure": "2", "kubernetes": "a"},
    "node_pools.fabric": "none",
    "node_pools.topology": "2x2",
    "node_pools.slices": 2,
    "node_pools.placement": "cluster",
    "node_pools.sharing": {"time_slicing": 4},
    "node_pools.disk": {"size_gib": 500},
    "node_pools.labels": {"example.com/more": "yes"},
    "node_pools.taints": [{"key": "example.com/more"}],
    "node_pools.devices": {"groq.com/lpu": 8},
    "node_pools.fabric_networks": ["default/roce"],
    "node_pools.aws": {"efa_interfaces": "bandwidth_optimized"},
    "node_pools.gcp": {"local_ssds": 4, "host_maintenance": "as_needed"},
    "storage.kind": None,  # another kind is other storage
    "storage.name": "other",
    "storage.tags": {"more": "yes"},
    "storage.protect": False,
    "storage.versioning": False,
    "storage.retention_days": 21,
    "storage.readers": ["default/reader"],
    "storage.writers": ["default/writer"],
    "storage.capacity_tib": 72,
    "storage.throughput_mbps_per_tib": {"aws": 500, "gcp": 1000, "azure": 500},
    "storage.source": GONE,
    "storage.zone": {"aws": "us-east-1b", "gcp": "us-central1-a", "azure": "2", "kubernetes": "a"},
    "storage.fabric": {"aws": "none", "gcp": "efa", "azure": "efa"},
    "storage.export": True,
    "storage.importer": "33333333-3333-3333-3333-333333333333",
    "storage.server": "10.0.0.9",
    "storage.path": "/elsewhere",
    "storage.tier": "zonal",
}
"""Another value of each field, by provider where they differ; None where the field is left out here, for a reason."""

EXPLAINED: Mapping[tuple[str, str], str] = {
    ("kubernetes", "cluster.version"): "the cluster exists: rules hold to its version, and nothing is built of it",
}
"""Fields that change nothing of what is built, and why that is right."""


def other(provider: str, field: str) -> object:
    """Another value of a field on a provider."""
    value = OTHERS[field]
    return value[provider] if isinstance(value, Mapping) and provider in value else value


def described(provider: str, field: str) -> dict[str, Any]:
    """The base with another value of a field; of pools, the last has it."""
    base = BASES[provider]
    block, _, name = field.partition(".")
    path = f"node_pools.{len(base['node_pools']) - 1}.{name}" if block == "node_pools" else field
    return changed(path, other(provider, field), base)


def of_storage(provider: str, field: str, kind: str) -> dict[str, Any]:
    """The base with another value of a field of storage of a kind."""
    index = kinds_of(provider).index(kind)
    return changed(f"storage.{index}.{field.partition('.')[2]}", other(provider, field), BASES[provider])


def kinds_of(provider: str) -> list[str]:
    return [each["kind"] for each in BASES[provider].get("storage", ())]


CASES = [
    *(
        (provider, f"{block}.{name}")
        for provider in BASES
        for block, model in BLOCKS.items()
        for name in model.model_fields
    ),
    *((provider, f"node_pools.{name}") for provider in BASES for name in NodePoolSpec.model_fields),
]
OF_STORAGE = [
    (provider, f"storage.{name}", kind)
    for provider in BASES
    for kind, model in STORAGE.items()
    for name in model.model_fields
    if kind in kinds_of(provider)
]


@cache
def built(description: str) -> str:
    """What is built, as text: the inputs of all resources, and whether they are protected."""
    graph = rehearse(lambda: Platform(parse(json.loads(description)))).graph
    shown = [(each.urn, each.inputs, each.options) for each in graph if not each.type.startswith("penstock:")]
    return json.dumps(shown, default=str)


def is_refused_or_changes(provider: str, description: dict[str, Any]) -> bool:
    if findings(description):
        return True
    return built(json.dumps(description)) != built(json.dumps(BASES[provider]))


@pytest.mark.parametrize(("provider", "field"), [case for case in CASES if OTHERS[case[1]] is not None])
def test_a_field_is_refused_or_changes_what_is_built(provider: str, field: str) -> None:
    assert is_refused_or_changes(provider, described(provider, field)) != ((provider, field) in EXPLAINED)


@pytest.mark.parametrize(("provider", "field", "kind"), [case for case in OF_STORAGE if OTHERS[case[1]] is not None])
def test_a_field_of_storage_is_refused_or_changes_what_is_built(provider: str, field: str, kind: str) -> None:
    assert is_refused_or_changes(provider, of_storage(provider, field, kind)) != ((provider, field) in EXPLAINED)
