"""What a database promises: private, encrypted, doubled, and without a password that anyone has seen."""

from __future__ import annotations

import pytest
from tests.gcphandles import KEY, NETWORK, PROJECT, key_for, network_with_peering, project_with

from penstock.description.storage import DatabaseSpec
from penstock.gcp.components.database import Database
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

SPEC = DatabaseSpec(name="tracking", capacity_tib=0.5, retention_days=21, protect=True, tags={"owner": "ml"})


def server(spec: DatabaseSpec = SPEC) -> Resource:
    return only(rehearse(lambda: Database("tracking", spec, network=NETWORK, project=PROJECT, key=KEY)).graph)


def only(graph: Graph) -> Resource:
    (resource,) = graph.of_type("gcp:sql/databaseInstance:DatabaseInstance")
    return resource


def test_nobody_has_a_password_and_users_sign_in_with_iam() -> None:
    inputs = server().inputs

    assert not {"rootPassword", "rootPasswordWo"} & set(inputs)
    assert {"name": "cloudsql.iam_authentication", "value": "on"} in inputs["settings"]["databaseFlags"]


def test_only_the_network_reaches_it_and_only_over_tls() -> None:
    place = server().inputs["settings"]["ipConfiguration"]

    assert place == {"ipv4Enabled": False, "privateNetwork": NETWORK.id, "sslMode": "ENCRYPTED_ONLY"}


def test_it_survives_the_loss_of_a_zone() -> None:
    settings = server().inputs["settings"]

    assert settings["availabilityType"] == "REGIONAL"
    # What Google asks of a server with a standby.
    assert settings["backupConfiguration"]["enabled"] is True
    assert settings["backupConfiguration"]["pointInTimeRecoveryEnabled"] is True


def test_its_edition_sells_its_machine() -> None:
    settings = server().inputs["settings"]

    assert settings["edition"] == "ENTERPRISE"
    assert settings["tier"].startswith("db-custom-")


@pytest.mark.parametrize(("days", "of_logs"), [(21, 7), (3, 3)])
def test_backups_are_kept_as_long_as_asked_and_logs_as_long_as_google_keeps_them(days: int, of_logs: int) -> None:
    backups = server(SPEC.model_copy(update={"retention_days": days})).inputs["settings"]["backupConfiguration"]

    assert backups["backupRetentionSettings"] == {"retainedBackups": days, "retentionUnit": "COUNT"}
    assert backups["transactionLogRetentionDays"] == of_logs
    assert backups["location"] == "us-central1"


def test_its_disk_has_the_size_that_was_asked_for_and_keeps_it() -> None:
    settings = server(SPEC.model_copy(update={"capacity_tib": 0.1})).inputs["settings"]

    assert (settings["diskSize"], settings["diskAutoresize"]) == (103, False)


def test_it_is_encrypted_and_labelled() -> None:
    inputs = server().inputs

    assert inputs["encryptionKeyName"] == KEY.id
    assert inputs["settings"]["userLabels"] == {"owner": "ml"}


def test_protected_data_outlives_the_server() -> None:
    resource = server()

    assert resource.options.protect
    assert resource.inputs["deletionProtection"] is True
    assert resource.inputs["settings"]["deletionProtectionEnabled"] is True
    assert resource.inputs["settings"]["finalBackupConfig"] == {"enabled": True}


@pytest.mark.parametrize("protect", [False, None])
def test_unprotected_data_can_be_deleted(protect: bool | None) -> None:
    resource = server(SPEC.model_copy(update={"protect": protect}))

    assert not resource.options.protect
    assert resource.inputs["deletionProtection"] is False


def test_it_waits_for_its_api_its_peering_and_its_right_to_the_key_and_for_nothing_else() -> None:
    def program() -> None:
        network, project, key = network_with_peering(), project_with("sqladmin"), key_for("sqladmin")
        Database("tracking", SPEC, network=network, project=project, key=key)

    graph = rehearse(program).graph
    waited = {graph[urn].name for urn in only(graph).dependencies if graph[urn].custom}

    assert waited == {"api", "peering", "grant"}


def test_the_cloud_has_nothing_to_object() -> None:
    def program() -> None:
        Database("tracking", SPEC, network=network_with_peering(), project=PROJECT, key=key_for("sqladmin"))

    assert rehearse(program).findings == ()
