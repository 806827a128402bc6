"""Encryption at rest on Azure: keys of platforms and messaging, databases, and disks outside of managed storage."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import (
    APPCONFIGURATION_CONFIGURATION_STORE,
    AUTOMATION_ACCOUNT,
    AUTOMATION_VARIABLE,
    BATCH_ACCOUNT,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    DATABRICKS_WORKSPACE,
    DATAFACTORY_FACTORY,
    EVENTHUB_NAMESPACE,
    KUSTO_CLUSTER,
    SERVICEBUS_NAMESPACE,
    SYNAPSE_SQL_POOL,
)
from penstock.rules.checks import Absent, All, ByType, Given, Is, IsNot, Joined, NoneOf, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.AT_REST)

_PREMIUM: Final = Is("sku.name", "Premium")
_FROM_VAULT: Final = Is("encryption.keySource", "Microsoft.KeyVault")
_KEYS: Final = {
    APPCONFIGURATION_CONFIGURATION_STORE: Where(
        NoneOf("sku.name", ("free", "developer")), Given("encryption.keyVaultProperties.keyIdentifier")
    ),
    AUTOMATION_ACCOUNT: _FROM_VAULT,
    BATCH_ACCOUNT: _FROM_VAULT,
    DATAFACTORY_FACTORY: Given("encryption.keyName"),
    EVENTHUB_NAMESPACE: Where(_PREMIUM, _FROM_VAULT),
    SERVICEBUS_NAMESPACE: Where(_PREMIUM, _FROM_VAULT),
}

RULES.row(
    "az-platform-cmk",
    "Batch, Data Factory, Automation, queues and configuration stores encrypt with a key of the customer's own.",
    on=tuple(_KEYS),
    check=ByType(_KEYS),
    severity=MEDIUM,
    rationale="Jobs, messages and credentials are encrypted with a Microsoft key, which only Microsoft can withdraw.",
    fix="Set encryption.keySource to Microsoft.KeyVault with a key and an identity that may use it; Data Factory has "
    "encryption.keyName and vaultBaseUrl, App Configuration encryption.keyVaultProperties. Factories and namespaces "
    "must be empty for it.",
    peers="CKV_AZURE_76 CKV2_AZURE_15 CKV_AZURE_201 CKV_AZURE_186",
)
RULES.row(
    "az-databricks-root-key",
    "Databricks encrypts its root storage with a key of the customer's own.",
    on=DATABRICKS_WORKSPACE,
    check=Where(
        IsNot("computeMode", "Serverless"),  # has no storage account of its own
        Is("parameters.encryption.value.keySource", "Microsoft.Keyvault"),
    ),
    severity=MEDIUM,
    rationale="Notebook results, libraries and job logs are encrypted with a Microsoft key, which only Microsoft can "
    "withdraw.",
    fix="Set parameters.prepareEncryption to true, and parameters.encryption with keySource Microsoft.Keyvault, "
    "KeyName, keyversion and keyvaulturi; the workspace needs sku.name premium.",
    peers="CKV2_AZURE_48",
)
RULES.row(
    "az-kusto-disk",
    "Data Explorer encrypts the disks of its machines.",
    on=KUSTO_CLUSTER,
    check=Is("enableDiskEncryption", value=True),
    severity=MEDIUM,
    rationale="Caches of tables lie on the local disks of the machines in clear text.",
    fix="Set enableDiskEncryption to true.",
    peers="CKV_AZURE_74",
)
RULES.row(
    "az-double-encryption",
    "Data Explorer and premium Service Bus encrypt twice.",
    on=(KUSTO_CLUSTER, SERVICEBUS_NAMESPACE),
    check=ByType(
        {
            KUSTO_CLUSTER: Is("enableDoubleEncryption", value=True),
            SERVICEBUS_NAMESPACE: Where(_PREMIUM, Is("encryption.requireInfrastructureEncryption", value=True)),
        }
    ),
    severity=LOW,
    rationale="Regulators that ask for two layers, so that one broken cipher or key is not enough, find only one.",
    fix="Set enableDoubleEncryption (encryption.requireInfrastructureEncryption of a namespace, with a key of its own) "
    "to true; it counts at creation only, so the cluster or the namespace is replaced with its data.",
    peers="CKV_AZURE_75 CKV_AZURE_199",
)
RULES.row(
    "az-automation-encrypted",
    "Variables of an automation account are encrypted.",
    on=AUTOMATION_VARIABLE,
    check=Is("isEncrypted", value=True),
    severity=MEDIUM,
    rationale="Every reader of the account sees the value, and values of runbooks are often passwords.",
    fix="Set isEncrypted to true; it counts at creation only, so the variable is replaced.",
    peers="CKV_AZURE_73",
)

_TDE: Final = "azure-native:sql:TransparentDataEncryption"

RULES.row(
    "az-sql-tde",
    "SQL databases and pools are encrypted.",
    on=(_TDE, SYNAPSE_SQL_POOL),
    check=ByType(
        {
            _TDE: IsNot("state", "Disabled"),
            SYNAPSE_SQL_POOL: Joined(
                (("azure-native:synapse:SqlPoolTransparentDataEncryption", "sqlPoolName"),),
                "nothing enables transparent data encryption",
                Is("status", "Enabled"),
            ),
        }
    ),
    severity=MEDIUM,
    rationale="Whoever gets hold of the files or backups of the database reads every row without a key.",
    fix="Set state to Enabled, or remove the resource, because Azure SQL encrypts by default. A pool of Synapse needs "
    "a SqlPoolTransparentDataEncryption with status Enabled.",
    peers="KICS:0745bb3f CKV2_AZURE_25 CKV_AZURE_241",
    cis=("Azure 2.1: 4.1.5†",),
)


RULES.row(
    "az-vm-managed-disks",
    "Machines have managed disks.",
    on=(COMPUTE_VIRTUAL_MACHINE, COMPUTE_VIRTUAL_MACHINE_SCALE_SET),
    check=ByType(
        {
            COMPUTE_VIRTUAL_MACHINE: All(
                Absent("storageProfile.osDisk.vhd.uri"), Absent("storageProfile.dataDisks[].vhd.uri")
            ),
            COMPUTE_VIRTUAL_MACHINE_SCALE_SET: Absent("virtualMachineProfile.storageProfile.osDisk.vhdContainers"),
        }
    ),
    severity=MEDIUM,
    rationale="Disks are blobs of a storage account, and its keys and links read and overwrite them.",
    fix="Remove vhd (vhdContainers) and set managedDisk; convert the disks of existing machines.",
    peers="CKV_AZURE_92 CKV2_AZURE_9 KICS:0536c90c",
    cis=("Azure 2.1: 7.2†",),
)
