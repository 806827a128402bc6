"""What every cloud keeps alike: one platform, described once, rehearsed on each."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from penstock import description
from penstock.catalog import holdings
from penstock.core.errors import InvalidDescription
from penstock.graph.graph import Graph, Resource
from penstock.platform import Platform
from penstock.simulate.run import Rehearsal
from penstock.testing import diff, rehearse

pytestmark = pytest.mark.slow

PLATFORM: Mapping[str, Any] = {
    "environment": "prod",
    "owner": "training",
    "network": {"cidr": "10.40.0.0/16"},
    "node_pools": [
        {"name": "train", "accelerator": "h100", "nodes": {"min": 0, "max": 4}, "capacity": "spot"},
        {"name": "serve", "accelerator": "a100-80gb", "nodes": {"min": 1, "max": 3}},
    ],
    "storage": [
        {"name": "datasets", "kind": "bucket"},
        {"name": "scratch", "kind": "lustre", "capacity_tib": 36, "throughput_mbps_per_tib": 500, "source": "datasets"},
        {"name": "home", "kind": "nfs"},
        {"name": "tracking", "kind": "postgres"},
    ],
    "addons": {"secrets": {"names": ["wandb"]}, "registry": {"repositories": ["trainer"]}},
    "budget": {"monthly_usd": 900000, "alert_emails": ["platform@example.com"], "max_accelerators": 128},
}
"""A platform in words that every cloud shares."""

CLOUDS: Mapping[str, Mapping[str, Any]] = {
    "aws": {
        "cloud": {"provider": "aws", "region": "us-east-1", "account": "123456789012"},
        "cluster": {
            "admins": ["arn:aws:iam::123456789012:role/platform"],
            "deployer_cidrs": ["203.0.113.0/24"],
        },
    },
    "gcp": {
        "cloud": {"provider": "gcp", "region": "us-central1", "account": "example-training"},
        "cluster": {"admins": ["group:platform@example.com"]},
    },
    "azure": {
        "cloud": {"provider": "azure", "region": "eastus", "account": "00000000-0000-0000-0000-000000000000"},
        "cluster": {
            "admins": ["group:11111111-1111-1111-1111-111111111111"],
            "deployer_cidrs": ["203.0.113.0/24"],
        },
        "storage": [
            {**each, "importer": "22222222-2222-2222-2222-222222222222"} if "source" in each else each
            for each in PLATFORM["storage"]
        ],
    },
}
"""What differs: where it stands, who administers it, and on Azure who imports for Lustre."""

KEYS = ("aws:kms/key:Key", "gcp:kms/cryptoKey:CryptoKey", "azure-native:keyvault:Key")
POOLS = (
    "aws:eks/nodeGroup:NodeGroup",
    "gcp:container/nodePool:NodePool",
    "azure-native:containerservice:AgentPool",
)
STORES = ("Bucket", "Lustre", "SharedFiles", "Database", "SecretStore", "Registry")
"""The components that hold what their users put there."""


def program(cloud: str, **changes: Any) -> Platform:
    return Platform(description.parse({**PLATFORM, **CLOUDS[cloud], **changes}))


@cache
def rehearsal(cloud: str, *, preview: bool = False) -> Rehearsal:
    return rehearse(lambda: program(cloud), preview=preview)


def offered(cloud: str) -> set[str]:
    """The names in a cloud's package that are components, not handles."""
    return {name for name in importlib.import_module(f"penstock.{cloud}").__all__ if not name.endswith("Handle")}


def components(graph: Graph, cloud: str) -> set[tuple[str, str]]:
    """Class and name of each component that every cloud offers."""
    shared = set.intersection(*map(offered, CLOUDS))
    found = ((resource.type.rpartition(":")[2], resource) for resource in graph if not resource.custom)
    return {(kind, each.name) for kind, each in found if kind in shared and each.type.startswith(f"penstock:{cloud}:")}


def stored(graph: Graph) -> list[Resource]:
    """The resources in components that hold data."""
    return [each for each in graph if each.parent and graph[each.parent].type.rpartition(":")[2] in STORES]


def key_of(resource: Resource, graph: Graph) -> bool:
    """Return whether a customer's key is among what a resource is made from."""
    return any(graph[urn].type in KEYS for urns in resource.property_dependencies.values() for urn in urns)


@pytest.mark.parametrize("cloud", CLOUDS)
@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_the_platform_has_no_findings(cloud: str, preview: bool) -> None:
    assert rehearsal(cloud, preview=preview).findings == ()


