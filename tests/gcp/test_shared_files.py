"""What shared files promise: in every zone, private, encrypted, and as large as a person has made them."""

from __future__ import annotations

import re

import pulumi
import pytest
from tests.gcphandles import KEY, NETWORK, PROJECT, key_for, network_with_peering, project_with

from penstock.description.storage import SharedFilesSpec
from penstock.gcp.components.handles import VolumeHandle
from penstock.gcp.components.shared_files import SharedFiles
from penstock.gcp.facts import filestore
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

ZONE = "us-central1-a"
SPEC = SharedFilesSpec(name="home", protect=True, tags={"owner": "ml"})


def instance(spec: SharedFilesSpec = SPEC) -> Resource:
    graph = rehearse(lambda: SharedFiles("home", spec, network=NETWORK, project=PROJECT, key=KEY, zone=ZONE)).graph
    return only(graph)


def only(graph: Graph) -> Resource:
    (resource,) = graph.of_type("gcp:filestore/instance:Instance")
    return resource


def test_pods_in_every_zone_have_them_while_one_is_down() -> None:
    inputs = instance().inputs

    assert (inputs["tier"], inputs["location"]) == ("REGIONAL", "us-central1")


def test_they_are_of_a_size_that_their_tier_is_sold_in() -> None:
    inputs = instance().inputs
    tier = filestore.find_tier(inputs["tier"])

    assert inputs["fileShares"]["capacityGb"] == tier.minimum_gib


def test_what_a_person_enlarged_stays_large_unless_the_description_has_a_size() -> None:
    sized = instance(SPEC.model_copy(update={"capacity_tib": 2.5}))

    assert "fileShares.capacityGb" in instance().options.ignore_changes
    assert not sized.options.ignore_changes
    assert sized.inputs["fileShares"]["capacityGb"] == 2560


def test_one_zone_is_a_choice() -> None:
    zonal = instance(SPEC.model_copy(update={"tier": "zonal"}))

    assert (zonal.inputs["tier"], zonal.inputs["location"]) == ("ZONAL", ZONE)
    assert zonal.inputs["fileShares"]["capacityGb"] == filestore.find_tier("ZONAL").minimum_gib


def test_pods_mount_them_by_gkes_own_driver() -> None:
    volumes: list[VolumeHandle] = []
    seen: list[str] = []

    def program() -> None:
        volumes.append(SharedFiles("home", SPEC, network=NETWORK, project=PROJECT, key=KEY, zone=ZONE).volume)
        pulumi.Output.from_input(volumes[0].handle).apply(seen.append)

    rehearse(program)

    assert volumes[0].driver == "filestore.csi.storage.gke.io"
    assert re.fullmatch(r"modeInstance/us-central1/home-[0-9a-f]+/shared", seen[0])
    assert set(volumes[0].attributes) == {"ip", "volume"}


def test_they_have_an_address_inside_the_network_only() -> None:
    (network,) = instance().inputs["networks"]

    assert (network["network"], network["connectMode"]) == (NETWORK.id, "PRIVATE_SERVICE_ACCESS")


def test_nodes_alone_may_mount_them_and_root_of_a_pod_can_write() -> None:
    (export,) = instance().inputs["fileShares"]["nfsExportOptions"]

    assert export == {"ipRanges": [NETWORK.nodes_cidr], "accessMode": "READ_WRITE", "squashMode": "NO_ROOT_SQUASH"}


@pytest.mark.parametrize("protect", [True, False])
def test_they_are_encrypted_labelled_and_protected_as_asked(protect: bool) -> None:
    resource = instance(SPEC.model_copy(update={"protect": protect}))

    assert resource.inputs["kmsKeyName"] == KEY.id
    assert resource.inputs["labels"] == {"owner": "ml"}
    assert resource.inputs["deletionProtectionEnabled"] is protect
    assert resource.options.protect is protect


def test_they_wait_for_their_api_their_peering_and_their_right_to_the_key_and_for_nothing_else() -> None:
    def program() -> None:
        SharedFiles(
            "home", SPEC, network=network_with_peering(), project=project_with("file"), key=key_for("file"), zone=ZONE
        )

    graph = rehearse(program).graph
    waited = {graph[urn].name for urn in only(graph).dependencies if graph[urn].custom}

    assert waited == {"api", "peering", "grant"}


def test_the_cloud_has_nothing_to_object() -> None:
    def program() -> None:
        SharedFiles("home", SPEC, network=network_with_peering(), project=PROJECT, key=key_for("file"), zone=ZONE)

    assert rehearse(program).findings == ()
