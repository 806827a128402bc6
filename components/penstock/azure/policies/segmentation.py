"""Segmentation on Azure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.azure.model.openings import AzureOpening
from penstock.azure.policies.access import HAS_ENDPOINT, is_closed, refuses_networks
from penstock.azure.types import (
    AZUREFLEET_FLEET,
    COMPUTE_DISK,
    COMPUTE_SNAPSHOT,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERINSTANCE_CONTAINER_GROUP,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_FLEET,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DATABRICKS_WORKSPACE,
    DBFORMYSQL_SERVER,
    DBFORPOSTGRESQL_SERVER,
    KEYVAULT_MANAGED_HSM,
    KEYVAULT_VAULT,
    MACHINELEARNINGSERVICES_COMPUTE,
    NETWORK_ADMIN_RULE,
    NETWORK_INTERFACE,
    NETWORK_SECURITY_GROUP,
    NETWORK_SECURITY_RULE,
    NETWORK_SUBNET,
    NETWORK_VIRTUAL_NETWORK,
    SQL_SERVER,
    STORAGE_ACCOUNT,
    STORAGE_BLOB_CONTAINER,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, each, fail
from penstock.graph.view import Block, View
from penstock.policies.open_world import FewAddresses, NotOpen, refuse_world
from penstock.rules.checks import Absent, All, ByType, Custom, Each, Either, Given, Is, IsNot, NoneOf, OneOf, Where
from penstock.rules.levels import CRITICAL, HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)


_PRIVATE_CLUSTER = "apiServerAccessProfile.enablePrivateCluster"
_AUTHORIZED = "apiServerAccessProfile.authorizedIPRanges"

_EVERY_CUSTOMER = "AzureCloud"
"""The service tag of all public addresses of Azure: every customer's machines have some of them."""

_WORLD_WHY = "Scanners find an open port within minutes; one weak password or unpatched service behind it is enough."
_WORLD_FIX = (
    "Name in sourceAddressPrefixes who needs the port, or a service tag as VirtualNetwork; SSH goes by Azure Bastion."
)


def _judge_openings(it: View, direction: str, check: Callable[[AzureOpening], Verdict]) -> Verdict:
    """One verdict over the rules of a resource that allow traffic in a direction."""

    def one(rule: Block) -> Verdict:
        opening = AzureOpening(rule)
        return check(opening) if opening.allows and opening.direction == direction else NOT_APPLICABLE

    if it.type in (NETWORK_SECURITY_RULE, NETWORK_ADMIN_RULE):
        return each((it,), one)
    return each(it.locations("securityRules[]"), lambda place: one(it.within(place)))


def _refuse_world(it: View, settings: Settings) -> Verdict:
    public = settings.parameters.public_ports

    def one(opening: AzureOpening) -> Verdict:
        path, sources = opening.sources
        if any(_is_every_customer(source) for source in sources) and not opening.reach.within(public):
            return fail(f"{path} lets every customer of Azure ({_EVERY_CUSTOMER}) reach {opening.reach}", path=path)
        return refuse_world(sources, lambda: opening.reach, public, path)

    return _judge_openings(it, "inbound", one)


def _is_every_customer(source: Any) -> bool:
    return isinstance(source, str) and source.partition(".")[0].casefold() == _EVERY_CUSTOMER.casefold()


