"""What the cluster promises: reached only by those it should be, encrypted, watched, and with nodes of little power."""

from __future__ import annotations

from datetime import datetime
from ipaddress import IPv4Network
from typing import Any

import pulumi
import pytest
from tests.gcphandles import KEY, NETWORK, PROJECT, key_for, project_with

from penstock.changes.diff import diff
from penstock.description.cluster import ClusterSpec
from penstock.gcp.components.cluster import Cluster
from penstock.gcp.components.handles import ClusterHandle
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

CLUSTER = "gcp:container/cluster:Cluster"
ACCOUNT = "gcp:serviceaccount/account:Account"
MEMBER = "gcp:projects/iAMMember:IAMMember"
ZONES = ("us-central1-a", "us-central1-b")
OFFICE = IPv4Network("203.0.113.0/24")


def make(spec: ClusterSpec | None = None, *, name: str = "main", **words: Any) -> ClusterHandle:
    described = spec or ClusterSpec(tags={"owner": "ml"})
    usual: dict[str, Any] = {
        "project": PROJECT,
        "key": KEY,
        "disk_key": KEY,
        "multi_networking": False,
        "drivers": (),
        "zones": ZONES,
    }
    return Cluster(name, described, network=NETWORK, **(usual | words)).handle


def built(spec: ClusterSpec | None = None, **words: Any) -> Graph:
    return rehearse(lambda: make(spec, **words)).graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return built()


def the_cluster(graph: Graph) -> Resource:
    (cluster,) = graph.of_type(CLUSTER)
    return cluster


def test_a_cluster_is_reached_from_a_laptop_by_name_with_iam_and_by_no_public_address(graph: Graph) -> None:
    inputs = the_cluster(graph).inputs
    handles: list[ClusterHandle] = []
    seen: list[str] = []

    def program() -> None:
        handles.append(make())
        pulumi.Output.from_input(handles[0].endpoint).apply(seen.append)

    rehearse(program)

    assert inputs["controlPlaneEndpointsConfig"]["dnsEndpointConfig"] == {
        "allowExternalTraffic": True,
        "enableK8sTokensViaDns": False,
        "enableK8sCertsViaDns": False,
    }
    assert inputs["privateClusterConfig"]["enablePrivateEndpoint"] is True
    assert inputs["masterAuthorizedNetworksConfig"]["cidrBlocks"] == []
    assert inputs["masterAuthorizedNetworksConfig"]["gcpPublicCidrsAccessEnabled"] is False
    assert seen[0].endswith(".gke.goog")
    assert handles[0].certificate_authority is None


def test_the_private_address_is_reached_from_other_regions_too(graph: Graph) -> None:
    assert the_cluster(graph).inputs["privateClusterConfig"]["masterGlobalAccessConfig"] == {"enabled": True}


def test_those_who_are_connected_privately_can_be_let_in_too() -> None:
    inputs = the_cluster(built(ClusterSpec(access="private"), allowed_cidrs=[IPv4Network("10.200.0.0/16")])).inputs

    assert inputs["masterAuthorizedNetworksConfig"]["cidrBlocks"] == [{"cidrBlock": "10.200.0.0/16"}]
    assert inputs["privateClusterConfig"]["enablePrivateEndpoint"] is True


def test_a_restricted_cluster_answers_the_internet_only_from_allowed_ranges() -> None:
    inputs = the_cluster(built(ClusterSpec(access="restricted"), allowed_cidrs=[OFFICE])).inputs

    assert inputs["privateClusterConfig"]["enablePrivateEndpoint"] is False
    assert inputs["masterAuthorizedNetworksConfig"]["cidrBlocks"] == [{"cidrBlock": str(OFFICE)}]


def test_a_private_cluster_opens_to_whoever_runs_pulumi_and_closes_again() -> None:
    first = built(ClusterSpec(access="private", deployer_cidrs=(OFFICE,)))
    then = built(ClusterSpec(access="private"))

    assert the_cluster(first).inputs["privateClusterConfig"]["enablePrivateEndpoint"] is False
    assert the_cluster(first).inputs["masterAuthorizedNetworksConfig"]["cidrBlocks"] == [{"cidrBlock": str(OFFICE)}]
    assert the_cluster(then).inputs["privateClusterConfig"]["enablePrivateEndpoint"] is True


@pytest.mark.parametrize("access", ["private", "restricted"])
def test_the_endpoint_that_knows_no_ranges_is_shut(access: str) -> None:
    graph = built(ClusterSpec.model_validate({"access": access}), allowed_cidrs=[OFFICE])

    assert (
        the_cluster(graph).inputs["controlPlaneEndpointsConfig"]["dnsEndpointConfig"]["allowExternalTraffic"] is False
    )


def test_secrets_are_encrypted_with_the_given_key_once_gke_may_use_it() -> None:
    graph = rehearse(lambda: make(key=key_for("container"))).graph
    (grant,) = graph.of_type("gcp:kms/cryptoKeyIAMMember:CryptoKeyIAMMember")
    cluster = the_cluster(graph)

    assert cluster.inputs["databaseEncryption"] == {"state": "ENCRYPTED", "keyName": KEY.id}
    assert grant.urn in cluster.dependencies


