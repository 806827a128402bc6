"""Encryption at rest on Azure, which encrypts what it stores: whose keys do it, and what it leaves out."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import (
    AZUREFLEET_FLEET,
    COGNITIVESERVICES_ACCOUNT,
    COMPUTE_DISK,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    COSMOSDB_DATABASE_ACCOUNT,
    DATABRICKS_WORKSPACE,
    DBFORMYSQL_SERVER,
    DBFORPOSTGRESQL_SERVER,
    DISCOVERY_WORKSPACE,
    KEYVAULT_KEY,
    KUSTO_CLUSTER,
    MACHINELEARNINGSERVICES_WORKSPACE,
    NETAPP_ACCOUNT,
    REDISENTERPRISE_REDIS_ENTERPRISE,
    SEARCH_SERVICE,
    SQL_SERVER,
    STORAGE_ACCOUNT,
    STORAGECACHE_AML_FILESYSTEM,
    SYNAPSE_WORKSPACE,
)
from penstock.graph.verdict import allow
from penstock.rules.checks import (
    Absent,
    All,
    ByType,
    Check,
    Custom,
    Each,
    Either,
    Given,
    Is,
    IsNot,
    Joined,
    NoneOf,
    OneOf,
    Where,
)
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.AT_REST)

_OWN_KEYS = ("EncryptionAtRestWithCustomerKey", "EncryptionAtRestWithPlatformAndCustomerKeys")

_BY_OWN_KEY = Is("encryption.keySource", "Microsoft.Keyvault")

RULES.row(
    "az-storage-cmk",
    "A storage account encrypts with a key of the customer's own.",
    on=STORAGE_ACCOUNT,
    check=All(_BY_OWN_KEY, Where(_BY_OWN_KEY, Given("encryption.keyVaultProperties.keyName"))),
    severity=MEDIUM,
    rationale="With Microsoft's key nobody can put data sets and models out of reach, as by disabling a key.",
    fix=(
        "Set encryption.keySource to Microsoft.Keyvault with keyVaultProperties and an identity that may use the key; "
        "purge protection must guard it, because without it the data is lost."
    ),
    peers="CKV2_AZURE_1 AZU-0060 KICS:9bf1568d",
    cis=("Azure 2.1: 3.12†",),
)
RULES.row(
    "az-storage-infra-enc",
    "A storage account encrypts twice.",
    on=STORAGE_ACCOUNT,
    check=Is("encryption.requireInfrastructureEncryption", value=True),
    severity=LOW,
    rationale="Regulators that ask for two layers, so that one broken cipher or key is not enough, find only one.",
    fix="Set encryption.requireInfrastructureEncryption to true, which replaces the account; copy its data first.",
    peers="AZU-0061",
    cis=("Azure 2.1: 3.2†",),
)
_HAS_KEYS = Given("encryption.diskEncryptionSetId")
_MADE_WITH_KEYS = Where(
    NoneOf("createOption", ("Attach",)),  # what is attached is a disk of its own
    Either(Given("managedDisk.diskEncryptionSet.id"), Given("managedDisk.securityProfile.diskEncryptionSet.id")),
)


def _disks(profile: str) -> Check:
    """Disks that are created together with their machine; an ephemeral one lies on the host."""
    return All(
        Each(f"{profile}.osDisk", Where(Absent("diffDiskSettings.option"), _MADE_WITH_KEYS)),
        Each(f"{profile}.dataDisks[]", _MADE_WITH_KEYS),
    )


RULES.row(
    "az-disk-des",
    "A disk is encrypted with a key of the customer's own.",
    on=(COMPUTE_DISK, COMPUTE_VIRTUAL_MACHINE, COMPUTE_VIRTUAL_MACHINE_SCALE_SET, AZUREFLEET_FLEET),
    check=ByType(
        {
            COMPUTE_DISK: Where(
                IsNot("encryptionSettingsCollection.enabled", value=True),  # by the machine, with keys of a vault
                All(_HAS_KEYS, Where(_HAS_KEYS, OneOf("encryption.type", _OWN_KEYS))),
            ),
            COMPUTE_VIRTUAL_MACHINE: _disks("storageProfile"),
            COMPUTE_VIRTUAL_MACHINE_SCALE_SET: _disks("virtualMachineProfile.storageProfile"),
            AZUREFLEET_FLEET: _disks("computeProfile.baseVirtualMachineProfile.storageProfile"),
        }
    ),
    severity=MEDIUM,
    rationale="A disk that someone exports, or a snapshot of it, opens anywhere: no key can be withdrawn.",
    fix="Set encryption with diskEncryptionSetId and type EncryptionAtRestWithCustomerKey, or for a disk of a machine "
    "managedDisk.diskEncryptionSet.id; detach the disk for that, or deallocate its machine.",
    peers="CKV_AZURE_93 CKV_AZURE_2 AZU-0038 KICS:350f3955 KICS:a99130ab KICS:68403c84 CKV2_AZURE_14",
    cis=("Azure 2.1: 7.3†",),
)
RULES.row(
    "az-vmss-host-enc",
    "Machines of a scale set encrypt at the host.",
    on=COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    check=Is("virtualMachineProfile.securityProfile.encryptionAtHost", value=True),
    severity=MEDIUM,
    rationale="Temporary disks and caches, where training spills its data, lie on the host's disks in clear.",
    fix=(
        "Set virtualMachineProfile.securityProfile.encryptionAtHost to true, once the subscription has the feature and "
        "the size supports it; machines get it when they are replaced."
    ),
    peers="CKV_AZURE_97 KICS:30c7c2f1",
)
RULES.row(
    "az-vm-host-enc",
    "A machine encrypts at the host.",
    on=COMPUTE_VIRTUAL_MACHINE,
    check=Is("securityProfile.encryptionAtHost", value=True),
    severity=MEDIUM,
    rationale="Temporary disks and caches, where training spills its data, lie on the host's disks in clear.",
    fix=(
        "Set securityProfile.encryptionAtHost to true, once the subscription has the feature and the size supports it; "
        "the machine must be stopped for that, and must not use Azure Disk Encryption."
    ),
    peers="CKV_AZURE_151 KICS:30c7c2f1",
)
RULES.row(
    "az-aks-host-enc",
    "Nodes encrypt at the host.",
    on=(CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER),
    check=ByType(
        {
            CONTAINERSERVICE_AGENT_POOL: Is("enableEncryptionAtHost", value=True),
            CONTAINERSERVICE_MANAGED_CLUSTER: Each("agentPoolProfiles[]", Is("enableEncryptionAtHost", value=True)),
        }
    ),
    severity=MEDIUM,
    rationale="Images, volumes of pods and caches lie on the temporary disk of the host in clear.",
    fix="Set enableEncryptionAtHost to true, where the size of the machines supports it; the pool is replaced, and its "
    "pods move.",
    peers="CKV_AZURE_227",
)
RULES.row(
    "az-aks-des",
    "A cluster has disks under a key of the customer's own.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Given("diskEncryptionSetID"),
    severity=MEDIUM,
    rationale="Disks of nodes and volumes of pods open with Microsoft's key, which nobody else can withdraw.",
    fix="Set diskEncryptionSetID to a disk encryption set; it counts at creation only, so the cluster is "
    "replaced with all that runs in it.",
    peers="CKV_AZURE_117 AZU-0067 KICS:b17d8bb8",
)
_HAS_KMS = Is("securityProfile.azureKeyVaultKms.enabled", value=True)

RULES.row(
    "az-aks-kms",
    "A cluster encrypts Kubernetes secrets with a key of the customer's own.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=All(_HAS_KMS, Where(_HAS_KMS, Given("securityProfile.azureKeyVaultKms.keyId"))),
    severity=MEDIUM,
    rationale="Tokens and passwords in etcd are encrypted with a Microsoft key only, which nobody else can withdraw.",
    fix=(
        "Set securityProfile.azureKeyVaultKms with enabled and keyId; then update every secret once, and never delete "
        "the key: the cluster does not come up without it."
    ),
    cis=("AKS 1.5: 5.3.1†",),
)
RULES.row(
    "az-aks-fips",
    "Where FIPS is enabled, nodes run an image that is validated for it.",
    on=(CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER),
    check=Where(
        Custom(lambda _, settings: allow(settings.parameters.fips, "nobody asks for it")),
        ByType(
            {
                CONTAINERSERVICE_AGENT_POOL: Is("enableFIPS", value=True),
                CONTAINERSERVICE_MANAGED_CLUSTER: Each("agentPoolProfiles[]", Is("enableFIPS", value=True)),
            }
        ),
    ),
    severity=LOW,
    rationale="An auditor who asks for validated cryptography does not accept what other images encrypt with.",
    fix="Set enableFIPS to true; the pool gets another image.",
)
RULES.row(
    "az-amlfs-cmk",
    "A Lustre file system is encrypted with a key of the customer's own.",
    on=STORAGECACHE_AML_FILESYSTEM,
    check=Given("encryptionSettings.keyEncryptionKey.keyUrl"),
    severity=MEDIUM,
    rationale="Training data and checkpoints lie under a key that nobody outside of Microsoft can withdraw.",
    fix="Set encryptionSettings.keyEncryptionKey and an identity that may use the key; the file system is "
    "replaced, so export its data first.",
)
RULES.row(
    "az-netapp-cmk",
    "A NetApp account encrypts with a key of the customer's own.",
    on=NETAPP_ACCOUNT,
    check=Is("encryption.keySource", "Microsoft.KeyVault"),
    severity=LOW,
    rationale="Volumes of all teams open with Microsoft's key, which nobody else can withdraw.",
    fix="Set encryption.keySource to Microsoft.KeyVault with keyVaultProperties; existing volumes keep their key.",
)
RULES.row(
    "az-acr-cmk",
    "A premium registry encrypts with a key of the customer's own.",
    on=CONTAINERREGISTRY_REGISTRY,
    check=Where(Is("sku.name", "Premium"), Is("encryption.status", "enabled")),
    severity=LOW,
    rationale="Images carry code and often weights, under a key that nobody outside of Microsoft can withdraw.",
    fix="Set encryption with status enabled and keyVaultProperties; it counts at creation only, so the registry is "
    "replaced, and its images are pushed again.",
)
RULES.row(
    "az-pg-cmk",
    "A PostgreSQL server is encrypted with a key of the customer's own.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Is("dataEncryption.type", "AzureKeyVault"),
    severity=MEDIUM,
    rationale="Backups stay readable as long as Microsoft keeps its key, whatever happened to the subscription.",
    fix="Set dataEncryption with type AzureKeyVault and primaryKeyURI; it counts at creation only, so the server is "
    "replaced, and its data is restored from a dump.",
    peers="CKV2_AZURE_17",
)
RULES.row(
    "az-kv-key-hsm",
    "A key lives in hardware.",
    on=KEYVAULT_KEY,
    check=OneOf("properties.kty", ("RSA-HSM", "EC-HSM")),
    severity=LOW,
    rationale="A key in software can be copied by whoever breaks into the service, and some rules ask for hardware.",
    fix="Set properties.kty to RSA-HSM or EC-HSM in a premium vault; the key is recreated, and what "
    "the old one encrypts must move to it first.",
    peers="CKV_AZURE_112 KICS:fbb8e5e0",
)
RULES.row(
    "az-ml-ws-cmk",
    "A machine learning workspace encrypts with a key of the customer's own.",
    on=MACHINELEARNINGSERVICES_WORKSPACE,
    check=Where(IsNot("kind", "Project"), Is("encryption.status", "Enabled")),
    severity=MEDIUM,
    rationale=(
        "Runs, metrics and lists of models are in a database of Microsoft's, under a key that nobody can withdraw."
    ),
    fix="Set encryption with status Enabled and keyVaultProperties; it counts at creation only, so the workspace is "
    "replaced with its runs and models.",
)
RULES.row(
    "az-cognitive-cmk",
    "An account of AI services encrypts with a key of the customer's own.",
    on=COGNITIVESERVICES_ACCOUNT,
    check=Where(IsNot("sku.name", "F0"), Is("properties.encryption.keySource", "Microsoft.KeyVault")),
    severity=MEDIUM,
    rationale="Files for fine-tuning, and models made of them, lie under a key that nobody else can withdraw.",
    fix="Set properties.encryption.keySource to Microsoft.KeyVault with keyVaultProperties.",
    peers="CKV2_AZURE_22",
)
_KEEPS: Final = {
    COSMOSDB_DATABASE_ACCOUNT: Given("keyVaultKeyUri"),
    DATABRICKS_WORKSPACE: Given("encryption.entities.managedServices.keyVaultProperties"),
    DBFORMYSQL_SERVER: Is("dataEncryption.type", "AzureKeyVault"),
    DISCOVERY_WORKSPACE: Is("properties.customerManagedKeys", "Enabled"),
    KUSTO_CLUSTER: Given("keyVaultProperties.keyName"),
    REDISENTERPRISE_REDIS_ENTERPRISE: Given("encryption.customerManagedKeyEncryption"),
    SEARCH_SERVICE: Where(IsNot("sku.name", "free"), Is("encryptionWithCmk.enforcement", "Enabled")),
    SQL_SERVER: Either(
        Given("keyId"),
        Joined(
            (("azure-native:sql:EncryptionProtector", "serverName"),),
            "no encryption protector brings a key",
            Is("serverKeyType", "AzureKeyVault"),
        ),
    ),
    SYNAPSE_WORKSPACE: Given("encryption.cmk.key"),
}
"""Where stores of data name the key that encrypts them."""

RULES.row(
    "az-data-cmk",
    "A store of data beside PostgreSQL is encrypted with a key of the customer's own.",
    on=tuple(_KEEPS),
    check=ByType(_KEEPS),
    severity=MEDIUM,
    rationale="Rows, documents and indexes lie under a key that nobody outside of Microsoft can withdraw.",
    fix="Name a key of a vault (keyVaultKeyUri, keyId, dataEncryption, keyVaultProperties, encryption) and an identity "
    "that may use it. Databricks needs sku.name premium. Synapse and Discovery take a key at creation only, which "
    "replaces the workspace with its data.",
    peers="CKV_AZURE_100 KICS:416ac446 CKV2_AZURE_16 CKV2_AZURE_11 CKV_AZURE_240",
)
