"""Answers of a subscription of Azure, in the form of the REST references of its resource providers."""

from __future__ import annotations

import logging
import sys

import pytest
from tests.environments import rehearsed
from tests.graphs import graph_of, resource
from tests.preflight.asking import about, replies
from tests.preflight.azureserver import HERE, SUBSCRIPTION, AzureServer, denied
from tests.preflight.httpapi import Answer

from penstock.azure.preflight import AzureInquiry
from penstock.azure.preflight.subscription import open_subscription
from penstock.core.errors import CannotAsk
from penstock.graph.graph import Graph
from penstock.graph.view import Site
from penstock.preflight import Reply, Status

TRAIN = "azure-train"
COMPUTE = f"{HERE}/providers/Microsoft.Compute"
GROUP = "11111111-1111-1111-1111-111111111111"
H100 = "Standard_ND96isr_H100_v5"


def answers(azure: AzureServer, graph: Graph | None = None) -> dict[str, Reply]:
    graph = rehearsed(TRAIN).graph if graph is None else graph
    return dict(replies("azure", AzureInquiry(azure.subscription(), Site(graph)), graph))


def usage(name: str, used: int, limit: int) -> Answer:
    """Compute REST API, Usage List."""
    one = {"unit": "Count", "currentValue": used, "limit": limit, "name": {"value": name, "localizedValue": name}}
    return {"value": [one]}


def sku(zones: list[str], *restrictions: Answer) -> Answer:
    """Compute REST API, Resource Skus List."""
    info = [{"location": "eastus", "zones": zones}]
    machine = {"resourceType": "virtualMachines", "name": H100, "locationInfo": info, "restrictions": restrictions}
    return {"value": [{"resourceType": "disks", "name": H100}, machine]}


@pytest.mark.slow
@pytest.mark.parametrize("stack", [TRAIN, "azure-rack", "azure-serve", "azure-legacy"])
def test_every_precondition_of_a_rehearsal_is_answered(azure: AzureServer, stack: str) -> None:
    found = answers(azure, rehearsed(stack).graph)

    assert {each.what for each in rehearsed(stack).preconditions} <= set(found)


def test_only_reads_are_sent(azure: AzureServer) -> None:
    answers(azure)

    assert len(azure.requests) > 8
    assert {each.method for each in azure.requests} == {"GET"}


@pytest.mark.parametrize(
    ("used", "limit", "status"), [(0, 1536, Status.MET), (96, 1600, Status.NOT_MET), (0, 96, Status.NOT_MET)]
)
def test_a_quota_counts_what_is_in_use(azure: AzureServer, used: int, limit: int, status: Status) -> None:
    azure.answers[f"{COMPUTE}/locations/eastus/usages"] = usage("standardNDSH100v5Family", used, limit)

    assert about(answers(azure), "standardNDSH100v5Family").status is status


def test_resource_providers_that_are_not_registered_are_named_with_their_commands(azure: AzureServer) -> None:
    what = "Resource providers"
    names = next(each.what for each in rehearsed(TRAIN).preconditions if what in each.what)
    registered = [
        {"namespace": name.strip(",").lower(), "registrationState": "Registered"}
        for name in names.split()
        if name.startswith("Microsoft.")
    ]
    azure.answers[f"{HERE}/providers"] = {"value": registered}
    assert about(answers(azure), what).status is Status.MET

    registered[0]["registrationState"] = "NotRegistered"
    reply = about(answers(azure), what)

    assert reply.status is Status.NOT_MET
    assert reply.fix == "az provider register --namespace Microsoft.Compute"


@pytest.mark.parametrize(
    ("state", "ordinary", "rack"),
    [("Registered", Status.MET, Status.NOT_MET), ("NotRegistered", Status.NOT_MET, Status.MET)],
)
def test_a_feature_is_registered_or_is_not_as_it_should_be(
    azure: AzureServer, state: str, ordinary: Status, rack: Status
) -> None:
    path = f"{HERE}/providers/Microsoft.Features/providers/Microsoft.ContainerService/features/AKSInfinibandSupport"
    azure.answers[path] = {"properties": {"state": state}}

    assert about(answers(azure), "AKSInfinibandSupport registered").status is ordinary
    assert about(answers(azure, rehearsed("azure-rack").graph), "AKSInfinibandSupport not registered").status is rack


