"""A group, a network, a key and an identity of Azure, as a program that brings its own would hand them over."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Network

from pulumi_azure_native import authorization

from penstock.azure.components.handles import ClusterHandle, GroupHandle, IdentityHandle, KeyHandle, NetworkHandle

_SUBSCRIPTION = "00000000-0000-0000-0000-000000000001"
_GROUP = f"/subscriptions/{_SUBSCRIPTION}/resourceGroups/main/providers"
_VNET = f"{_GROUP}/Microsoft.Network/virtualNetworks/main"
VAULT = f"{_GROUP}/Microsoft.KeyVault/vaults/main"

GROUP = GroupHandle(
    name="main", region="eastus", subscription=_SUBSCRIPTION, tenant="00000000-0000-0000-0000-000000000002"
)
IDENTITY = IdentityHandle(
    id=f"{_GROUP}/Microsoft.ManagedIdentity/userAssignedIdentities/keys",
    principal="00000000-0000-0000-0000-000000000003",
    client="00000000-0000-0000-0000-000000000004",
)
NETWORK = NetworkHandle(
    id=_VNET,
    nodes=f"{_VNET}/subnets/nodes",
    endpoints=f"{_VNET}/subnets/endpoints",
    api_server=f"{_VNET}/subnets/api-server",
    lustre=(f"{_VNET}/subnets/lustre-1",),
    pods_cidr="10.224.0.0/11",
    services_cidr=IPv4Network("172.20.0.0/16"),
    zones={
        name: f"{_GROUP}/Microsoft.Network/privateDnsZones/{name}"
        for name in ("blob", "dfs", "file", "vault", "registry", "postgresqlServer")
    },
)
KEY = KeyHandle(
    id="https://main.vault.azure.net/keys/data",
    version_id="https://main.vault.azure.net/keys/data/0123456789abcdef0123456789abcdef",
    name="data",
    vault=VAULT,
    vault_uri="https://main.vault.azure.net/",
    identity=IDENTITY,
    disks=f"{_GROUP}/Microsoft.Compute/diskEncryptionSets/data",
)
CLUSTER = ClusterHandle(
    name="main",
    id=f"{_GROUP}/Microsoft.ContainerService/managedClusters/main",
    version="1.34",
    issuer="https://eastus.oic.prod-aks.azure.com/issuer/",
    kubelet=IDENTITY,
    credentials='{"clusters": [{"name": "main", "cluster": {"server": "https://main", '
    '"certificate-authority-data": "LS0tLS1CRUdJTi0tLS0t"}}]}',
)
ZONES = ("eastus-1", "eastus-2", "eastus-3")


def granted_key() -> KeyHandle:
    """The key, whose identity this program gives its role: the resource `grant`."""
    grant = authorization.RoleAssignment(
        "grant",
        scope=VAULT,
        role_definition_id="/providers/Microsoft.Authorization/roleDefinitions/e147488a-f6f5-4113-8e2d-b22465e65bf6",
        principal_id=IDENTITY.principal,
        principal_type="ServicePrincipal",
    )
    return replace(KEY, grants=(grant,))
