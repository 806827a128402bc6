"""Rules on values that Microsoft's documentation bounds, where its API models do not."""

from __future__ import annotations

from typing import Final

from penstock.azure.facts import lustre
from penstock.azure.rules.identities import GUID
from penstock.azure.types import (
    COMPUTE_DISK_ENCRYPTION_SET,
    DBFORPOSTGRESQL_SERVER,
    KEYVAULT_KEY,
    KEYVAULT_VAULT,
    NETWORK_NAT_GATEWAY,
    NETWORK_SECURITY_GROUP,
    NETWORK_SECURITY_RULE,
    NETWORK_VIRTUAL_NETWORK,
    OPERATIONALINSIGHTS_WORKSPACE,
    STORAGE_ACCOUNT,
    STORAGE_BLOB_SERVICE_PROPERTIES,
    STORAGECACHE_AML_FILESYSTEM,
)
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import All, AtLeast, AtMost, Each, Either, Given, Is, IsNot, Matches, OneOf, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_RETENTION: Final = "softDeleteRetentionInDays"
_PRIORITIES: Final = (100, 4096)
_WINDOW: Final = (4, 24)
"""The hours of a maintenance window of AKS."""
_KEPT_DAYS: Final = (7, 90)
_IDLE_MINUTES: Final = (4, 120)
_LONGEST_BLOB_DAYS: Final = 365
_LOG_DAYS: Final = (30, 730)
_OLDEST_POSTGRES: Final = 11
_LAST_DAY: Final = 6