def test_the_disks_of_the_first_nodes_are_encrypted_once_compute_engine_may_use_the_key() -> None:
    graph = rehearse(lambda: make(disk_key=key_for("compute"))).graph
    (grant,) = graph.of_type("gcp:kms/cryptoKeyIAMMember:CryptoKeyIAMMember")
    cluster = the_cluster(graph)

    assert cluster.inputs["nodeConfig"]["bootDiskKmsKey"] == KEY.id
    assert grant.urn in cluster.dependencies


def test_the_cluster_waits_for_its_api() -> None:
    graph = rehearse(lambda: make(project=project_with("container"))).graph
    (api,) = graph.of_type("gcp:projects/service:Service")

    assert api.urn in the_cluster(graph).dependencies


def test_pods_get_addresses_and_policies_from_the_network_itself(graph: Graph) -> None:
    inputs = the_cluster(graph).inputs

    assert inputs["datapathProvider"] == "ADVANCED_DATAPATH"
    assert "networkPolicy" not in inputs
    assert inputs["ipAllocationPolicy"] == {
        "clusterSecondaryRangeName": NETWORK.pods_range,
        "servicesSecondaryRangeName": NETWORK.services_range,
    }


def test_idle_machines_do_not_stay_in_reserve(graph: Graph) -> None:
    assert the_cluster(graph).inputs["clusterAutoscaling"]["autoscalingProfile"] == "OPTIMIZE_UTILIZATION"


def test_pods_have_identities_of_their_own(graph: Graph) -> None:
    assert the_cluster(graph).inputs["workloadIdentityConfig"] == {"workloadPool": f"{PROJECT.id}.svc.id.goog"}


def test_only_images_that_the_project_admits_run_and_secrets_come_from_the_store(graph: Graph) -> None:
    inputs = the_cluster(graph).inputs

    assert inputs["binaryAuthorization"] == {"evaluationMode": "PROJECT_SINGLETON_POLICY_ENFORCE"}
    assert inputs["secretManagerConfig"]["enabled"] is True
    assert inputs["securityPostureConfig"]["mode"] == "BASIC"


def test_what_the_control_plane_and_the_gpus_do_is_recorded(graph: Graph) -> None:
    inputs = the_cluster(graph).inputs

    assert {"SYSTEM_COMPONENTS", "WORKLOADS", "APISERVER"} <= {*inputs["loggingConfig"]["enableComponents"]}
    assert "DCGM" in inputs["monitoringConfig"]["enableComponents"]
    assert inputs["monitoringConfig"]["managedPrometheus"]["enabled"] is True


def test_nodes_act_as_an_account_that_can_do_little(graph: Graph) -> None:
    (account,) = graph.of_type(ACCOUNT)
    roles = {one.inputs["role"] for one in graph.of_type(MEMBER) if one.inputs["member"] == account.outputs["member"]}

    assert roles == {
        "roles/container.defaultNodeServiceAccount",
        "roles/artifactregistry.reader",
        "roles/serviceusage.serviceUsageConsumer",
    }


def test_the_first_node_is_removed_and_never_has_the_default_account(graph: Graph) -> None:
    cluster = the_cluster(graph)
    (account,) = graph.of_type(ACCOUNT)

    assert cluster.inputs["removeDefaultNodePool"] is True
    assert cluster.inputs["initialNodeCount"] == 1
    assert cluster.inputs["nodeConfig"]["serviceAccount"] == account.outputs["email"]
    assert "nodeConfig" in cluster.options.ignore_changes


def test_nodes_wait_for_the_rights_of_their_account_and_for_image_streaming() -> None:
    handles: list[ClusterHandle] = []
    rehearse(lambda: handles.append(make(project=project_with("containerfilesystem"))))

    assert {resource.pulumi_resource_name for resource in handles[0].ready} == {
        "main-nodes-defaultNodeServiceAccount",
        "main-nodes-reader",
        "main-nodes-serviceUsageConsumer",
        "api",
    }


def test_the_account_of_nodes_has_a_name_that_google_accepts_however_long_the_clusters() -> None:
    name = "a-platform-with-a-rather-long-name-prod"
    (account,) = built(name=name).of_type(ACCOUNT)
    (other,) = built(name=f"{name[:-4]}test").of_type(ACCOUNT)

    assert len(account.outputs["accountId"]) <= 30
    assert account.name != other.name


def test_storage_gets_the_drivers_that_it_needs_and_no_others() -> None:
    addons = the_cluster(built(drivers=("bucket", "lustre"))).inputs["addonsConfig"]

    assert addons["gcsFuseCsiDriverConfig"]["enabled"] is True
    assert addons["lustreCsiDriverConfig"]["enabled"] is True
    assert addons["gcpFilestoreCsiDriverConfig"]["enabled"] is False


