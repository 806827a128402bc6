"""What a state backend promises: private, versioned, encrypted with its own key, and open to named users only."""

from __future__ import annotations

from typing import Any

import pytest
from tests import azuremodels
from tests.azurehandles import GROUP, NETWORK

from penstock.azure.components.state_backend import StateBackend
from penstock.description.state import StateBackendSpec
from penstock.graph.graph import Graph, Resource
from penstock.simulate.run import Rehearsal
from penstock.testing import rehearse, violations

TAGS = {"owner": "ml", "environment": "prod", "cost-center": "42"}
PIPELINES = ("repo:acme/platform:environment:prod", "repo:acme/platform:ref:refs/heads/main")
PEOPLE = "11111111-1111-1111-1111-111111111111"
WORKSPACE = (
    "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/main/providers/"
    "Microsoft.OperationalInsights/workspaces/audit"
)

ACCOUNT = "azure-native:storage:StorageAccount"
CONTAINER = "azure-native:storage:BlobContainer"
CREDENTIAL = "azure-native:managedidentity:FederatedIdentityCredential"
IDENTITY = "azure-native:managedidentity:UserAssignedIdentity"
KEY = "azure-native:keyvault:Key"


def rehearsed(**spec: Any) -> Rehearsal:
    return rehearse(
        lambda: StateBackend(
            "state",
            StateBackendSpec(tags=TAGS, **spec),
            group=GROUP,
            network=NETWORK,
            members=[f"group:{PEOPLE}"],
            logs=WORKSPACE,
        )
    )


@pytest.fixture(scope="module")
def graph() -> Graph:
    return rehearsed(pipelines=PIPELINES).graph


def only(graph: Graph, type_: str) -> Resource:
    (found,) = graph.of_type(type_)
    return found


def test_the_outputs_are_what_the_cli_takes_and_name_the_version_of_the_key(graph: Graph) -> None:
    outputs = only(graph, "penstock:azure:StateBackend").outputs
    key = only(graph, KEY).outputs["keyUriWithVersion"]

    assert outputs["backend_url"] == f"azblob://state?storage_account={only(graph, ACCOUNT).outputs['name']}"
    assert outputs["secrets_provider"] == key.replace("https://", "azurekeyvault://")
    assert len(outputs["secrets_provider"].split("/")) == 6
    assert outputs["login"] == f"pulumi login '{outputs['backend_url']}'"
    assert outputs["init"] == f"pulumi stack init STACK --secrets-provider {outputs['secrets_provider']}"


def test_each_version_can_be_restored_for_the_days_of_the_spec() -> None:
    graph = rehearsed(retention_days=30).graph
    service = only(graph, "azure-native:storage:BlobServiceProperties").inputs
    (rule,) = only(graph, "azure-native:storage:ManagementPolicy").inputs["policy"]["rules"]

    assert service["isVersioningEnabled"] is True
    assert service["deleteRetentionPolicy"] == {"enabled": True, "days": 30}
    assert rule["definition"]["actions"] == {"version": {"delete": {"daysAfterCreationGreaterThan": 30}}}


def test_it_is_closed_to_the_internet_and_to_keys_of_the_account(graph: Graph) -> None:
    inputs = only(graph, ACCOUNT).inputs
    endpoints = graph.of_type("azure-native:network:PrivateEndpoint")

    assert (inputs["publicNetworkAccess"], inputs["allowSharedKeyAccess"]) == ("Disabled", False)
    assert inputs["encryption"]["keyVaultProperties"]["keyName"] == "state"
    assert sorted(each.inputs["privateLinkServiceConnections"][0]["groupIds"][0] for each in endpoints) == [
        "blob",
        "vault",
    ]


def test_members_and_pipelines_use_the_container_and_the_one_key(graph: Graph) -> None:
    (pipelines,) = (each for each in graph.of_type(IDENTITY) if each.name == "state-pipelines")
    key = only(graph, KEY).id
    scopes: dict[str, set[str]] = {}
    for each in graph.of_type("azure-native:authorization:RoleAssignment"):
        scopes.setdefault(each.inputs["principalId"], set()).add(each.inputs["scope"])

    for principal in (PEOPLE, pipelines.outputs["principalId"]):
        assert scopes[principal] == {only(graph, CONTAINER).id, key}


def test_pipelines_bring_tokens_of_their_issuer_one_subject_each(graph: Graph) -> None:
    credentials = graph.of_type(CREDENTIAL)

    assert {each.inputs["subject"] for each in credentials} == set(PIPELINES)
    assert {each.inputs["issuer"] for each in credentials} == {"https://token.actions.githubusercontent.com"}
    assert {tuple(each.inputs["audiences"]) for each in credentials} == {("api://AzureADTokenExchange",)}


def test_another_pipeline_leaves_the_credential_of_the_first_as_it_is() -> None:
    names = [
        {each.name for each in rehearsed(pipelines=some).graph.of_type(CREDENTIAL)}
        for some in (PIPELINES[:1], PIPELINES)
    ]

    assert names[0] < names[1]


def test_without_pipelines_there_is_no_identity_for_them() -> None:
    assert not rehearsed().graph.of_type(CREDENTIAL)


@pytest.mark.parametrize("protect", [True, False])
def test_state_and_key_are_protected_unless_that_is_turned_off(protect: bool) -> None:
    graph = rehearsed(protect=protect).graph

    for type_ in (ACCOUNT, CONTAINER, KEY):
        assert bool(only(graph, type_).options.protect) is protect


def test_every_request_has_the_fields_words_and_types_of_its_model(graph: Graph) -> None:
    asked = [each for each in graph if each.custom and each.type.startswith("azure-native:")]

    assert len(asked) > 10
    assert [complaint for each in asked for complaint in azuremodels.complaints(each.type, dict(each.inputs))] == []


@pytest.mark.parametrize("pack", ["strict", "regulated"])
def test_neither_the_cloud_nor_policies_have_anything_to_object(pack: str) -> None:
    rehearsal = rehearsed(pipelines=PIPELINES)

    assert rehearsal.findings == ()
    assert violations(rehearsal, {"packs": [pack], "environment": "prod"}) == ()
