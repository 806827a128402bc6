"""Rules on rights before use: whoever acts as an identity has its roles by then."""

from __future__ import annotations

from typing import Final

from penstock.azure.facts.roles import find_role
from penstock.azure.model.pools import AksPool, aks_pools
from penstock.azure.rules.pools import POOLS, cluster_of
from penstock.azure.types import (
    AUTHORIZATION_ROLE_ASSIGNMENT,
    COMPUTE_CAPACITY_RESERVATION_GROUP,
    COMPUTE_DISK_ENCRYPTION_SET,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DBFORPOSTGRESQL_SERVER,
    KEYVAULT_KEY,
    KEYVAULT_VAULT,
    MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY,
    NETWORK_SUBNET,
    NETWORK_VIRTUAL_NETWORK,
    RESOURCES_RESOURCE_GROUP,
    STORAGE_ACCOUNT,
    STORAGECACHE_AML_FILESYSTEM,
)
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, fail
from penstock.graph.view import View
from penstock.model.order import comes_after
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


_READERS: Final = {
    STORAGE_ACCOUNT: ("encryption", "encryption"),
    COMPUTE_DISK_ENCRYPTION_SET: ("identity", "activeKey"),
    STORAGECACHE_AML_FILESYSTEM: ("identity", "encryptionSettings"),
    CONTAINERREGISTRY_REGISTRY: ("encryption", "encryption"),
    DBFORPOSTGRESQL_SERVER: ("dataEncryption", "dataEncryption"),
}
"""What reads a key as it is created: the properties with the identity that it acts as, and with the key."""

_ANY: Final = ("Owner", "Contributor")
_USES_KEYS: Final = (
    "Key Vault Crypto Service Encryption User",
    "Key Vault Crypto User",
    "Key Vault Crypto Officer",
    "Key Vault Administrator",
)
_HANDS_OUT: Final = ("Managed Identity Operator", *_ANY)
_TAKES_RESERVED: Final = ("Virtual Machine Contributor", *_ANY)


@RULES.rule(
    on=tuple(_READERS),
    severity=HIGH,
    rationale=(
        "Azure asks the vault as it creates the resource, and fails with KeyVaultAccessForbidden while its identity "
        "may not use the key."
    ),
    fix=(
        "Give the identity the role Key Vault Crypto Service Encryption User on the vault, and add the RoleAssignment "
        "to depends_on of the resource."
    ),
    joins=True,
    sources=("Azure managed disks documentation, customer-managed keys", "Key Vault documentation, RBAC guide"),
)
def az_key_right_first(view: View) -> Verdict:
    """The identity that a resource acts as may use its key before the resource is created."""
    identity_in, key_in = _READERS[view.type]
    identities, keys = (
        view.sources(identity_in, MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY),
        view.sources(key_in, KEYVAULT_KEY),
    )
    if len(identities) != 1 or len(keys) != 1:
        return NOT_APPLICABLE
    return _allowed(view, identities[0], keys[0], key_in)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="The disks of the first nodes are encrypted by the set, which fails with KeyVaultAccessForbidden.",
    fix=(
        "Give the identity of the disk encryption set the role Key Vault Crypto Service Encryption User on the vault, "
        "and add the RoleAssignment to depends_on of the cluster."
    ),
    joins=True,
    sources=("AKS documentation, customer-managed keys for disks",),
)
def az_aks_disk_right_first(cluster: View) -> Verdict:
    """A disk encryption set that acts as itself may use its key before a cluster has disks."""
    disks = cluster.one("diskEncryptionSetID", COMPUTE_DISK_ENCRYPTION_SET)
    keys = disks.sources("activeKey", KEYVAULT_KEY) if disks is not None else []
    if disks is None or disks.sources("identity", MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY) or len(keys) != 1:
        return NOT_APPLICABLE
    return _allowed(cluster, disks, keys[0], "diskEncryptionSetID")


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS refuses the cluster with CustomKubeletIdentityMissingPermissionError.",
    fix=(
        "Give the identity of the cluster the role Managed Identity Operator on that of the nodes, and add the "
        "RoleAssignment to depends_on of the cluster."
    ),
    joins=True,
    sources=("AKS documentation, managed identities",),
)
def az_aks_kubelet_right_first(cluster: View) -> Verdict:
    """The identity of a cluster may hand out that of its nodes before the cluster is created."""
    own, nodes = (
        cluster.sources("identity", MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY),
        cluster.sources("identityProfile", MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY),
    )
    if len(own) != 1 or len(nodes) != 1:
        return NOT_APPLICABLE
    path = "identityProfile.kubeletidentity"
    return _has_role(cluster, own[0], _HANDS_OUT, (nodes[0], *_group(nodes[0])), path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS reads the reservation as the cluster's identity, and refuses the pool where that may not.",
    fix="Give the identity of the cluster the role Contributor on the group, before the pool is created.",
    joins=True,
    sources=("AKS documentation, capacity reservation groups",),
)
def az_aks_reservation_right_first(pool: AksPool) -> Verdict:
    """The identity of a cluster may use a capacity reservation group before a pool does."""
    group = pool.block.one("capacityReservationGroupID", COMPUTE_CAPACITY_RESERVATION_GROUP)
    cluster = cluster_of(pool) if group is not None else None
    own = cluster.sources("identity", MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY) if cluster is not None else []
    if group is None or len(own) != 1:
        return NOT_APPLICABLE
    path = pool.block.at("capacityReservationGroupID")
    return _has_role(pool.view, own[0], _TAKES_RESERVED, (group, *_group(group)), path)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS joins nodes, load balancers and the API to subnets as the cluster's identity, from the start.",
    fix="Add the RoleAssignment on the network to depends_on of the cluster.",
    joins=True,
    sources=("AKS documentation, managed identities",),
)
def az_aks_network_right_first(cluster: View) -> Verdict:
    """The role of a cluster's identity on its network is there before the cluster is created."""
    own = cluster.sources("identity", MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY)
    subnets = [
        subnet for pool in aks_pools(cluster) if (subnet := pool.block.one("vnetSubnetID", NETWORK_SUBNET)) is not None
    ]
    if len(own) != 1 or not subnets:
        return NOT_APPLICABLE
    networks = (
        network
        for subnet in subnets
        if (network := subnet.one("virtualNetworkName", NETWORK_VIRTUAL_NETWORK)) is not None
    )
    places = (*subnets, *networks)
    granted = [
        each
        for each in _assignments(own[0])
        if each.sources("scope", NETWORK_SUBNET, NETWORK_VIRTUAL_NETWORK) and _is_at(each, places)
    ]
    if not granted:
        return NOT_APPLICABLE  # somebody gives it on the group, or beside the program
    late = next((each for each in granted if not comes_after(cluster, each)), None)
    hint = f"Add {late.name if late is not None else ''} to depends_on."
    message = f"nothing makes this wait for the role {late.name if late is not None else ''}"
    return allow(late is None, message, hint=hint, path="agentPoolProfiles[0].vnetSubnetID")


