"""What a bucket promises: no public way in, no key but a customer's, recoverable data, and readers by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.azurehandles import GROUP, IDENTITY, KEY, NETWORK, granted_key

from penstock.azure.components.bucket import Bucket
from penstock.azure.components.lustre import Lustre
from penstock.description.storage import BucketSpec, LustreSpec
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse, violations

ACCOUNT = "azure-native:storage:StorageAccount"
SERVICE = "azure-native:storage:BlobServiceProperties"
CONTAINER = "azure-native:storage:BlobContainer"
ENDPOINT = "azure-native:network:PrivateEndpoint"
ROLE = "azure-native:authorization:RoleAssignment"
FILES = "azure-native:storagecache:AmlFilesystem"
IMPORTER = "11111111-1111-1111-1111-111111111111"
SPEC = BucketSpec(name="datasets", protect=True, tags={"owner": "ml", "environment": "prod"})


def built(spec: BucketSpec = SPEC, **more: Any) -> Graph:
    rehearsal = rehearse(lambda: Bucket("ai-prod-datasets", spec, group=GROUP, network=NETWORK, key=KEY, **more))
    assert rehearsal.findings == ()
    return rehearsal.graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return built()


def account(graph: Graph) -> Resource:
    (found,) = graph.of_type(ACCOUNT)
    return found


def test_nobody_comes_in_from_outside_or_with_a_key_of_the_account(graph: Graph) -> None:
    inputs = account(graph).inputs

    assert inputs["publicNetworkAccess"] == "Disabled"
    assert inputs["allowBlobPublicAccess"] is False
    assert inputs["allowSharedKeyAccess"] is False
    assert inputs["minimumTlsVersion"] == "TLS1_2"


def test_both_of_its_names_lead_into_the_network(graph: Graph) -> None:
    groups = [each.inputs["privateLinkServiceConnections"][0]["groupIds"] for each in graph.of_type(ENDPOINT)]

    assert sorted(groups) == [["blob"], ["dfs"]]
    assert account(graph).inputs["isHnsEnabled"] is True


def test_data_is_encrypted_with_the_given_key_once_it_may_be_used() -> None:
    def program() -> None:
        Bucket("data", SPEC, group=GROUP, network=NETWORK, key=granted_key())

    graph = rehearse(program).graph
    encryption = account(graph).inputs["encryption"]

    assert encryption["keySource"] == "Microsoft.Keyvault"
    assert encryption["keyVaultProperties"] == {"keyName": "data", "keyVaultUri": KEY.vault_uri}
    assert "grant" in {graph[urn].name for urn in account(graph).dependencies}


@pytest.mark.parametrize(
    ("change", "retention"),
    [
        ({}, {"enabled": True, "days": 7}),
        ({"retention_days": 30}, {"enabled": True, "days": 30}),
        ({"versioning": False}, {"enabled": False}),
    ],
)
def test_what_is_deleted_is_kept_for_the_days_of_the_description(
    change: dict[str, Any], retention: dict[str, Any]
) -> None:
    (service,) = built(SPEC.model_copy(update=change)).of_type(SERVICE)

    assert service.inputs["deleteRetentionPolicy"] == retention


def test_only_a_bucket_that_lustre_imports_takes_keys_of_the_account() -> None:
    graph = built(importer=IMPORTER)

    assert account(graph).inputs["allowSharedKeyAccess"] is True
    assert {each.inputs["containerName"] for each in graph.of_type(CONTAINER)} == {"data", "logging"}


def test_file_systems_that_import_one_bucket_have_their_roles_in_common() -> None:
    files = {"capacity_tib": 16.0, "throughput_mbps_per_tib": 250, "source": "datasets", "importer": IMPORTER}

    def program() -> None:
        bucket = Bucket("datasets", SPEC, group=GROUP, network=NETWORK, key=KEY, importer=IMPORTER).handle
        for number, subnet in enumerate((*NETWORK.lustre, f"{NETWORK.id}/subnets/lustre-2")):
            spec = LustreSpec.model_validate({"name": f"scratch-{number}"} | files)
            Lustre(spec.name, spec, group=GROUP, subnet=subnet, key=KEY, zone="eastus-1", source=bucket)

    graph = rehearse(program).graph
    roles = graph.of_type(ROLE)

    assert len(roles) == 2
    assert {each.inputs["principalId"] for each in roles} == {IMPORTER}
    assert len(graph.of_type(FILES)) == 2
    assert all({role.urn for role in roles} <= set(each.dependencies) for each in graph.of_type(FILES))


def test_pods_that_are_named_read_and_write_and_nobody_else() -> None:
    trainer, reader = replace(IDENTITY, principal="11111111-1111-1111-1111-111111111111"), IDENTITY
    spec = SPEC.model_copy(update={"readers": ("research/reader",), "writers": ("research/trainer",)})
    graph = built(spec, identities={"research/trainer": trainer, "research/reader": reader})
    grants = {each.inputs["principalId"]: each.inputs["roleDefinitionId"][-36:] for each in graph.of_type(ROLE)}

    assert grants == {
        reader.principal: "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
        trainer.principal: "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
    }
    assert not built().of_type(ROLE)


def test_strict_policies_have_nothing_to_object() -> None:
    rehearsal = rehearse(lambda: Bucket("ai-prod-datasets", SPEC, group=GROUP, network=NETWORK, key=KEY))

    assert violations(rehearsal, {"packs": ["strict"], "environment": "prod"}) == ()