RULES.row(
    "az-nsg-no-world",
    "The rules of a network security group let the whole internet reach public ports only.",
    on=NETWORK_SECURITY_GROUP,
    check=Custom(
        _refuse_world,
    ),
    severity=CRITICAL,
    rationale=_WORLD_WHY,
    fix=_WORLD_FIX,
    peers="CKV_AZURE_9 CKV_AZURE_10 CKV_AZURE_77 AZU-0047 AZU-0048 AZU-0050 KICS:59cb3da7 KICS:2ade1579 "
    "KICS:efbf6449 KICS:3e3c175e AZU-0074",
    cis=("Azure 2.1: 6.1†", "Azure 2.1: 6.2†", "Azure 2.1: 6.3†"),
)
RULES.row(
    "az-nsgrule-no-world",
    "A security rule lets the whole internet reach public ports only.",
    on=(NETWORK_SECURITY_RULE, NETWORK_ADMIN_RULE),
    check=ByType(
        {
            NETWORK_SECURITY_RULE: Custom(
                _refuse_world,
            ),
            NETWORK_ADMIN_RULE: Custom(_refuse_world),
        }
    ),
    severity=CRITICAL,
    rationale=_WORLD_WHY,
    fix="Name in sourceAddressPrefixes (sources of an AdminRule) who needs the port, or a service tag as "
    "VirtualNetwork; SSH goes by Azure Bastion.",
    peers="CKV_AZURE_9 CKV_AZURE_10 AZU-0047 KICS:59cb3da7 KICS:2ade1579 KICS:efbf6449 KICS:3e3c175e AZU-0074 "
    "KICS:594c198b CKV_AZURE_77 AZU-0048 AZU-0050",
)


@RULES.rule(
    on=(NETWORK_SECURITY_GROUP, NETWORK_SECURITY_RULE),
    severity=MEDIUM,
    rationale=(
        "Code that gets in, by a poisoned package say, sends data and weights out by any protocol to any address."
    ),
    fix="Let out the ports and service tags that are needed, such as Storage.westeurope, and deny Internet below them.",
    peers="AZU-0051",
)
def az_nsg_egress(it: View, _: Settings) -> Verdict:
    """A rule that lets traffic out to the whole internet names its ports."""

    def one(opening: AzureOpening) -> Verdict:
        # no port counts as public here: what matters is that some are left out
        reach = opening.reach
        if not reach.is_everything:
            return PASS
        path, destinations = opening.destinations
        return refuse_world(destinations, lambda: reach, (), path)

    return _judge_openings(it, "outbound", one)


RULES.row(
    "az-subnet-nsg",
    "A subnet has a network security group.",
    on=(NETWORK_SUBNET, NETWORK_VIRTUAL_NETWORK),
    check=ByType(
        {
            NETWORK_SUBNET: Given("networkSecurityGroup.id"),
            NETWORK_VIRTUAL_NETWORK: Given("subnets[].networkSecurityGroup.id"),
        }
    ),
    severity=MEDIUM,
    rationale="Everything in the virtual network and in networks peered with it reaches every port of its machines.",
    fix="Set networkSecurityGroup.id; rules for what must get in come first, or it is cut off.",
    peers="CKV2_AZURE_31 KICS:5c822443",
)
_NO_DEFAULT_OUT = Where(Absent("delegations"), Is("defaultOutboundAccess", value=False))
"""Subnets that are delegated to a service of Azure's have no such setting (Azure, default outbound access)."""

RULES.row(
    "az-subnet-no-default-out",
    "The machines of a subnet have no way out that nobody asked for.",
    on=(NETWORK_SUBNET, NETWORK_VIRTUAL_NETWORK),
    check=ByType(
        {
            NETWORK_SUBNET: _NO_DEFAULT_OUT,
            NETWORK_VIRTUAL_NETWORK: Each("subnets[]", _NO_DEFAULT_OUT),
        }
    ),
    severity=LOW,
    rationale=(
        "Azure gives them a public address of its own to go out by, which no firewall names and which may change."
    ),
    fix="Set defaultOutboundAccess to false and give the subnet a natGateway; it holds for machines made from then on.",
)


