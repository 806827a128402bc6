"""What the keys promise: separate powers, no way back for what is deleted, and identities that come first."""

from __future__ import annotations

import pytest
from tests.azurehandles import GROUP, NETWORK

from penstock.azure.components.keys import Keys
from penstock.description.block import HoldingSpec
from penstock.graph.graph import Graph
from penstock.testing import rehearse

VAULT = "azure-native:keyvault:Vault"
KEY = "azure-native:keyvault:Key"
ROLE = "azure-native:authorization:RoleAssignment"
DISKS = "azure-native:compute:DiskEncryptionSet"


@pytest.fixture(scope="module")
def graph() -> Graph:
    spec = HoldingSpec(tags={"owner": "ml"}, protect=True)
    rehearsal = rehearse(lambda: Keys("ai-prod-keys", spec, group=GROUP, network=NETWORK))
    assert rehearsal.findings == ()
    return rehearsal.graph


def test_the_vault_opens_by_roles_and_from_the_network_alone(graph: Graph) -> None:
    (vault,) = graph.of_type(VAULT)
    properties = vault.inputs["properties"]

    assert properties["enableRbacAuthorization"] is True
    assert properties["publicNetworkAccess"] == "Disabled"
    assert properties["networkAcls"] == {"bypass": "AzureServices", "defaultAction": "Deny"}


def test_nobody_deletes_keys_for_good_at_once(graph: Graph) -> None:
    (vault,) = graph.of_type(VAULT)

    assert vault.inputs["properties"]["enablePurgeProtection"] is True
    assert vault.inputs["properties"]["softDeleteRetentionInDays"] == 90
    assert vault.options.protect
    assert all(key.options.protect for key in graph.of_type(KEY))


def test_the_right_to_data_is_no_right_to_what_kubernetes_stores(graph: Graph) -> None:
    assert len({role.inputs["principalId"] for role in graph.of_type(ROLE)}) == 2


def test_keys_of_data_rotate_and_all_services_take_them(graph: Graph) -> None:
    keys = {key.name: key.inputs["properties"] for key in graph.of_type(KEY)}

    assert {properties["keySize"] for properties in keys.values()} == {2048}
    assert keys["ai-prod-keys-data"]["rotationPolicy"]["lifetimeActions"] == [
        {"action": {"type": "rotate"}, "trigger": {"timeAfterCreate": "P90D"}}
    ]


def test_disks_follow_rotations_and_wait_for_the_role(graph: Graph) -> None:
    (disks,) = graph.of_type(DISKS)

    assert disks.inputs["rotationToLatestKeyVersionEnabled"] is True
    assert any(graph[urn].type == ROLE for urn in disks.dependencies)


def test_the_key_of_file_systems_is_in_a_vault_that_admits_trusted_services_only() -> None:
    rehearsal = rehearse(lambda: Keys("ai-prod-keys", HoldingSpec(), group=GROUP, network=NETWORK, lustre=True))

    (key,) = (key for key in rehearsal.graph.of_type(KEY) if key.name == "ai-prod-keys-lustre")
    access = {
        vault.outputs["name"]: (
            vault.inputs["properties"]["publicNetworkAccess"],
            vault.inputs["properties"]["networkAcls"],
        )
        for vault in rehearsal.graph.of_type(VAULT)
    }
    trusted = {"bypass": "AzureServices", "defaultAction": "Deny"}
    assert access.pop(key.inputs["vaultName"]) == ("Enabled", trusted)
    assert list(access.values()) == [("Disabled", trusted)]
    assert rehearsal.findings == ()