def _allowed(user: View, principal: View, key: View, path: str) -> Verdict:
    """The verdict on whether a principal may use a key before a resource of the program does."""
    vault = key.one("vaultName", KEYVAULT_VAULT)
    properties = vault.block("properties") if vault is not None else None
    if vault is None or properties is None or not properties.flag("enableRbacAuthorization"):
        return NOT_APPLICABLE  # policies of the vault say who may
    return _has_role(user, principal, _USES_KEYS, (key, vault, *_group(vault)), path)


def _has_role(user: View, principal: View, roles: tuple[str, ...], places: tuple[View, ...], path: str) -> Verdict:
    """The verdict on whether a principal has one of these roles at one of these places before `user` is created."""
    fitting = {find_role(role).id for role in roles}
    granted = [each for each in _assignments(principal) if _role(each) in fitting and _is_at(each, places)]
    target = places[0].name
    if not granted:
        hint = f"Give it the role {roles[0]} on {target}, and wait for that."
        return fail(f"{principal.name} has no role to use {target}", hint=hint, path=path)
    waits = any(comes_after(user, assignment) for assignment in granted)
    hint = f"Add {granted[0].name} to depends_on."
    return allow(waits, f"nothing makes this wait for the role {granted[0].name}", hint=hint, path=path)


def _assignments(principal: View) -> list[View]:
    """The roles that the program gives to an identity, or to a resource that acts as itself."""
    given = principal.site.of_type(AUTHORIZATION_ROLE_ASSIGNMENT)
    return [
        each for each in given if any(it.urn == principal.urn for it in each.sources("principalId", principal.type))
    ]


def _role(assignment: View) -> str:
    role = assignment.text("roleDefinitionId")
    if role is None:
        raise NotKnown
    return role.rpartition("/")[2].casefold()


def _is_at(assignment: View, places: tuple[View, ...]) -> bool:
    """Return whether an assignment holds at one of these places, or at one that the program does not create."""
    graph = assignment.site.graph.resources
    created = [urn for urn in assignment.resource.property_dependencies.get("scope", ()) if urn in graph]
    return not created or any(place.urn in created for place in places)


def _group(view: View) -> tuple[View, ...]:
    return tuple(view.sources("resourceGroupName", RESOURCES_RESOURCE_GROUP))