RULES.row(
    "az-storage-net-deny",
    "A storage account refuses networks that no rule names.",
    on=STORAGE_ACCOUNT,
    check=refuses_networks("publicNetworkAccess", "networkRuleSet", "iPAddressOrRange"),
    severity=HIGH,
    rationale="Whoever has one of its keys or a SAS link, by mail or from a repository, reads the data from anywhere.",
    fix="Set networkRuleSet.defaultAction to Deny, with virtualNetworkRules or a private endpoint for the clients.",
    peers="CKV_AZURE_35 AZU-0012 KICS:d855ced8 KICS:a5613650 KICS:9073f073 KICS:17f75827",
    cis=("Azure 2.1: 3.8†",),
)
RULES.row(
    "az-storage-public-off",
    "A storage account admits private endpoints, named subnets and a few addresses only.",
    on=STORAGE_ACCOUNT,
    check=is_closed("publicNetworkAccess", "networkRuleSet", "iPAddressOrRange"),
    severity=MEDIUM,
    rationale="Every machine in a wide range can try stolen keys and SAS links on the account.",
    fix="Add private endpoints for blob and other services in use, then set publicNetworkAccess to Disabled; or set "
    "networkRuleSet.defaultAction to Deny with virtualNetworkRules, and ipRules of up to 256 addresses each.",
    peers="CKV_AZURE_59",
    cis=("Azure 2.1: 3.7†",),
)
RULES.row(
    "az-storage-no-anon-blob",
    "No container of a storage account can be read without signing in.",
    on=STORAGE_BLOB_CONTAINER,
    check=NoneOf("publicAccess", ("Blob", "Container")),
    severity=CRITICAL,
    rationale="Everyone on the internet reads its blobs.",
    fix="Leave publicAccess out, and give readers a role such as Storage Blob Data Reader.",
    peers="CKV_AZURE_34 AZU-0007 KICS:a0ab985d KICS:dd5230f8 CKV2_AZURE_8",
)
RULES.row(
    "az-storage-anon-off",
    "A storage account allows no container to be public.",
    on=STORAGE_ACCOUNT,
    check=Is("allowBlobPublicAccess", value=False),
    severity=HIGH,
    rationale="One container set to public in haste puts its blobs on the internet.",
    fix="Set allowBlobPublicAccess to false, or leave it out.",
    peers="CKV_AZURE_190 CKV2_AZURE_47 KICS:17f75827 CKV2_AZURE_50",
)
_UNLESS_INJECTED = Where(Absent("network.delegatedSubnetResourceId"), HAS_ENDPOINT)
_REACHED = {
    **dict.fromkeys((STORAGE_ACCOUNT, KEYVAULT_VAULT, SQL_SERVER), HAS_ENDPOINT),
    CONTAINERREGISTRY_REGISTRY: Where(Is("sku.name", "Premium"), HAS_ENDPOINT),  # other tiers have none
    DBFORMYSQL_SERVER: _UNLESS_INJECTED,
    DBFORPOSTGRESQL_SERVER: _UNLESS_INJECTED,
}
RULES.row(
    "az-storage-pe",
    "Storage, vaults, registries and databases have a private endpoint.",
    on=tuple(_REACHED),
    check=ByType(_REACHED),
    severity=MEDIUM,
    rationale="Clients reach it by its public address, which must then stay open to them.",
    fix="Add an azure_native.network.PrivateEndpoint with its id as privateLinkServiceId; each is billed by the hour.",
    peers="CKV2_AZURE_33 CKV2_AZURE_32 CKV2_AZURE_45 CKV2_AZURE_56 CKV2_AZURE_44 CKV2_AZURE_42 CKV2_AZURE_57",
    cis=("Azure 2.1: 3.10†",),
)
RULES.row(
    "az-disk-net",
    "A disk, or a snapshot of one, cannot be exported over the internet.",
    on=(COMPUTE_DISK, COMPUTE_SNAPSHOT),
    check=Either(
        OneOf("networkAccessPolicy", ("DenyAll", "AllowPrivate")),
        Is("publicNetworkAccess", "Disabled"),
    ),
    severity=MEDIUM,
    rationale="A SAS link to it, which any contributor can make, downloads the whole disk from anywhere.",
    fix="Set networkAccessPolicy to DenyAll and publicNetworkAccess to Disabled.",
    peers="CKV_AZURE_251",
)
RULES.row(
    "az-aks-private",
    "The API server of a production cluster, or of the hub of a fleet, is private or answers a few addresses only.",
    on=(CONTAINERSERVICE_MANAGED_CLUSTER, CONTAINERSERVICE_FLEET),
    check=ByType(
        {
            CONTAINERSERVICE_MANAGED_CLUSTER: Either(Is(_PRIVATE_CLUSTER, value=True), FewAddresses(_AUTHORIZED)),
            CONTAINERSERVICE_FLEET: Where(Given("hubProfile"), Is(f"hubProfile.{_PRIVATE_CLUSTER}", value=True)),
        }
    ),
    severity=HIGH,
    rationale="A stolen token or a flaw of the API server can be used from anywhere in a wide range.",
    fix=(
        "List ranges of up to 256 addresses in apiServerAccessProfile.authorizedIPRanges, or set enablePrivateCluster "
        "(of hubProfile for a fleet, which has no ranges) to true. That replaces the cluster with all that runs in it, "
        "and kubectl and Pulumi then need a way into the network."
    ),
    peers="CKV_AZURE_115 AZU-0065 KICS:599318f2",
    cis=("AKS 1.5: 5.4.2†",),
    sources=(
        "AKS, authorized IP ranges <https://learn.microsoft.com/en-us/azure/aks/api-server-authorized-ip-ranges>",
    ),
    in_production=True,
)
RULES.row(
    "az-aks-authorized-ips",
    "A public API server answers named ranges only.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(IsNot(_PRIVATE_CLUSTER, value=True), NotOpen(_AUTHORIZED)),
    severity=MEDIUM,
    rationale="The whole internet may try stolen tokens and new flaws on the API server; without ranges, that is so.",
    fix="Set apiServerAccessProfile.authorizedIPRanges to the addresses of offices, runners and the firewall that "
    "nodes leave by, if any. A private cluster needs none, but enablePrivateCluster replaces the cluster.",
    peers="CKV_AZURE_6 AZU-0041 KICS:2583fab1",
    cis=("AKS 1.5: 5.4.1†",),
)
RULES.row(
    "az-aks-network-policy",
    "A cluster enforces network policies.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(
        # Automatic has Cilium, whatever is written; a network plugin of the customer's own has its own policies
        All(IsNot("sku.name", "Automatic"), IsNot("networkProfile.networkPlugin", "none")),
        OneOf("networkProfile.networkPolicy", ("cilium", "azure", "calico")),
    ),
    severity=MEDIUM,
    rationale="NetworkPolicy objects are accepted and do nothing: every pod reaches every other, of all teams.",
    fix="Set networkProfile.networkPolicy to cilium, with networkDataplane cilium, or to calico where pools run "
    "Windows or networkPlugin is kubenet. Pulumi replaces the cluster for it; az aks update changes an existing one "
    "in place, node by node.",
    peers="CKV_AZURE_7 AZU-0043 KICS:25c0228e KICS:f5342045",
    cis=("AKS 1.5: 5.4.4†",),
)
RULES.row(
    "az-aks-no-node-public-ip",
    "Nodes have private addresses only.",
    on=(CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER),
    check=ByType(
        {
            CONTAINERSERVICE_AGENT_POOL: IsNot("enableNodePublicIP", value=True),
            CONTAINERSERVICE_MANAGED_CLUSTER: IsNot("agentPoolProfiles[].enableNodePublicIP", value=True),
        }
    ),
    severity=HIGH,
    rationale="Each node has an address on the internet, and what a pod opens on its host is there for all.",
    fix="Leave enableNodePublicIP out, which replaces the pool; a NAT gateway or load balancer carries egress.",
    peers="CKV_AZURE_143",
)
_OF_NICS = "networkProfile.networkInterfaceConfigurations[].ipConfigurations[].publicIPAddressConfiguration"

