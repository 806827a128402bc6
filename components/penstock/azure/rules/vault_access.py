"""Rules on vaults that services of Azure must reach, because they encrypt with a key in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from penstock.azure.types import (
    BATCH_ACCOUNT,
    COMPUTE_DISK_ENCRYPTION_SET,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DBFORMYSQL_SERVER,
    DBFORPOSTGRESQL_SERVER,
    EVENTHUB_NAMESPACE,
    KEYVAULT_KEY,
    KEYVAULT_VAULT,
    SERVICEBUS_NAMESPACE,
    STORAGE_ACCOUNT,
    STORAGECACHE_AML_FILESYSTEM,
)
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_TRUSTED: Final[Mapping[str, str]] = {
    COMPUTE_DISK_ENCRYPTION_SET: "activeKey",
    STORAGECACHE_AML_FILESYSTEM: "encryptionSettings",
    STORAGE_ACCOUNT: "encryption",
    CONTAINERREGISTRY_REGISTRY: "encryption",
    DBFORPOSTGRESQL_SERVER: "dataEncryption",
    DBFORMYSQL_SERVER: "dataEncryption",
    EVENTHUB_NAMESPACE: "encryption",
    SERVICEBUS_NAMESPACE: "encryption",
    BATCH_ACCOUNT: "encryption",
    "azure-native:sql:ServerKey": "uri",
}
"""Services among the trusted ones of Key Vault, by the property that names their key."""


@RULES.rule(
    on=tuple(_TRUSTED),
    severity=HIGH,
    rationale=(
        "The service reads its key as a trusted service of Azure, which the firewall of the vault rejects: Azure does "
        "not create what it cannot encrypt."
    ),
    fix="Set properties.networkAcls.bypass of the vault to AzureServices.",
    joins=True,
    sources=("Key Vault documentation, trusted services",),
)
def az_vault_trusted_services(service: View) -> Verdict:
    """The vault of a service's key accepts trusted services, or every network."""
    key = _TRUSTED[service.type]
    network = service.block("network") if service.type == DBFORPOSTGRESQL_SERVER else None
    if network is not None and "delegatedSubnetResourceId" in network:
        return NOT_APPLICABLE  # it has an address in a network, from which it may reach a private endpoint
    vault = vault_of(service, key)
    properties = vault.block("properties") if vault is not None else None
    rules = properties.block("networkAcls") if properties is not None else None
    if vault is None or properties is None or rules is None:
        return NOT_APPLICABLE
    if not _disabled(properties) and (not _denies(properties) or _named(rules)):
        return NOT_APPLICABLE
    message = f"{vault.name!r}, the vault of its key, has networkAcls.bypass None, which shuts trusted services out"
    hint = f"Set networkAcls.bypass of {vault.name!r} to AzureServices."
    return allow((rules.text("bypass") or "").casefold() != "none", message, hint=hint, path=key)


@RULES.rule(
    on=STORAGECACHE_AML_FILESYSTEM,
    severity=HIGH,
    rationale=(
        "Managed Lustre requires public access of the vault, for all or for selected networks with the exception for "
        "trusted services: without, the file system is not created."
    ),
    fix=(
        "Set properties.publicNetworkAccess of the vault to Enabled, networkAcls.defaultAction to Deny and bypass to "
        "AzureServices; or keep the key of the file system in a vault of its own that has them."
    ),
    joins=True,
    sources=("Azure Managed Lustre documentation, customer-managed encryption keys",),
)
def az_lustre_vault_public(system: View) -> Verdict:
    """The vault of a Lustre file system's key has public access enabled."""
    vault = vault_of(system, "encryptionSettings")
    properties = vault.block("properties") if vault is not None else None
    if vault is None or properties is None:
        return NOT_APPLICABLE
    message = f"{vault.name!r}, the vault of its key, has publicNetworkAccess Disabled"
    hint = f"Set publicNetworkAccess of {vault.name!r} to Enabled, with networkAcls Deny and bypass AzureServices."
    return allow(not _disabled(properties), message, hint=hint, path="encryptionSettings")


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="The API server reaches a public vault from its own addresses, and the cluster does not start without.",
    fix=(
        "Set securityProfile.azureKeyVaultKms.keyVaultNetworkAccess to Private, with keyVaultResourceId and API Server "
        "VNet Integration."
    ),
    joins=True,
    sources=("AKS documentation, KMS encryption of etcd",),
)
def az_aks_kms_vault_network(cluster: View) -> Verdict:
    """A cluster whose vault has a firewall, or no public access, reaches it by a private endpoint."""
    profile = cluster.block("securityProfile")
    kms = profile.block("azureKeyVaultKms") if profile is not None else None
    if kms is None or not kms.flag("enabled") or (kms.text("keyVaultNetworkAccess") or "").casefold() == "private":
        return NOT_APPLICABLE
    vault = vault_of(cluster, "securityProfile")
    properties = vault.block("properties") if vault is not None else None
    if vault is None or properties is None:
        return NOT_APPLICABLE
    path = kms.at("keyVaultNetworkAccess")
    if _disabled(properties):
        return fail(f"Public access to {vault.name!r}, which has none", hint="Use Private.", path=path)
    message = f"Public access to {vault.name!r}, whose firewall denies it"
    return allow(not _denies(properties), message, hint="Use Private.", path=path)


def vault_of(view: View, key: str) -> View | None:
    """The vault that a property names by itself or by a key in it; None without one.

    Raises:
        NotKnown: the vault is outside the program, or the property names several.
    """
    if key not in view:
        return None
    keys = view.sources(key, KEYVAULT_KEY)
    found = {vault.urn: vault for vault in view.sources(key, KEYVAULT_VAULT)}
    for each in keys:
        holder = each.one("vaultName", KEYVAULT_VAULT)
        if holder is not None:
            found[holder.urn] = holder
    if len(found) > 1:
        raise NotKnown
    return next(iter(found.values()), None)


def admits_all(vault: View) -> bool:
    """Return whether a vault has no firewall."""
    properties = vault.block("properties")
    return properties is None or not (_disabled(properties) or _denies(properties))


def _disabled(properties: Block) -> bool:
    return (properties.text("publicNetworkAccess") or "").casefold() == "disabled"


def _denies(properties: Block) -> bool:
    rules = properties.block("networkAcls")
    return rules is not None and (rules.text("defaultAction") or "").casefold() == "deny"


def _named(rules: Block) -> bool:
    """Return whether the firewall admits some networks, among which the addresses of a service may be."""
    return rules.count("ipRules") > 0 or rules.count("virtualNetworkRules") > 0
