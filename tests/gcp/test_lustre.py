"""What a Lustre file system promises: in the zone of its pools, encrypted, grown and never shrunk, fed on command."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.gcphandles import KEY, NETWORK, PROJECT, key_for, network_with_peering, project_with

from penstock.description.storage import LustreSpec
from penstock.gcp.components.handles import BucketHandle, NetworkHandle
from penstock.gcp.components.lustre import Lustre
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

INSTANCE = "gcp:lustre/instance:Instance"
FIREWALL = "gcp:compute/firewall:Firewall"
RIGHTS = "gcp:storage/bucketIAMMember:BucketIAMMember"

PLAIN = LustreSpec(name="scratch", capacity_tib=18, throughput_mbps_per_tib=500, tags={"owner": "ml"})
DYNAMIC = PLAIN.model_copy(update={"capacity_tib": 472, "throughput_mbps_per_tib": 25})
DATASETS = BucketHandle(name="datasets-4f2a")


def built(spec: LustreSpec = PLAIN, *, network: NetworkHandle = NETWORK, source: BucketHandle | None = None) -> Graph:
    def program() -> None:
        Lustre("scratch", spec, network=network, project=PROJECT, zone="us-central1-b", key=KEY, source=source)

    return rehearse(program).graph


def instance(graph: Graph) -> Resource:
    (resource,) = graph.of_type(INSTANCE)
    return resource


def component(graph: Graph) -> Resource:
    (resource,) = graph.of_type("penstock:gcp:Lustre")
    return resource


def test_capacity_is_reported_in_the_units_of_google() -> None:
    inputs = instance(built()).inputs

    assert (inputs["capacityGib"], inputs["perUnitStorageThroughput"]) == ("18000", "500")
    assert "dynamicTierOptions" not in inputs


def test_the_dynamic_tier_takes_no_throughput() -> None:
    inputs = instance(built(DYNAMIC)).inputs

    assert inputs["dynamicTierOptions"] == {"mode": "DEFAULT_CACHE"}
    assert "perUnitStorageThroughput" not in inputs


def test_it_stands_in_the_zone_of_its_pools_and_in_the_network_of_its_clients() -> None:
    inputs = instance(built()).inputs

    assert (inputs["location"], inputs["network"]) == ("us-central1-b", NETWORK.id)


def test_root_is_nobody_but_on_nodes() -> None:
    options = instance(built()).inputs["accessRulesOptions"]
    (rule,) = options["accessRules"]

    assert options["defaultSquashMode"] == "ROOT_SQUASH"
    assert (options["defaultSquashUid"], options["defaultSquashGid"]) == (65534, 65534)
    assert (rule["ipAddressRanges"], rule["squashMode"]) == ([NETWORK.nodes_cidr], "NO_SQUASH")
    assert len(rule["name"]) <= 16


def test_its_servers_may_call_its_clients_back_by_one_port() -> None:
    network = replace(NETWORK, private_services_cidr="10.0.64.0/20")

    (rule,) = built(network=network).of_type(FIREWALL)

    assert rule.inputs["direction"] == "INGRESS"
    assert rule.inputs["sourceRanges"] == ["10.0.64.0/20"]
    assert rule.inputs["allows"] == [{"protocol": "tcp", "ports": ["988"]}]


def test_a_network_of_others_gets_no_rule() -> None:
    assert not built().of_type(FIREWALL)


def test_clients_mount_it_by_a_name_that_google_accepts() -> None:
    name = instance(built()).inputs["filesystem"]

    assert name.isalnum()
    assert len(name) <= 8
    assert component(built()).outputs["filesystem"] == name


@pytest.mark.parametrize("protect", [True, False])
def test_it_is_encrypted_labelled_and_protected_as_asked(protect: bool) -> None:
    resource = instance(built(PLAIN.model_copy(update={"protect": protect})))

    assert resource.inputs["kmsKey"] == KEY.id
    assert resource.inputs["labels"] == {"owner": "ml"}
    assert resource.options.protect is protect


def test_the_slowest_creation_that_was_seen_is_waited_for() -> None:
    timeouts = instance(built()).options.timeouts

    assert (timeouts.create, timeouts.update, timeouts.delete) == ("120m", "120m", "120m")


def test_it_waits_for_its_api_its_peering_and_its_right_to_the_key_and_for_nothing_else() -> None:
    def program() -> None:
        network, project, key = network_with_peering(), project_with("lustre"), key_for("lustre")
        Lustre("scratch", PLAIN, network=network, project=project, zone="us-central1-b", key=key)

    graph = rehearse(program).graph
    waited = {graph[urn].name for urn in instance(graph).dependencies if graph[urn].custom}

    assert waited == {"api", "peering", "grant"}


def test_lustre_may_read_its_bucket_and_nothing_more() -> None:
    rights = built(source=DATASETS).of_type(RIGHTS)

    assert {right.inputs["bucket"] for right in rights} == {DATASETS.name}
    assert {right.inputs["role"] for right in rights} == {
        "roles/storage.objectViewer",
        "roles/storage.legacyBucketReader",
    }
    assert {right.inputs["member"] for right in rights} == {
        "serviceAccount:service-123456789012@gcp-sa-lustre.iam.gserviceaccount.com"
    }


def test_the_command_that_fills_it_is_complete() -> None:
    command = component(built(source=DATASETS)).outputs["import_command"]

    assert command.startswith("gcloud lustre instances import-data scratch ")
    assert {"--project=my-ai-project", "--location=us-central1-b", "--gcs-path-uri=gs://datasets-4f2a/"} <= set(
        command.split()
    )


def test_without_a_bucket_there_is_nothing_to_import() -> None:
    graph = built()

    assert not graph.of_type(RIGHTS)
    assert "import_command" not in component(graph).outputs


def test_the_cloud_has_nothing_to_object() -> None:
    def program() -> None:
        network, key = network_with_peering(), key_for("lustre")
        Lustre("scratch", PLAIN, network=network, project=PROJECT, zone="us-central1-b", key=key, source=DATASETS)

    assert rehearse(program).findings == ()