RULES.row(
    "az-nsg-priority",
    "The priority of a security rule is 100 to 4096.",
    on=(NETWORK_SECURITY_GROUP, NETWORK_SECURITY_RULE),
    check=All(
        *(
            Where(Given(path), All(AtLeast(path, _PRIORITIES[0]), AtMost(path, _PRIORITIES[1])))
            for path in ("securityRules[].priority", "priority")
        )
    ),
    severity=HIGH,
    rationale="Azure keeps other priorities for its own rules, and rejects them.",
    fix="Set priority to a number from 100 to 4096.",
    sources=("Azure Virtual Network documentation, network security groups",),
)
RULES.row(
    "az-network-range",
    "A virtual network has a range of addresses.",
    on=NETWORK_VIRTUAL_NETWORK,
    check=Either(Given("addressSpace.addressPrefixes"), Given("addressSpace.ipamPoolPrefixAllocations")),
    severity=HIGH,
    rationale="Azure creates no virtual network without one.",
    fix="Set addressSpace.addressPrefixes to a private range, such as 10.40.0.0/16.",
    sources=("Azure Virtual Network documentation, FAQ",),
)
RULES.row(
    "az-nat-idle",
    "Idle connections of a NAT gateway end after 4 to 120 minutes.",
    on=NETWORK_NAT_GATEWAY,
    check=Where(
        Given("idleTimeoutInMinutes"),
        All(AtLeast("idleTimeoutInMinutes", _IDLE_MINUTES[0]), AtMost("idleTimeoutInMinutes", _IDLE_MINUTES[1])),
    ),
    severity=HIGH,
    rationale="Azure rejects other times.",
    fix="Set idleTimeoutInMinutes to a number from 4 to 120.",
    sources=("Azure NAT Gateway documentation, resource",),
)
RULES.row(
    "az-vault-retention",
    "A vault keeps what is deleted for 7 to 90 days.",
    on=KEYVAULT_VAULT,
    check=Where(
        Given(f"properties.{_RETENTION}"),
        All(AtLeast(f"properties.{_RETENTION}", _KEPT_DAYS[0]), AtMost(f"properties.{_RETENTION}", _KEPT_DAYS[1])),
    ),
    severity=HIGH,
    rationale="Azure rejects other times.",
    fix="Set properties.softDeleteRetentionInDays to a number from 7 to 90.",
    sources=("Pulumi Azure Native, keyvault.Vault: purge protection",),
)
RULES.row(
    "az-vault-tenant",
    "A vault belongs to a tenant, by its id.",
    on=KEYVAULT_VAULT,
    check=Matches("properties.tenantId", GUID),
    severity=HIGH,
    rationale="Azure knows tenants by their GUIDs here, not by their domains.",
    fix="Set properties.tenantId to the id that `az account show --query tenantId` prints.",
    sources=("Pulumi Azure Native, keyvault.Vault: purge protection",),
)
RULES.row(
    "az-vault-family",
    "The family of a vault is A.",
    on=KEYVAULT_VAULT,
    check=Where(Given("properties.sku.family"), Is("properties.sku.family", "A")),
    severity=HIGH,
    rationale="Azure has no other family of vaults.",
    fix="Set properties.sku.family to A.",
    sources=("Pulumi Azure Native, keyvault.Vault: purge protection",),
)
RULES.row(
    "az-key-size",
    "An RSA key has 2048, 3072 or 4096 bits.",
    on=KEYVAULT_KEY,
    check=Where(
        Matches("properties.kty", "RSA.*"),
        Where(Given("properties.keySize"), OneOf("properties.keySize", (2048, 3072, 4096))),
    ),
    severity=HIGH,
    rationale="Key Vault creates no other RSA keys.",
    fix="Set properties.keySize to 2048, 3072 or 4096.",
    sources=("Key Vault documentation, about keys",),
)
RULES.row(
    "az-disks-key-url",
    "A disk encryption set has the identifier of a key.",
    on=COMPUTE_DISK_ENCRYPTION_SET,
    check=Where(Given("activeKey.keyUrl"), Matches("activeKey.keyUrl", r"https://[^/]+/keys/[^/]+(/[^/]+)?/?")),
    severity=HIGH,
    rationale="Azure finds no key by the id of a vault, or by the name of a key.",
    fix="Set activeKey.keyUrl to keyUriWithVersion of the key.",
    sources=("Azure managed disks documentation, customer-managed keys",),
)
RULES.row(
    "az-blob-kept-days",
    "Deleted blobs and containers are kept for 1 to 365 days.",
    on=STORAGE_BLOB_SERVICE_PROPERTIES,
    check=All(
        *(
            Where(
                Given(f"{policy}.days"), All(AtLeast(f"{policy}.days", 1), AtMost(f"{policy}.days", _LONGEST_BLOB_DAYS))
            )
            for policy in ("deleteRetentionPolicy", "containerDeleteRetentionPolicy")
        )
    ),
    severity=HIGH,
    rationale="Azure rejects other times.",
    fix="Set days to a number from 1 to 365.",
    sources=("Azure Storage documentation, soft delete for blobs",),
)
RULES.row(
    "az-blob-service-name",
    "The blob service of an account is called default.",
    on=STORAGE_BLOB_SERVICE_PROPERTIES,
    check=Where(Given("blobServicesName"), Is("blobServicesName", "default")),
    severity=HIGH,
    rationale="An account has one, and Azure knows no other name of it.",
    fix="Set blobServicesName to default, or leave it out.",
    sources=("Azure Storage documentation, soft delete for blobs",),
)
RULES.row(
    "az-storage-key-identity",
    "An account that is encrypted with a customer's key acts as somebody.",
    on=STORAGE_ACCOUNT,
    check=Where(Is("encryption.keySource", "Microsoft.Keyvault"), Matches("identity.type", r"(?i).*assigned.*")),
    severity=HIGH,
    rationale="The account reads its key as an identity, and Azure rejects one that has none.",
    fix="Set identity.type to UserAssigned with an identity that may use the key, or to SystemAssigned.",
    sources=("Azure Storage documentation, customer-managed keys",),
)
RULES.row(
    "az-storage-tls",
    "The oldest TLS of a storage account is a version that Azure writes so.",
    on=STORAGE_ACCOUNT,
    check=Where(Given("minimumTlsVersion"), OneOf("minimumTlsVersion", ("TLS1_0", "TLS1_1", "TLS1_2", "TLS1_3"))),
    severity=HIGH,
    rationale="Azure rejects other words.",
    fix="Set minimumTlsVersion to TLS1_2.",
    sources=("Azure Storage documentation, minimum version of TLS",),
)
RULES.row(
    "az-lustre-key-identity",
    "A file system that is encrypted with a customer's key acts as an identity of the user's own.",
    on=STORAGECACHE_AML_FILESYSTEM,
    check=Where(Given("encryptionSettings.keyEncryptionKey"), Matches("identity.type", r"(?i).*userassigned.*")),
    severity=HIGH,
    rationale="The file system reads its key as that identity, and Azure rejects one that has none.",
    fix="Set identity.type to UserAssigned, with an identity that may use the key.",
    sources=("Azure Managed Lustre documentation, customer-managed keys",),
)
RULES.row(
    "az-lustre-zone-number",
    "The zone of a file system is 1, 2 or 3.",
    on=STORAGECACHE_AML_FILESYSTEM,
    check=Where(Given("zones"), OneOf("zones[]", ("1", "2", "3"))),
    severity=HIGH,
    rationale="Azure numbers the zones of a region from 1 to 3.",
    fix="Set zones to one of 1, 2 and 3.",
    sources=("Azure documentation, availability zones",),
)
RULES.row(
    "az-lustre-sku",
    "A file system has a throughput that Azure sells.",
    on=STORAGECACHE_AML_FILESYSTEM,
    check=Where(Given("sku.name"), OneOf("sku.name", lustre.skus())),
    severity=HIGH,
    rationale="Azure rejects other SKUs.",
    fix="Set sku.name to AMLFS-Durable-Premium-40, -125, -250 or -500.",
    sources=("Azure Managed Lustre documentation, create a file system",),
)
RULES.row(
    "az-postgres-version",
    "A PostgreSQL server is of a major version that Azure still creates.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Where(Given("version"), AtLeast("version", _OLDEST_POSTGRES)),
    severity=HIGH,
    rationale="Azure creates no servers of versions that have ended.",
    fix="Set version to 16 or 17.",
    sources=("Azure Database for PostgreSQL documentation, supported versions",),
)
RULES.row(
    "az-postgres-maintenance",
    "The day of maintenance of a PostgreSQL server is 0 to 6.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Where(
        Given("maintenanceWindow.dayOfWeek"),
        All(AtLeast("maintenanceWindow.dayOfWeek", 0), AtMost("maintenanceWindow.dayOfWeek", _LAST_DAY)),
    ),
    severity=HIGH,
    rationale="Azure counts the days of a week from 0, Sunday, and rejects others.",
    fix="Set maintenanceWindow.dayOfWeek to a number from 0 to 6.",
    sources=("Azure Database for PostgreSQL documentation, scheduled maintenance",),
)
RULES.row(
    "az-postgres-somebody",
    "A PostgreSQL server with passwords has an administrator.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Where(
        Either(Is("createMode", "Default"), Is("createMode", "Create")),
        Where(
            Given("authConfig"),
            Where(IsNot("authConfig.passwordAuth", "Disabled"), Given("administratorLogin")),
        ),
    ),
    severity=HIGH,
    rationale="Azure creates no server with passwords and without the login of an administrator.",
    fix="Set administratorLogin and administratorLoginPassword, or authConfig.passwordAuth to Disabled.",
    sources=("Pulumi Azure Native, dbforpostgresql.Server: administrator login",),
)


