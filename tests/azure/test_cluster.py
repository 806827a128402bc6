"""What a cluster promises: people by Entra ID alone, a way in that comes and goes, and rights before use."""

from __future__ import annotations

from typing import Any

import pytest
from tests.azurehandles import GROUP, KEY, NETWORK, ZONES

from penstock.azure.components.cluster import Cluster
from penstock.azure.components.kubeconfig import kubeconfig
from penstock.description.cluster import ClusterSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.graph.graph import Graph
from penstock.testing import rehearse

CLUSTER = "azure-native:containerservice:ManagedCluster"
ROLE = "azure-native:authorization:RoleAssignment"
WINDOW = "azure-native:containerservice:MaintenanceConfiguration"
SYSTEM = NodePoolSpec.model_validate({"name": "system", "machine_type": "Standard_D4ds_v5", "nodes": 3})
ADMIN = "11111111-1111-1111-1111-111111111111"


RESERVATION = (
    "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/main/providers/"
    "Microsoft.Compute/capacityReservationGroups/system"
)


def built(
    *, system: NodePoolSpec = SYSTEM, accelerated: bool = False, allowed: tuple[Any, ...] = (), **fields: Any
) -> Graph:
    def program() -> None:
        import pulumi

        cluster = Cluster(
            "ai-prod",
            ClusterSpec.model_validate(fields),
            group=GROUP,
            network=NETWORK,
            key=KEY,
            disk_key=KEY,
            system=system,
            zones=ZONES,
            allowed_cidrs=allowed,
            accelerated=accelerated,
        )
        pulumi.export("kubeconfig", kubeconfig(cluster.handle))

    rehearsal = rehearse(program)
    assert rehearsal.findings == ()
    return rehearsal.graph


def inputs(graph: Graph) -> dict[str, Any]:
    (cluster,) = graph.of_type(CLUSTER)
    return dict(cluster.inputs)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return built(admins=[f"group:{ADMIN}"])


def test_people_come_in_by_entra_id_alone(graph: Graph) -> None:
    assert inputs(graph)["disableLocalAccounts"] is True
    assert inputs(graph)["aadProfile"]["enableAzureRBAC"] is True


def test_admins_and_whoever_creates_the_cluster_administer_it(graph: Graph) -> None:
    creator, admin = (each for each in graph.of_type(ROLE) if each.inputs["roleDefinitionId"].endswith("8693973ce19b"))
    (cluster,) = graph.of_type(CLUSTER)

    assert (admin.inputs["principalId"], admin.inputs["principalType"]) == (ADMIN, "Group")
    assert creator.inputs["principalType"] == "User"
    assert "principalId" in creator.options.ignore_changes
    assert cluster.urn not in creator.dependencies


def test_whoever_creates_the_cluster_may_be_an_admin_too(graph: Graph) -> None:
    creator, admin = (each for each in graph.of_type(ROLE) if each.inputs["roleDefinitionId"].endswith("8693973ce19b"))

    assert creator.inputs["scope"] == f"/subscriptions/{GROUP.subscription}/resourceGroups/main"
    assert admin.inputs["scope"] != creator.inputs["scope"]


@pytest.mark.parametrize(
    ("fields", "private", "ranges"),
    [
        ({}, True, None),
        ({"deployer_cidrs": ["203.0.113.0/24"]}, False, ["203.0.113.0/24"]),
        ({"access": "restricted"}, False, []),
    ],
)
def test_the_public_address_is_for_named_ranges_and_the_private_one_stays(
    fields: dict[str, Any], private: bool, ranges: list[str] | None
) -> None:
    profile = inputs(built(**fields))["apiServerAccessProfile"]

    assert profile["enableVnetIntegration"] is True
    assert profile["subnetId"] == NETWORK.api_server
    assert profile["enablePrivateCluster"] is private
    assert profile.get("authorizedIPRanges") == ranges