RULES.row(
    "az-vm-no-public-ip",
    "A machine, or a group of containers, has no public address.",
    on=(
        NETWORK_INTERFACE,
        COMPUTE_VIRTUAL_MACHINE,
        COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
        AZUREFLEET_FLEET,
        MACHINELEARNINGSERVICES_COMPUTE,
        CONTAINERINSTANCE_CONTAINER_GROUP,
        DATABRICKS_WORKSPACE,
    ),
    check=ByType(
        {
            NETWORK_INTERFACE: Absent("ipConfigurations[].publicIPAddress"),
            COMPUTE_VIRTUAL_MACHINE: Absent(_OF_NICS),
            COMPUTE_VIRTUAL_MACHINE_SCALE_SET: Absent(f"virtualMachineProfile.{_OF_NICS}"),
            AZUREFLEET_FLEET: Absent(
                "computeProfile.baseVirtualMachineProfile.networkProfile.networkInterfaceConfigurations[].properties"
                ".ipConfigurations[].properties.publicIPAddressConfiguration"
            ),
            MACHINELEARNINGSERVICES_COMPUTE: Where(
                OneOf("properties.computeType", ("AmlCompute", "ComputeInstance")),
                IsNot("properties.properties.enableNodePublicIp", value=True),
            ),
            CONTAINERINSTANCE_CONTAINER_GROUP: IsNot("ipAddress.type", "Public"),
            DATABRICKS_WORKSPACE: IsNot("parameters.enableNoPublicIp.value", value=False),
        }
    ),
    severity=HIGH,
    rationale="Anybody can connect to it, and a misconfiguration of one security rule lets them in.",
    fix="Leave publicIPAddress (publicIPAddressConfiguration) out, and set ipAddress.type of containers to Private "
    "with subnetIds, enableNodePublicIp of a compute to false, enableNoPublicIp of Databricks to true; a NAT gateway "
    "carries egress, a load balancer lets in who may. Containers and computes are replaced.",
    peers="CKV_AZURE_119 CKV_AZURE_245 KICS:c1573577 AZU-0076 KICS:71884fcb CKV2_AZURE_39",
)
RULES.row(
    "az-kv-net",
    "A vault refuses networks that no rule names.",
    on=(KEYVAULT_VAULT, KEYVAULT_MANAGED_HSM),
    check=refuses_networks("properties.publicNetworkAccess", "properties.networkAcls"),
    severity=HIGH,
    rationale="A token that leaks reads every secret and uses every key, from anywhere.",
    fix="Set properties.networkAcls.defaultAction to Deny, or properties.publicNetworkAccess to disabled.",
    peers="CKV_AZURE_109 CKV_AZURE_189 AZU-0013",
    cis=("Azure 2.1: 8.7†",),
)
RULES.row(
    "az-acr-public-off",
    "A registry admits private endpoints and a few addresses only.",
    on=CONTAINERREGISTRY_REGISTRY,
    check=is_closed("publicNetworkAccess", "networkRuleSet", "iPAddressOrRange"),
    severity=MEDIUM,
    rationale="A pull token that leaks gives models and code to anybody, and a push token puts images on the nodes.",
    fix="Set sku.name to Premium, which updates the registry in place, then publicNetworkAccess to Disabled with a "
    "private endpoint, or networkRuleSet.defaultAction to Deny with ipRules of up to 256 addresses each.",
    peers="CKV_AZURE_139",
)
RULES.row(
    "az-acr-no-anon",
    "Nobody pulls from a registry without signing in.",
    on=CONTAINERREGISTRY_REGISTRY,
    check=IsNot("anonymousPullEnabled", value=True),
    severity=CRITICAL,
    rationale="Images hold code, models and, by mistake, secrets, for everybody to download.",
    fix="Set anonymousPullEnabled to false; nodes pull by their managed identity.",
    peers="CKV_AZURE_138",
)