@pytest.mark.parametrize(
    ("roles", "status"),
    [
        ([{"actions": ["*"], "notActions": []}], Status.MET),
        ([{"actions": ["*"], "notActions": ["Microsoft.Authorization/*/Write"]}], Status.NOT_MET),
        (
            [
                {"actions": ["*"], "notActions": ["Microsoft.Authorization/*/Write"]},
                {"actions": ["microsoft.authorization/roleAssignments/*"], "notActions": []},
            ],
            Status.MET,
        ),
        ([{"actions": ["*/read"], "notActions": []}], Status.NOT_MET),
        ([], Status.NOT_MET),
    ],
)
def test_roles_add_up_and_exclude_within_themselves_only(
    azure: AzureServer, roles: list[dict[str, list[str]]], status: Status
) -> None:
    azure.answers[f"{HERE}/providers/Microsoft.Authorization/permissions"] = {"value": roles}

    assert about(answers(azure), "actions on the subscription").status is status


@pytest.mark.parametrize(
    ("offer", "status", "shown"),
    [
        (sku(["1", "2"]), Status.MET, "1, 2"),
        (sku(["2"]), Status.NOT_MET, "zones 2"),
        (sku(["1"], {"type": "Zone", "restrictionInfo": {"zones": ["1"]}}), Status.NOT_MET, "in none"),
        (
            sku(["1"], {"type": "Location", "values": ["eastus"], "reasonCode": "NotAvailableForSubscription"}),
            Status.NOT_MET,
            "NotAvailableForSubscription",
        ),
        ({"value": []}, Status.NOT_MET, "does not have it"),
    ],
)
def test_a_size_is_offered_in_the_zone_and_to_the_subscription(
    azure: AzureServer, offer: Answer, status: Status, shown: str
) -> None:
    pool = {"name": "train", "vmSize": H100, "count": 2, "availabilityZones": ["1"]}
    cluster = {"location": "eastus", "agentPoolProfiles": [pool]}
    graph = graph_of(resource("azure-native:containerservice:ManagedCluster", "main", inputs=cluster))
    azure.answers[f"{COMPUTE}/skus"] = offer

    reply = about(answers(azure, graph), f"{H100} offered")

    assert (reply.status, shown in reply.found) == (status, True), reply.found


def test_pages_of_a_list_are_read_to_their_end(azure: AzureServer) -> None:
    path = f"{HERE}/providers/Microsoft.Network/virtualNetworks"
    azure.answers[path] = {"value": [], "nextLink": f"{azure.url}/more"}
    networks = [{"name": "hub", "properties": {"addressSpace": {"addressPrefixes": ["10.0.0.0/8"]}}}]
    azure.answers["more"] = {"value": networks}

    reply = about(answers(azure), "Range 10.40.0.0/16")

    assert reply.status is Status.NOT_MET
    assert "hub (10.0.0.0/8)" in reply.found


@pytest.mark.parametrize(
    ("answer", "status", "shown"),
    [
        ({"@odata.type": "#microsoft.graph.group", "displayName": "ml"}, Status.MET, "group ml"),
        (denied("read"), Status.NOT_ASKED, "Directory"),
        (None, Status.NOT_MET, "none"),
    ],
)
def test_a_principal_is_read_from_the_directory(
    azure: AzureServer, answer: Answer | tuple[int, Answer] | None, status: Status, shown: str
) -> None:
    if answer is not None:
        azure.answers[f"v1.0/directoryObjects/{GROUP}"] = answer

    reply = about(answers(azure), GROUP)

    assert reply.status is status
    assert shown in reply.found


