"""What a secret store promises: no value in any state, and nobody who reads without being let in."""

from __future__ import annotations

from tests.azurehandles import GROUP, IDENTITY, NETWORK

from penstock.addons.secrets.block import SecretStoreSpec
from penstock.azure.components.secret_store import SecretStore
from penstock.testing import rehearse

SPEC = SecretStoreSpec(names=("hugging-face", "wandb"), protect=True, tags={"owner": "ml"})
ROLE = "azure-native:authorization:RoleAssignment"


def test_no_value_of_a_secret_is_ever_registered() -> None:
    rehearsal = rehearse(lambda: SecretStore("secrets", SPEC, group=GROUP, network=NETWORK))

    assert rehearsal.findings == ()
    assert not rehearsal.graph.of_type("azure-native:keyvault:Secret")
    assert not rehearsal.graph.of_type(ROLE)
    (vault,) = rehearsal.graph.of_type("azure-native:keyvault:Vault")
    assert vault.options.protect


def test_only_the_pods_that_are_named_read_them() -> None:
    spec = SPEC.model_copy(update={"readers": ("research/trainer",)})
    graph = rehearse(
        lambda: SecretStore("secrets", spec, group=GROUP, network=NETWORK, identities={"research/trainer": IDENTITY})
    ).graph

    (grant,) = graph.of_type(ROLE)
    assert grant.inputs["principalId"] == IDENTITY.principal
    assert grant.inputs["roleDefinitionId"].endswith("4633458b-17de-408a-b874-0445c86b69e6")


def test_readers_find_each_secret_by_the_name_of_the_description() -> None:
    graph = rehearse(lambda: SecretStore("secrets", SPEC, group=GROUP, network=NETWORK)).graph
    (component,) = graph.of_type("penstock:azure:SecretStore")
    (vault,) = graph.of_type("azure-native:keyvault:Vault")

    uri = vault.outputs["properties"]["vaultUri"]
    assert component.outputs["ids"] == {name: f"{uri}secrets/{name}" for name in SPEC.names}