def readme_on_each_cloud() -> list[Any]:
    """The description of the README, once for each of the lines with a cloud in it."""
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n# stacks/Pulumi\.anywhere\.yaml\n(.*?)```", text, re.DOTALL)
    platform = yaml.safe_load(block)["config"]["penstock:platform"]
    clouds = [yaml.safe_load(line) for line in re.findall(r"cloud: (\{.*\})", block)]
    return [pytest.param({**platform, "cloud": cloud}, id=cloud["provider"]) for cloud in clouds]


@pytest.mark.parametrize("platform", readme_on_each_cloud())
def test_the_platform_of_the_readme_moves_by_one_line(platform: Mapping[str, Any]) -> None:
    found = rehearse(platform)

    assert found.findings == ()
    assert {each.type.partition(":")[0] for each in found.graph} & {"aws", "gcp", "azure-native"}


def test_the_readme_names_every_cloud() -> None:
    assert {each.id for each in readme_on_each_cloud()} == set(CLOUDS)


def test_every_cloud_offers_the_components_of_the_design() -> None:
    named = {"Network", "Keys", "Cluster", "NodePool", "Lustre", "SharedFiles", "Bucket", "SecretStore", "Database"}

    assert named | {"Registry", "Budget"} <= set.intersection(*map(offered, CLOUDS))


def test_the_same_components_have_the_same_names_everywhere() -> None:
    aws, gcp, azure = (components(rehearsal(cloud).graph, cloud) for cloud in CLOUDS)

    assert aws == gcp
    assert azure == aws - {("NodePool", "platform-prod-system")}  # AKS brings its first pool with the cluster


def test_what_users_need_to_reach_it_has_the_same_names_everywhere() -> None:
    graphs = (rehearsal(cloud).graph for cloud in CLOUDS)
    first, *others = (next(iter(graph.of_type("penstock:index:Platform"))).outputs for graph in graphs)

    for other in others:
        assert first.keys() == other.keys() - {"network-operator"}  # InfiniBand comes by an operator
        assert all(first[key].keys() == other[key].keys() for key in ("storage", "secrets", "images"))


@pytest.mark.parametrize("cloud", CLOUDS)
def test_what_holds_data_is_protected_and_encrypted_with_a_key_of_the_platform(cloud: str) -> None:
    graph = rehearsal(cloud).graph
    holding = [each for each in stored(graph) if holdings.holding_of(each.type) is not None]

    assert {graph[each.parent].type.rpartition(":")[2] for each in holding} == set(STORES)
    assert {each.type for each in holding if not each.options.protect} == set()
    # A bucket of S3 gets its key by a resource of its own, in the same component; a vault of Azure takes none.
    assert {each.parent for each in holding if each.type != "azure-native:keyvault:Vault"} == {
        each.parent for each in stored(graph) if key_of(each, graph)
    }


@pytest.mark.parametrize("cloud", CLOUDS)
def test_new_nodes_of_every_pool_with_gpus_wait_for_a_test_or_the_description_is_refused(cloud: str) -> None:
    addons = {**PLATFORM["addons"], "health": {"gate": True}}
    if cloud == "azure":
        with pytest.raises(InvalidDescription, match="SPEC-020"):
            program(cloud, addons=addons)
        return

    run = rehearse(lambda: program(cloud, addons=addons))

    sets = {each.inputs["metadata"]["name"] for each in run.graph.of_type("kubernetes:apps/v1:DaemonSet")}
    assert {"node-check-train", "node-check-serve"} <= sets
    assert run.findings == rehearsal(cloud).findings


@pytest.mark.parametrize("cloud", CLOUDS)
def test_a_further_pool_leaves_the_others_alone(cloud: str) -> None:
    batch = {"name": "batch", "accelerator": "a100-80gb", "nodes": {"min": 0, "max": 2}, "capacity": "spot"}
    after = rehearse(lambda: program(cloud, node_pools=[batch, *PLATFORM["node_pools"]]))

    changes = diff(rehearsal(cloud), after)

    assert changes.created
    assert not changes.updated
    assert not changes.replaced
    assert not changes.deleted


@pytest.mark.parametrize("cloud", CLOUDS)
def test_no_pool_waits_for_data_or_for_another_pool(cloud: str) -> None:
    graph = rehearsal(cloud).graph
    pools = {pool.urn for pool in graph.of_type(*POOLS)}

    assert len(pools) >= len(PLATFORM["node_pools"])
    assert not {urn for pool in pools for urn in graph[pool].dependencies} & {each.urn for each in stored(graph)}
    assert not {urn for pool in pools for urn in graph[pool].dependencies} & pools
