"""What our components ask of Azure is what Microsoft's own models say that its APIs take."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from tests import azuremodels
from tests.azurehandles import ZONES
from tests.environments import STACKS, rehearsed

from penstock import azure
from penstock.addons.registry.block import RegistrySpec
from penstock.addons.secrets.block import SecretStoreSpec
from penstock.description.block import ComponentSpec, HoldingSpec
from penstock.description.cluster import ClusterSpec
from penstock.description.network import NetworkSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.description.storage import BucketSpec, DatabaseSpec, LustreSpec, SharedFilesSpec
from penstock.graph.graph import Graph
from penstock.testing import rehearse

POOL = "azure-native:containerservice:AgentPool"
GROUP = "azure-native:network:NetworkSecurityGroup"
ACCOUNT = "azure-native:storage:StorageAccount"
VAULT = "azure-native:keyvault:Vault"

SOMEBODY = "11111111-1111-1111-1111-111111111111"
RESERVATION = (
    "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/main/providers/"
    "Microsoft.Compute/capacityReservationGroups/train"
)
POOLS: tuple[dict[str, Any], ...] = (
    {"name": "train", "machine_type": "Standard_ND96isr_H100_v5", "nodes": {"min": 0, "max": 16}},
    {
        "name": "batch",
        "machine_type": "Standard_ND96asr_v4",
        "nodes": {"min": 0, "max": 8},
        "capacity": "spot",
        "placement": "cluster",
    },
    {"name": "rack", "machine_type": "Standard_ND128isr_NDR_GB200_v6", "nodes": 18},
    {
        "name": "amd",
        "machine_type": "Standard_ND96isr_MI300X_v5",
        "nodes": 2,
        "taints": [{"key": "team", "value": "research", "effect": "NoSchedule"}],
    },
    {
        "name": "serve",
        "machine_type": "Standard_NC24ads_A100_v4",
        "nodes": 4,
        "capacity": "reserved",
        "reservation": RESERVATION,
    },
)


def everything() -> None:
    """Every component, with as many of its properties as one program can have."""
    group = azure.ResourceGroup("ai-prod", HoldingSpec(), region="eastus").handle
    network = azure.Network(
        "ai-prod-network",
        NetworkSpec(),
        group=group,
        services=("blob", "dfs", "file", "postgresqlServer", "registry", "vault"),
        lustre=1,
        machines=40,
    ).handle
    keys = azure.Keys("ai-prod-keys", HoldingSpec(), group=group, network=network, lustre=True)
    cluster = azure.Cluster(
        "ai-prod",
        ClusterSpec(access="restricted", admins=(f"group:{SOMEBODY}",)),
        group=group,
        network=network,
        key=keys.cluster,
        disk_key=keys.data,
        system=NodePoolSpec.model_validate({"name": "system", "machine_type": "Standard_D4ds_v5", "nodes": 3}),
        zones=ZONES,
        drivers=("bucket", "nfs"),
        accelerated=True,
    ).handle
    for pool in POOLS:
        spec = NodePoolSpec.model_validate(pool)
        azure.NodePool(f"ai-prod-{spec.name}", spec, cluster=cluster, network=network, group=group, zones=ZONES)
    trainer = azure.WorkloadIdentity(
        "ai-prod-trainer", ComponentSpec(), account="default/trainer", cluster=cluster, group=group
    ).handle
    bucket = azure.Bucket(
        "ai-prod-datasets",
        BucketSpec(name="datasets", readers=("default/trainer",)),
        group=group,
        network=network,
        key=keys.data,
        importer=SOMEBODY,
        identities={"default/trainer": trainer},
    )
    azure.Lustre(
        "ai-prod-scratch",
        LustreSpec(
            name="scratch", capacity_tib=16.0, throughput_mbps_per_tib=250, source="datasets", importer=SOMEBODY
        ),
        group=group,
        subnet=network.lustre[0],
        key=keys.lustre,
        zone=ZONES[0],
        source=bucket.handle,
    )
    azure.SharedFiles("ai-prod-home", SharedFilesSpec(name="home"), group=group, network=network, key=keys.data)
    azure.Database("ai-prod-records", DatabaseSpec(name="records"), group=group, network=network, key=keys.data)
    azure.Registry(
        "ai-prod-registry", RegistrySpec(repositories=("trainer",)), group=group, network=network, key=keys.data
    )
    azure.SecretStore(
        "ai-prod-secrets",
        SecretStoreSpec(names=("huggingface",), readers=("default/trainer",)),
        group=group,
        network=network,
        identities={"default/trainer": trainer},
    )


@cache
def graph() -> Graph:
    """All that the components build."""
    return rehearse(everything).graph


def asked(program: Graph) -> list[tuple[str, str, dict[str, Any]]]:
    """The type, name and inputs of all that a program asks of Azure."""
    return [
        (each.type, each.name, dict(each.inputs))
        for each in program
        if each.custom and not each.external and each.type.startswith("azure-native:")
    ]


def complaints(program: Graph) -> list[str]:
    """What the models say against a program; of a type that they do not cover, that."""
    return [
        f"{name} ({type_}) {complaint}"
        for type_, name, inputs in asked(program)
        for complaint in (azuremodels.complaints(type_, inputs) if azuremodels.is_covered(type_) else ["has no model"])
    ]


def test_every_request_of_a_component_has_the_fields_words_and_types_of_its_model() -> None:
    assert len(asked(graph())) > len(POOLS)
    assert complaints(graph()) == []


@pytest.mark.parametrize("environment", [name for name in STACKS if name.startswith("azure-")])
def test_every_request_of_an_environment_has_them_too(environment: str) -> None:
    assert complaints(rehearsed(environment).graph) == []


@pytest.mark.parametrize(
    ("type_", "inputs", "says"),
    [
        (POOL, {"vmSize": 8}, "vmSize: wants str, not int"),
        (POOL, {"enableFIPS": "yes"}, "enableFIPS: wants bool, not str"),
        (POOL, {"count": True}, "count: wants int, not bool"),
        (POOL, {"nodeTaints": "a=b:NoSchedule"}, "nodeTaints: wants [str], not str"),
        (POOL, {"machineType": "Standard_D4ds_v5"}, "machineType: containerservice.AgentPool has no such field"),
        (POOL, {"gpuProfile": {"driver": "Nvidia"}}, "gpuProfile.driver: knows no 'Nvidia', but Install, None"),
        (POOL, {"provisioningState": "Succeeded"}, "provisioningState: containerservice.AgentPool has it for reading"),
        (GROUP, {"securityRules": [{"name": "web"}]}, "securityRules[].access: network.SecurityRule needs it"),
        (ACCOUNT, {"kind": "StorageV2", "location": "eastus"}, "sku: storage.StorageAccountCreateParameters needs it"),
        (
            ACCOUNT,
            {"encryption": {"services": {"blob": {"keyType": "Own"}}}},
            "encryption.services.blob.keyType: knows",
        ),
        (VAULT, {"properties": {"sku": {"family": "B"}}}, "properties.sku.family: knows no 'B', but A"),
    ],
)
def test_the_judge_tells_what_an_api_would_refuse(type_: str, inputs: dict[str, Any], says: str) -> None:
    assert [reported for reported in azuremodels.complaints(type_, inputs) if reported.startswith(says)]


@pytest.mark.parametrize("ids", [["/id"], {"/id": {}}], ids=["list", "map"])
def test_the_judge_takes_what_the_provider_translates(ids: Any) -> None:
    inputs = {
        "resourceGroupName": "main",
        "location": "eastus",
        "kind": "StorageV2",
        "sku": {"name": "Standard_LRS"},
        "enableHttpsTrafficOnly": True,
        "networkRuleSet": {"defaultAction": "Deny"},
        "identity": {"type": "UserAssigned", "userAssignedIdentities": ids},
        "encryption": {"keyVaultProperties": {"keyName": "data"}},
    }

    assert azuremodels.complaints(ACCOUNT, inputs) == []
