"""What file systems, databases and the identities of pods promise on Azure."""

from __future__ import annotations

from typing import Any

import pytest
from tests.azurehandles import CLUSTER, GROUP, KEY, NETWORK

from penstock.azure.components.database import Database
from penstock.azure.components.handles import BucketHandle
from penstock.azure.components.lustre import Lustre
from penstock.azure.components.shared_files import SharedFiles
from penstock.azure.components.workload_identity import WorkloadIdentity
from penstock.description.block import ComponentSpec
from penstock.description.storage import DatabaseSpec, LustreSpec, SharedFilesSpec
from penstock.graph.graph import Graph
from penstock.testing import rehearse

FILES = "azure-native:storagecache:AmlFilesystem"
SHARE = "azure-native:storage:FileShare"
ACCOUNT = "azure-native:storage:StorageAccount"
SERVER = "azure-native:dbforpostgresql:Server"
ROLE = "azure-native:authorization:RoleAssignment"
IMPORTER = "11111111-1111-1111-1111-111111111111"
SOURCE = BucketHandle(account=NETWORK.id, container=f"{NETWORK.id}/data", logging=f"{NETWORK.id}/logging")


def lustre(container: BucketHandle | None = None, zone: str | None = "eastus-2", **fields: Any) -> Graph:
    spec = LustreSpec.model_validate(
        {"name": "scratch", "capacity_tib": 16.0, "throughput_mbps_per_tib": 250, "protect": True} | fields
    )
    rehearsal = rehearse(
        lambda: Lustre("scratch", spec, group=GROUP, subnet=NETWORK.lustre[0], key=KEY, zone=zone, source=container)
    )
    assert rehearsal.findings == ()
    return rehearsal.graph


def test_a_parallel_file_system_has_its_tier_its_zone_and_the_key() -> None:
    (files,) = lustre().of_type(FILES)

    assert files.inputs["sku"] == {"name": "AMLFS-Durable-Premium-250"}
    assert files.inputs["storageCapacityTiB"] == 16
    assert files.inputs["zones"] == ["2"]
    assert files.inputs["encryptionSettings"]["keyEncryptionKey"]["keyUrl"] == KEY.version_id
    assert files.options.protect
    assert "hsm" not in files.inputs
    assert "zones" not in lustre(zone=None).of_type(FILES)[0].inputs


def test_a_file_system_imports_from_its_source() -> None:
    (files,) = lustre(SOURCE, source="datasets", importer=IMPORTER).of_type(FILES)

    assert files.inputs["hsm"]["settings"] == {"container": SOURCE.container, "loggingContainer": SOURCE.logging}


@pytest.mark.parametrize(("capacity", "gib", "left"), [(None, 100, True), (2.0, 2048, False)])
def test_shared_files_are_as_large_as_described_or_as_people_made_them(
    capacity: float | None, gib: int, left: bool
) -> None:
    spec = SharedFilesSpec(name="home", capacity_tib=capacity, protect=True)
    rehearsal = rehearse(lambda: SharedFiles("home", spec, group=GROUP, network=NETWORK, key=KEY))
    (share,) = rehearsal.graph.of_type(SHARE)

    assert rehearsal.findings == ()
    assert share.inputs["shareQuota"] == gib
    assert ("shareQuota" in share.options.ignore_changes) is left
    (account,) = rehearsal.graph.of_type(ACCOUNT)
    assert account.inputs["kind"] == "FileStorage"
    assert account.inputs["publicNetworkAccess"] == "Disabled"


@pytest.mark.parametrize(("capacity", "disk"), [(0.02, 32), (0.1, 128), (1.0, 1024)])
def test_a_database_is_private_and_has_no_password(capacity: float, disk: int) -> None:
    spec = DatabaseSpec(name="tracking", capacity_tib=capacity)
    rehearsal = rehearse(lambda: Database("tracking", spec, group=GROUP, network=NETWORK, key=KEY))
    (server,) = rehearsal.graph.of_type(SERVER)

    assert rehearsal.findings == ()
    assert server.inputs["storage"]["storageSizeGB"] == disk
    assert server.inputs["authConfig"]["passwordAuth"] == "Disabled"
    assert "administratorLoginPassword" not in server.inputs
    assert server.inputs["network"] == {"publicNetworkAccess": "Disabled"}
    assert server.inputs["highAvailability"] == {"mode": "ZoneRedundant"}
    assert server.inputs["dataEncryption"]["primaryKeyURI"] == KEY.id


def test_pods_of_one_service_account_are_an_identity_of_azure() -> None:
    graph = rehearse(
        lambda: WorkloadIdentity("trainer", ComponentSpec(), account="research/trainer", cluster=CLUSTER, group=GROUP)
    ).graph
    (credential,) = graph.of_type("azure-native:managedidentity:FederatedIdentityCredential")

    assert credential.inputs["subject"] == "system:serviceaccount:research:trainer"
    assert credential.inputs["issuer"] == CLUSTER.issuer
    assert credential.inputs["audiences"] == ["api://AzureADTokenExchange"]