def test_the_cluster_has_its_rights_before_it_needs_them(graph: Graph) -> None:
    (cluster,) = graph.of_type(CLUSTER)
    rights = {graph[urn].name for urn in cluster.dependencies if graph[urn].type == ROLE}

    assert rights == {"ai-prod-network", "ai-prod-vault", "ai-prod-kubelet", "ai-prod-disks"}


def test_what_kubernetes_stores_and_what_disks_hold_is_under_the_keys(graph: Graph) -> None:
    kms = inputs(graph)["securityProfile"]["azureKeyVaultKms"]

    assert kms["keyId"] == KEY.version_id
    assert kms["keyVaultNetworkAccess"] == "Private"
    assert inputs(graph)["diskEncryptionSetID"] == KEY.disks


def test_one_pool_is_the_clusters_own(graph: Graph) -> None:
    (pool,) = inputs(graph)["agentPoolProfiles"]

    assert (pool["mode"], pool["count"], pool["availabilityZones"]) == ("System", 3, ["1", "2", "3"])
    assert pool["enableAutoScaling"] is False


def test_that_pool_has_the_bounds_the_zone_and_the_reservation_of_its_description() -> None:
    fields = {"nodes": {"min": 1, "max": 6}, "zone": "eastus-2", "capacity": "reserved", "reservation": RESERVATION}

    graph = built(system=NodePoolSpec.model_validate({**SYSTEM.model_dump(exclude_unset=True), **fields}))

    (cluster,) = graph.of_type(CLUSTER)
    (pool,) = inputs(graph)["agentPoolProfiles"]
    assert (pool["count"], pool["minCount"], pool["maxCount"], pool["enableAutoScaling"]) == (1, 1, 6, True)
    assert (pool["availabilityZones"], pool["capacityReservationGroupID"]) == (["2"], RESERVATION)
    assert "agentPoolProfiles[0].count" in cluster.options.ignore_changes


def test_pods_have_addresses_of_their_own(graph: Graph) -> None:
    network = inputs(graph)["networkProfile"]

    assert (network["networkPluginMode"], network["networkDataplane"]) == ("overlay", "cilium")
    assert network["podCidr"] == NETWORK.pods_cidr
    assert network["outboundType"] == "userAssignedNATGateway"


@pytest.mark.parametrize(
    ("accelerated", "upgrades", "channel"),
    [(False, None, "patch"), (True, None, "none"), (True, "weekends", "patch"), (False, "by_hand", "none")],
)
def test_upgrades_spare_training(accelerated: bool, upgrades: str | None, channel: str) -> None:
    profile = inputs(built(accelerated=accelerated, node_upgrades=upgrades))["autoUpgradeProfile"]

    assert profile["upgradeChannel"] == channel


def test_all_that_aks_does_by_itself_has_one_day_of_the_week(graph: Graph) -> None:
    schedules = {each.inputs["configName"]: each.inputs for each in graph.of_type(WINDOW)}
    releases = schedules.pop("default")

    assert releases["timeInWeek"] == [{"day": "Saturday", "hourSlots": [7, 8, 9, 10, 11, 12, 13, 14]}]
    assert "maintenanceWindow" not in releases
    assert {name: each["maintenanceWindow"]["schedule"]["weekly"]["dayOfWeek"] for name, each in schedules.items()} == {
        "aksManagedAutoUpgradeSchedule": "Saturday",
        "aksManagedNodeOSUpgradeSchedule": "Saturday",
    }
    assert not any("timeInWeek" in each for each in schedules.values())


@pytest.mark.parametrize(("version", "left"), [("1.33", False), (None, True)])
def test_a_version_that_nobody_named_is_left_where_it_is(version: str | None, left: bool) -> None:
    (cluster,) = built(version=version).of_type(CLUSTER)

    assert ("kubernetesVersion" in cluster.options.ignore_changes) is left


def test_a_preview_asks_no_cluster_that_is_not_there() -> None:
    def program() -> None:
        Cluster(
            "ai-prod", ClusterSpec(), group=GROUP, network=NETWORK, key=KEY, disk_key=KEY, system=SYSTEM, zones=ZONES
        )

    assert rehearse(program, preview=True).findings == ()