def test_further_interfaces_and_shielding_follow_the_machines() -> None:
    metal = the_cluster(built(multi_networking=True, shielded=False)).inputs

    assert metal["enableMultiNetworking"] is True
    assert metal["enableShieldedNodes"] is False
    assert metal["nodeConfig"]["shieldedInstanceConfig"]["enableSecureBoot"] is False


def test_nodes_are_shielded_unless_their_machines_cannot_be(graph: Graph) -> None:
    assert the_cluster(graph).inputs["enableShieldedNodes"] is True


def test_the_version_is_that_of_the_description_and_kept_up_by_a_channel() -> None:
    inputs = the_cluster(built(ClusterSpec(version="1.34"))).inputs

    assert inputs["minMasterVersion"] == "1.34"
    assert inputs["releaseChannel"] == {"channel": "REGULAR"}


def test_a_version_that_nobody_named_stays_where_it_is_when_penstock_knows_a_newer_one() -> None:
    unnamed, named = the_cluster(built()), the_cluster(built(ClusterSpec(version="1.35")))

    assert unnamed.inputs["minMasterVersion"]
    assert "minMasterVersion" in unnamed.options.ignore_changes
    assert "minMasterVersion" not in named.options.ignore_changes


@pytest.mark.parametrize(
    ("words", "accelerated", "by_hand"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"node_upgrades": "weekends"}, True, False),
        ({"node_upgrades": "by_hand"}, False, True),
    ],
)
def test_runs_on_accelerators_are_not_ended_by_an_upgrade(
    words: dict[str, str], accelerated: bool, by_hand: bool
) -> None:
    inputs = the_cluster(built(ClusterSpec.model_validate(words), accelerated=accelerated)).inputs
    exclusions = inputs["maintenancePolicy"]["maintenanceExclusions"]

    assert [one["exclusionOptions"] for one in exclusions] == [
        {"scope": "NO_MINOR_OR_NODE_UPGRADES", "endTimeBehavior": "UNTIL_END_OF_SUPPORT"}
    ] * by_hand


def test_upgrades_wait_for_the_weekend_and_google_has_the_time_that_it_demands(graph: Graph) -> None:
    window = the_cluster(graph).inputs["maintenancePolicy"]["recurringWindow"]
    start, end = (datetime.fromisoformat(window[key]) for key in ("startTime", "endTime"))
    hours = (end - start).total_seconds() / 3600

    assert window["recurrence"] == "FREQ=WEEKLY;BYDAY=SA,SU"
    assert start.weekday() == 5
    assert 8 * hours >= 48  # any 32 days have four Saturdays and four Sundays at least


def test_admins_can_find_the_cluster_and_one_more_leaves_the_others_alone() -> None:
    group, user = "group:ml-platform@example.com", "user:ada@example.com"

    before, after = built(ClusterSpec(admins=(group,))), built(ClusterSpec(admins=(user, group)))

    found = {one.urn: one.inputs["role"] for one in after.of_type(MEMBER) if one.inputs["member"] in (group, user)}
    assert set(found.values()) == {"roles/container.clusterViewer"}
    assert len(found) == 2
    assert {one.urn for one in before.of_type(MEMBER)} < {one.urn for one in after.of_type(MEMBER)}


def test_two_clusters_of_a_project_give_their_admins_rights_that_go_alone() -> None:
    admins = ("group:ml-platform@example.com",)
    conditions = [
        one.inputs["condition"]["expression"]
        for name in ("main", "other")
        for one in built(ClusterSpec(admins=admins), name=name).of_type(MEMBER)
        if one.inputs["member"] in admins
    ]

    assert len(set(conditions)) == 2
    assert all("/locations/us-central1/clusters/" in condition for condition in conditions)


def test_groups_are_looked_up_only_where_one_administers() -> None:
    with_group = the_cluster(built(ClusterSpec(admins=("group:ml-platform@example.com",)))).inputs
    without = the_cluster(built(ClusterSpec(admins=("user:ada@example.com",)))).inputs

    assert with_group["authenticatorGroupsConfig"] == {"securityGroup": "gke-security-groups@example.com"}
    assert "authenticatorGroupsConfig" not in without


def test_a_protected_cluster_refuses_to_be_deleted_by_pulumi_and_by_google() -> None:
    protected, free = the_cluster(built(ClusterSpec(protect=True))), the_cluster(built(ClusterSpec()))

    assert protected.options.protect
    assert protected.inputs["deletionProtection"] is True
    assert free.inputs["deletionProtection"] is False


def test_the_cluster_carries_the_labels_and_its_own_name(graph: Graph) -> None:
    inputs = the_cluster(graph).inputs

    assert inputs["name"] == "main"
    assert inputs["resourceLabels"] == {"owner": "ml"}
    assert inputs["nodeLocations"] == list(ZONES)


def test_multi_networking_stays_on_when_the_last_pool_that_uses_it_goes() -> None:
    wired, plain = built(multi_networking=True), built()

    assert [each.resource.type for each in diff(wired, plain)] == []
    assert [each.resource.type for each in diff(plain, wired)] == [CLUSTER]