@pytest.mark.parametrize(("capacity", "status"), [(4, Status.MET), (3, Status.NOT_MET)])
def test_a_reservation_is_large_enough(azure: AzureServer, capacity: int, status: Status) -> None:
    group = f"/{HERE}/resourceGroups/held/providers/Microsoft.Compute/capacityReservationGroups/train"
    pool = {"vmSize": H100, "count": 4, "capacityReservationGroupID": group}
    graph = graph_of(resource("azure-native:containerservice:AgentPool", "train", inputs=pool))
    azure.answers[group.strip("/")] = {"name": "train", "properties": {}}
    held = {"sku": {"name": H100, "capacity": capacity}, "properties": {"virtualMachinesAssociated": []}}
    azure.answers[f"{group.strip('/')}/capacityReservations"] = {"value": [held]}

    reply = about(answers(azure, graph), "Capacity reservation group train")

    assert reply.status is status, reply.found
    assert f"{capacity} of them free" in reply.found


@pytest.mark.parametrize(("state", "status"), [("Enabled", Status.MET), ("Disabled", Status.NOT_MET)])
def test_the_subscription_is_enabled(azure: AzureServer, state: str, status: Status) -> None:
    azure.answers[HERE] = {"displayName": "Training", "state": state}

    assert about(answers(azure), f"Azure subscription {SUBSCRIPTION}").status is status


@pytest.mark.parametrize(("version", "status"), [("1.35", Status.MET), ("1.34", Status.NOT_MET)])
def test_a_version_is_one_that_aks_offers(azure: AzureServer, version: str, status: Status) -> None:
    path = f"{HERE}/providers/Microsoft.ContainerService/locations/eastus/kubernetesVersions"
    plans = {"supportPlan": ["KubernetesOfficial"]}
    azure.answers[path] = {"values": [{"version": version, "capabilities": plans, "patchVersions": {}}]}

    assert about(answers(azure), "Kubernetes 1.35").status is status


def test_a_deleted_vault_keeps_its_name(azure: AzureServer) -> None:
    graph = graph_of(resource("azure-native:keyvault:Vault", "v", inputs={"vaultName": "mine"}))
    path = f"{HERE}/providers/Microsoft.KeyVault/deletedVaults"
    azure.answers[path] = {"value": []}
    assert about(answers(azure, graph), "Name mine").status is Status.MET

    azure.answers[path] = {"value": [{"name": "Mine"}]}

    assert about(answers(azure, graph), "Name mine").status is Status.NOT_MET


def test_a_missing_permission_is_named(azure: AzureServer) -> None:
    azure.answers[f"{COMPUTE}/locations/eastus/usages"] = denied("Microsoft.Compute/locations/usages/read")

    reply = about(answers(azure), "standardNDSH100v5Family")

    assert reply.status is Status.NOT_ASKED
    assert "Microsoft.Compute/locations/usages/read" in reply.fix


def test_without_a_subscription_the_key_is_told() -> None:
    with pytest.raises(CannotAsk, match=r"cloud\.account"):
        open_subscription("", "public")


def test_without_the_sdk_the_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "azure.identity", None)

    with pytest.raises(CannotAsk, match=r"penstock-iac\[preflight-azure\]"):
        open_subscription(SUBSCRIPTION, "public")


def test_without_credentials_the_sdk_says_nothing_beside_the_sentence(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    identity, exceptions = pytest.importorskip("azure.identity"), pytest.importorskip("azure.core.exceptions")

    class NoCredential:
        def get_token(self, *_: str) -> None:
            logging.getLogger("azure.identity._credentials.chained").warning("DefaultAzureCredential failed\n\tby all")
            raise exceptions.ClientAuthenticationError

    monkeypatch.setattr(identity, "DefaultAzureCredential", NoCredential)

    with pytest.raises(CannotAsk, match=r"Azure accepts no credentials here\. Log in"):
        open_subscription(SUBSCRIPTION, "public")
    assert caplog.text == ""