@RULES.rule(
    on=KEYVAULT_VAULT,
    severity=HIGH,
    rationale="Azure wants access policies of a vault that roles do not open.",
    fix="Set properties.enableRbacAuthorization to true, or list properties.accessPolicies.",
    sources=("Key Vault documentation, RBAC guide",),
)
def az_vault_somebody(vault: View) -> Verdict:
    """A vault is opened by roles or by policies of its own."""
    properties = vault.block("properties")
    if properties is None or properties.text("createMode") == "recover":
        return NOT_APPLICABLE
    opened = properties.flag("enableRbacAuthorization") or "accessPolicies" in properties
    path = properties.at("enableRbacAuthorization")
    return allow(opened, "neither roles nor policies open the vault", hint="Use true.", path=path)


RULES.row(
    "az-logs-kept-days",
    "Logs of a workspace are kept for 30 to 730 days.",
    on=OPERATIONALINSIGHTS_WORKSPACE,
    check=Where(
        All(Given("retentionInDays"), Is("sku.name", "PerGB2018")),
        All(AtLeast("retentionInDays", _LOG_DAYS[0]), AtMost("retentionInDays", _LOG_DAYS[1])),
    ),
    severity=HIGH,
    rationale="Azure rejects other periods.",
    fix="Set retentionInDays to a number from 30 to 730.",
    sources=("Azure Monitor documentation, data retention",),
)
RULES.row(
    "az-aks-maintenance-hours",
    "A maintenance window of a cluster is 4 to 24 hours long.",
    on="azure-native:containerservice:MaintenanceConfiguration",
    check=Each("maintenanceWindow", All(AtLeast("durationHours", _WINDOW[0]), AtMost("durationHours", _WINDOW[1]))),
    severity=HIGH,
    rationale="AKS rejects shorter and longer windows: an upgrade needs hours.",
    fix="Set maintenanceWindow.durationHours to a number from 4 to 24.",
    sources=("Pulumi Azure Native, containerservice.MaintenanceConfiguration: maintenance window",),
)
