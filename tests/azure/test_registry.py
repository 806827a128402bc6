"""What a registry promises: identities alone, from the network alone, and images under a customer's key."""

from __future__ import annotations

from tests.azurehandles import GROUP, IDENTITY, KEY, NETWORK

from penstock.addons.registry.block import RegistrySpec
from penstock.azure.components.registry import Registry
from penstock.testing import rehearse

SPEC = RegistrySpec(repositories=("train", "serve"), tags={"owner": "ml"})


def test_images_are_private_and_encrypted_and_pushed_by_identities() -> None:
    rehearsal = rehearse(lambda: Registry("ai-prod-registry", SPEC, group=GROUP, network=NETWORK, key=KEY))
    (registry,) = rehearsal.graph.of_type("azure-native:containerregistry:Registry")

    assert rehearsal.findings == ()
    assert registry.inputs["sku"] == {"name": "Premium"}
    assert registry.inputs["adminUserEnabled"] is False
    assert registry.inputs["publicNetworkAccess"] == "Disabled"
    assert registry.inputs["encryption"]["keyVaultProperties"] == {
        "identity": IDENTITY.client,
        "keyIdentifier": KEY.id,
    }
    assert registry.inputs["identity"]["userAssignedIdentities"] == {IDENTITY.id: {}}
    (endpoint,) = rehearsal.graph.of_type("azure-native:network:PrivateEndpoint")
    assert endpoint.inputs["privateLinkServiceConnections"][0]["groupIds"] == ["registry"]


def test_each_repository_has_the_address_that_docker_pushes_to() -> None:
    graph = rehearse(lambda: Registry("ai-prod-registry", SPEC, group=GROUP, network=NETWORK, key=KEY)).graph
    (component,) = graph.of_type("penstock:azure:Registry")
    (registry,) = graph.of_type("azure-native:containerregistry:Registry")

    server = registry.outputs["loginServer"]
    assert component.outputs["urls"] == {"train": f"{server}/train", "serve": f"{server}/serve"}
