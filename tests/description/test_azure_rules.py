"""Each rule on Azure alone, broken as people break it, and kept in the ways that look like breaking it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.descriptions import AZURE_ADMIN, AZURE_TRAINING, GONE, changed, complaints

from penstock.catalog import kubernetes_versions
from penstock.core.errors import InvalidDescription
from penstock.description import parse, rules
from penstock.description.rules import known

SUBSCRIPTION = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/main/providers"
RESERVATION = f"{SUBSCRIPTION}/Microsoft.Compute/capacityReservationGroups/train"
PLACEMENT = f"{SUBSCRIPTION}/Microsoft.Compute/proximityPlacementGroups/train"
OPERANDS = "nvidia.com/gpu.deploy.operands"
LAKE = {"name": "lake", "kind": "lustre", "capacity_tib": 16, "throughput_mbps_per_tib": 250}


def azure(path: str, value: object, description: dict[str, Any] | None = None) -> dict[str, Any]:
    """The description on Azure with another value at a path."""
    return changed(path, value, AZURE_TRAINING if description is None else description)


def adopted(**fields: object) -> dict[str, Any]:
    """The description in a network that exists."""
    existing = {
        "id": f"{SUBSCRIPTION}/Microsoft.Network/virtualNetworks/shared",
        "subnets": {"nodes": "workers", "endpoints": "private", "api-server": "aks", "scratch": "lustre"},
        "pods_range": "10.224.0.0/11",
        **fields,
    }
    return azure("network", {"existing": {key: value for key, value in existing.items() if value is not GONE}})


def pool(**fields: object) -> dict[str, Any]:
    """The description with one pool more, the third, without a limit on accelerators."""
    more = {"name": "more", "nodes": 1, **fields}
    return azure("node_pools.2", more, azure("budget.max_accelerators", GONE))


def lake(**fields: object) -> dict[str, Any]:
    """The description with one file system more, the fifth item."""
    return azure("storage.4", LAKE | fields)


BROKEN: list[tuple[str, str, dict[str, Any]]] = [
    (
        "SPEC-020",
        "cluster.existing",
        azure("cluster.existing", {"name": "main"}, azure("cluster.deployer_cidrs", GONE)),
    ),
    ("SPEC-020", "cluster.runner", azure("cluster.runner", True)),
    ("SPEC-020", "network.egress", azure("network.egress", "none")),
    ("SPEC-020", "network.private_endpoints", azure("network.private_endpoints", False)),
    ("SPEC-020", "network.mtu", azure("network.mtu", 1500)),
    ("SPEC-020", "addons.health.gate", azure("addons.health", {"gate": True})),
    ("SPEC-020", "node_pools[2].slices", pool(accelerator="h100", slices=2)),
    ("SPEC-035", "cloud.account", azure("cloud.account", "my-subscription")),
    ("SPEC-041", "network.allowed_cidrs[0]", azure("network.allowed_cidrs", ["10.230.0.0/16"])),
    ("SPEC-042", "network.cidr", azure("node_pools.0.nodes", 2100, azure("network.cidr", "10.40.0.0/20"))),
    (
        "SPEC-042",
        "network.cidr",
        azure("network.cidr", "10.40.0.0/20", azure("storage.5", LAKE | {"name": "pond"}, lake())),
    ),
    ("SPEC-045", "network.existing.id", adopted(id="shared")),
    ("SPEC-045", "network.existing.id", azure("cloud.account", "11111111-1111-1111-1111-111111111111", adopted())),
    (
        "SPEC-045",
        "network.existing.subnets.nodes",
        adopted(
            subnets={"nodes": "/subscriptions/0", "endpoints": "private", "api-server": "aks", "scratch": "lustre"}
        ),
    ),
    ("SPEC-045", "network.existing.pods_range", adopted(pods_range=GONE)),
    ("SPEC-045", "network.existing.pods_range", adopted(pods_range="pods")),
    ("SPEC-045", "network.existing.pods_range", adopted(pods_range="172.20.128.0/17")),
    ("SPEC-045", "network.existing.services_range", adopted(services_range="10.0.0.1/16")),
    (
        "SPEC-046",
        "network.existing.subnets",
        adopted(subnets={"nodes": "workers", "endpoints": "private", "api-server": "aks"}),
    ),
    (
        "SPEC-046",
        "network.existing.subnets.node",
        adopted(subnets={"node": "w", "nodes": "workers", "endpoints": "p", "api-server": "aks", "scratch": "lustre"}),
    ),
    ("SPEC-052", "cluster.admins[0]", azure("cluster.admins", ["platform@example.com"])),
    ("SPEC-052", "cluster.admins[1]", azure("cluster.admins", [AZURE_ADMIN, AZURE_ADMIN])),
    ("SPEC-071", "node_pools[2].reservation", pool(machine_type="Standard_NC24ads_A100_v4", capacity="reserved")),
    (
        "SPEC-071",
        "node_pools[2].reservation",
        pool(machine_type="Standard_NC24ads_A100_v4", capacity="reserved", reservation="train"),
    ),
    ("SPEC-076", "node_pools[2].fabric", pool(machine_type="Standard_NC24ads_A100_v4", fabric="infiniband")),
    ("SPEC-079", "node_pools[2].placement", pool(accelerator="h100", placement="train")),
    ("SPEC-096", "storage[4].fabric", lake(fabric="efa")),
    ("SPEC-097", "storage[0].retention_days", azure("storage.0.retention_days", 400)),
    ("SPEC-104", "storage[4].name", lake(name="lake-for-the-second-team-of-the-third")),
    ("SPEC-165", f"node_pools[2].labels['{OPERANDS}']", pool(accelerator="h100", labels={OPERANDS: "false"})),
    (
        "SPEC-165",
        f"node_pools[2].labels['{OPERANDS}']",
        pool(machine_type="Standard_NC24ads_A100_v4", labels={OPERANDS: "true"}),
    ),
    ("SPEC-191", "node_pools[2].nodes", pool(accelerator="h100", nodes=101)),
    ("SPEC-191", "node_pools[2].nodes.max", pool(accelerator="h100", nodes={"min": 0, "max": 101})),
    ("SPEC-192", "node_pools[2]", pool(machine_type="Standard_ND128isr_NDR_GB200_v6", nodes=18)),
    ("SPEC-199", "storage[2].capacity_tib", azure("storage.2.capacity_tib", 100.5)),
    ("SPEC-199", "storage[3].capacity_tib", azure("storage.3.capacity_tib", 33.0)),
    ("SPEC-198", "node_pools[0].capacity", azure("node_pools.0.capacity", "spot")),
    ("SPEC-193", "storage[1].source", azure("storage.1.importer", GONE)),
    ("SPEC-194", "storage[4].capacity_tib", lake(capacity_tib=480, throughput_mbps_per_tib=40)),
]

KEPT = {
    "the description": azure("owner", "ml"),
    "reserved machines": pool(machine_type="Standard_NC24ads_A100_v4", capacity="reserved", reservation=RESERVATION),
    "a placement group": pool(accelerator="h100", placement=PLACEMENT),
    "a network that exists": adopted(),
    "a network that exists, with a range for services": adopted(services_range="10.100.0.0/16"),
    "one owner of the driver": pool(machine_type="Standard_NC24ads_A100_v4", labels={OPERANDS: "false"}),
    "no InfiniBand": pool(accelerator="h100", fabric="none", nodes=101),
    "a current subscription": azure("cloud.account", GONE),
    "upgrades on weekends": azure("cluster.node_upgrades", "weekends"),
    "a large share": azure("storage.2.capacity_tib", 4.0),
    "two file systems in a small network": azure("network.cidr", "10.40.0.0/20", lake()),
    "a person and an application": azure(
        "cluster.admins", [AZURE_ADMIN.replace("group", each) for each in ("user", "app")]
    ),
}


@pytest.mark.parametrize(("code", "path", "description"), BROKEN, ids=[f"{code} {path}" for code, path, _ in BROKEN])
def test_a_broken_rule_is_reported_where_it_is_broken(code: str, path: str, description: dict[str, Any]) -> None:
    assert (code, path) in complaints(description)


@pytest.mark.parametrize("description", KEPT.values(), ids=KEPT)
def test_what_is_right_is_let_through(description: dict[str, Any]) -> None:
    assert complaints(description) == []


def test_a_cluster_has_a_version_under_standard_support() -> None:
    found = known.today()
    ended = [
        version
        for version in kubernetes_versions.supported_versions("azure", found)
        if version not in kubernetes_versions.supported_versions("azure", found, extended=False)
    ]

    assert ("SPEC-050", "cluster.version") in complaints(azure("cluster.version", ended[0]))


def test_where_a_region_has_no_zones_none_is_advised() -> None:
    with pytest.raises(InvalidDescription) as raised:
        parse(azure("cloud", {"provider": "azure", "region": "northcentralus", "zones": ["1"]}))

    (hint,) = (each.hint for each in raised.value.findings if each.path == "cloud.zones[0]")
    assert hint == "It has none: leave zones out."


def test_machines_that_are_not_reserved_miss_no_reservation() -> None:
    found = complaints(azure("node_pools.1.capacity", "reserved"))

    assert [code for code, path in found if path is not None and path.startswith("node_pools[1]")] == ["SPEC-067"]


def test_every_rule_of_azure_alone_has_a_case_that_breaks_it() -> None:
    own = {rule.code for rule in rules.all_rules() if rule.providers is not None and set(rule.providers) == {"azure"}}

    assert own == {code for code, _, _ in BROKEN}


def test_a_misspelt_size_comes_with_the_nearest_one() -> None:
    with pytest.raises(InvalidDescription) as raised:
        parse(azure("node_pools.0.machine_type", "Standard_D8ds_v55"))

    (finding,) = raised.value.findings
    assert finding.hint == "Did you mean Standard_D8ds_v5?"
