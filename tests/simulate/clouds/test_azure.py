"""Simulated Azure answers with paths of Azure Resource Manager, and with addresses that follow from names."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest

from penstock.catalog import tables
from penstock.simulate import sdk_types
from penstock.simulate.clouds import CreateRequest, CreateResponse, simulated

GROUP = "/subscriptions/[0-9a-f-]{36}/resourceGroups/rg/providers"


def made(short: str, *, id_: str = "", **inputs: Any) -> CreateResponse:
    import_module(f"pulumi_azure_native.{short.partition(':')[0]}")
    request = CreateRequest(f"urn:{short}", f"azure-native:{short}", "mine", inputs, {}, id=id_)
    return simulated("azure-native").create(request)


@pytest.mark.parametrize(
    ("short", "inputs", "id_"),
    [
        ("resources:ResourceGroup", {"resourceGroupName": "rg"}, "/subscriptions/[0-9a-f-]{36}/resourceGroups/rg"),
        ("storage:StorageAccount", {"accountName": "a"}, f"{GROUP}/Microsoft.Storage/storageAccounts/a"),
        (
            "storage:BlobContainer",
            {"accountName": "a", "containerName": "c"},
            f"{GROUP}/Microsoft.Storage/storageAccounts/a/blobServices/default/containers/c",
        ),
        ("network:VirtualNetwork", {"virtualNetworkName": "v"}, f"{GROUP}/Microsoft.Network/virtualNetworks/v"),
        (
            "network:Subnet",
            {"virtualNetworkName": "v", "subnetName": "s"},
            f"{GROUP}/Microsoft.Network/virtualNetworks/v/subnets/s",
        ),
        ("network:NetworkInterface", {"networkInterfaceName": "n"}, f"{GROUP}/Microsoft.Network/networkInterfaces/n"),
        (
            "containerservice:ManagedCluster",
            {"resourceName": "k"},
            f"{GROUP}/Microsoft.ContainerService/managedClusters/k",
        ),
        ("containerregistry:Registry", {"registryName": "r"}, f"{GROUP}/Microsoft.ContainerRegistry/registries/r"),
        ("keyvault:Vault", {"vaultName": "v"}, f"{GROUP}/Microsoft.KeyVault/vaults/v"),
        (
            "sql:Database",
            {"serverName": "s", "databaseName": "d"},
            f"{GROUP}/Microsoft.Sql/servers/s/databases/d",
        ),
        ("web:WebApp", {"name": "w"}, f"{GROUP}/Microsoft.Web/sites/w"),
        (
            "authorization:RoleAssignment",
            {"scope": "/subscriptions/x", "roleAssignmentName": "g"},
            "/subscriptions/x/providers/Microsoft.Authorization/roleAssignments/g",
        ),
        ("compute:Disk", {"diskName": "d"}, f"{GROUP}/Microsoft.Compute/disks/d"),
    ],
)
def test_an_id_is_the_path_of_azure(short: str, inputs: dict[str, Any], id_: str) -> None:
    assert re.fullmatch(id_, made(short, **{"resourceGroupName": "rg"} | inputs).id)


@pytest.mark.parametrize(
    ("short", "inputs", "output", "form"),
    [
        (
            "storage:StorageAccount",
            {"accountName": "a"},
            "primaryEndpoints",
            r".*'https://a\.blob\.core\.windows\.net/'.*",
        ),
        ("containerregistry:Registry", {"registryName": "R"}, "loginServer", r"r\.azurecr\.io"),
        (
            "containerservice:ManagedCluster",
            {"dnsPrefix": "k", "location": "West Europe"},
            "fqdn",
            r"k-\w{8}\.hcp\.westeurope\.azmk8s\.io",
        ),
        (
            "keyvault:Vault",
            {"vaultName": "v", "properties": {"sku": 1}},
            "properties",
            r".*'sku': 1.*https://v\.vault\.azure\.net/.*",
        ),
        ("network:VirtualNetwork", {}, "type", "Microsoft.Network/virtualNetworks"),
        ("storage:StorageAccount", {"accountName": "a"}, "name", "a"),
    ],
)
def test_an_output_follows_from_the_name(short: str, inputs: dict[str, Any], output: str, form: str) -> None:
    assert re.fullmatch(form, str(made(short, resourceGroupName="rg", **inputs).outputs[output]))


def test_what_is_there_has_the_name_of_its_path() -> None:
    id_ = "/subscriptions/1/resourceGroups/rg/providers/Microsoft.ContainerRegistry/registries/ours"

    assert made("containerregistry:Registry", id_=id_).outputs["loginServer"] == "ours.azurecr.io"


@pytest.mark.parametrize("table", ["azure/ids", "azure/outputs"])
def test_the_tables_speak_of_properties_that_the_sdk_has(table: str) -> None:
    for row in tables.rows(table):
        import_module(f"pulumi_azure_native.{row['type'].split(':')[1]}")
        known = {**sdk_types.output_types(row["type"]), **(sdk_types.input_types(row["type"]) or {})}
        assert {row.get("output") or row.get("named") or "name"} <= {*known, "name"}, row


def test_add_ons_have_the_identities_that_azure_gives_them() -> None:
    cluster = made(
        "containerservice:ManagedCluster",
        ingressProfile={"webAppRouting": {"enabled": True}},
        addonProfiles={"azureKeyvaultSecretsProvider": {"enabled": True, "config": {"rotationPollInterval": "2m"}}},
    ).outputs

    assert cluster["ingressProfile"]["webAppRouting"]["identity"]["objectId"]
    assert cluster["addonProfiles"]["azureKeyvaultSecretsProvider"]["identity"]["objectId"]
    assert cluster["addonProfiles"]["azureKeyvaultSecretsProvider"]["config"] == {"rotationPollInterval": "2m"}
    assert cluster["identityProfile"]["kubeletidentity"]["objectId"]


def test_what_a_program_gives_stays_in_what_azure_adds_to() -> None:
    given = {"webAppRouting": {"enabled": True, "identity": {"objectId": "mine"}}}

    answered = made("containerservice:ManagedCluster", ingressProfile=given).outputs["ingressProfile"]

    assert answered["webAppRouting"]["enabled"] is True
    assert answered["webAppRouting"]["identity"]["objectId"] == "mine"


@pytest.mark.parametrize(
    ("short", "inputs", "output", "form"),
    [
        (
            "containerservice:ManagedCluster",
            {"networkProfile": {"loadBalancerProfile": {"allocatedOutboundPorts": 8}}},
            ("networkProfile", "loadBalancerProfile", "effectiveOutboundIPs", 0, "id"),
            ".+",
        ),
        (
            "compute:VirtualMachine",
            {"identity": {"type": "SystemAssigned"}},
            ("identity", "principalId"),
            "[0-9a-f-]{36}",
        ),
        ("web:WebApp", {"identity": {"type": "SystemAssigned"}}, ("identity", "tenantId"), "[0-9a-f-]{36}"),
        ("storage:StorageAccount", {"sku": {"name": "Standard_LRS"}}, ("sku", "tier"), ".+"),
        (
            "cosmosdb:DatabaseAccount",
            {"locations": [{"locationName": "eastus"}]},
            ("locations", 0, "documentEndpoint"),
            "https://.+",
        ),
        (
            "app:ContainerApp",
            {"configuration": {"ingress": {"targetPort": 80}}},
            ("configuration", "ingress", "fqdn"),
            r".+\..+",
        ),
    ],
)
def test_a_given_object_has_what_azure_adds_to_it(
    short: str, inputs: dict[str, Any], output: tuple[Any, ...], form: str
) -> None:
    found: Any = made(short, resourceGroupName="rg", **inputs).outputs
    for step in output:
        found = found[step]

    assert re.fullmatch(form, found)


@pytest.mark.parametrize(
    ("short", "lists"),
    [
        ("network:VirtualNetwork", ("subnets",)),
        ("network:LoadBalancer", ("frontendIPConfigurations", "backendAddressPools", "probes")),
        ("network:ApplicationGateway", ("gatewayIPConfigurations", "httpListeners")),
        ("network:NetworkInterface", ("ipConfigurations",)),
        ("network:RouteTable", ("routes",)),
    ],
)
def test_a_named_part_has_an_id_below_that_of_its_resource(short: str, lists: tuple[str, ...]) -> None:
    given: dict[str, Any] = {key: [{"name": "a"}, {"name": "b", "id": "of-the-program"}, {}] for key in lists}

    response = made(short, resourceGroupName="rg", **given)

    for key in lists:
        assert [part.get("id") for part in response.outputs[key]] == [f"{response.id}/{key}/a", "of-the-program", None]


@pytest.mark.parametrize(
    ("function", "arguments", "result", "form"),
    [
        (
            "network:getSubnet",
            {"virtualNetworkName": "v", "subnetName": "s"},
            "id",
            f"{GROUP}/.+/virtualNetworks/v/subnets/s",
        ),
        ("network:getSubnet", {"virtualNetworkName": "v", "subnetName": "s"}, "addressPrefix", r"10\.0\.0\.0/\d+"),
        ("containerregistry:getRegistry", {"registryName": "reg"}, "loginServer", r"reg\.azurecr\.io"),
        ("storage:getStorageAccount", {"accountName": "a"}, "id", f"{GROUP}/Microsoft.Storage/storageAccounts/a"),
        ("managedidentity:getUserAssignedIdentity", {"resourceName": "u"}, "principalId", "[0-9a-f-]{36}"),
    ],
)
def test_a_look_up_answers_as_the_resource_does(
    function: str, arguments: dict[str, Any], result: str, form: str
) -> None:
    import_module(f"pulumi_azure_native.{function.partition(':')[0]}")

    answer = simulated("azure-native").invoke(f"azure-native:{function}", {"resourceGroupName": "rg", **arguments}, {})

    assert re.fullmatch(form, answer.results[result])
