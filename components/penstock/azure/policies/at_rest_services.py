"""Encryption at rest on Azure: keys of platforms and messaging, databases, and disks outside of managed storage."""

from __future__ import annotations

from typing import Final

from penstock.rules.checks import Absent, All, ByType, Given, Is, IsNot, Joined, NoneOf, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.AT_REST)

_DATABRICKS: Final = "azure-native:databricks:Workspace"
_BUS: Final = "azure-native:servicebus:Namespace"
_KUSTO: Final = "azure-native:kusto:Cluster"
_PREMIUM: Final = Is("sku.name", "Premium")
_FROM_VAULT: Final = Is("encryption.keySource", "Microsoft.KeyVault")
_KEYS: Final = {
    "azure-native:appconfiguration:ConfigurationStore": Where(
        NoneOf("sku.name", ("free", "developer")), Given("encryption.keyVaultProperties.keyIdentifier")
    ),
    "azure-native:automation:AutomationAccount": _FROM_VAULT,
    "azure-native:batch:BatchAccount": _FROM_VAULT,
    "azure-native:datafactory:Factory": Given("encryption.keyName"),
    "azure-native:eventhub:Namespace": Where(_PREMIUM, _FROM_VAULT),
    _BUS: Where(_PREMIUM, _FROM_VAULT),
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
    on=_DATABRICKS,
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
    on=_KUSTO,
    check=Is("enableDiskEncryption", value=True),
    severity=MEDIUM,
    rationale="Caches of tables lie on the local disks of the machines in clear text.",
    fix="Set enableDiskEncryption to true.",
    peers="CKV_AZURE_74",
)
RULES.row(
    "az-double-encryption",
    "Data Explorer and premium Service Bus encrypt twice.",
    on=(_KUSTO, _BUS),
    check=ByType(
        {
            _KUSTO: Is("enableDoubleEncryption", value=True),
            _BUS: Where(_PREMIUM, Is("encryption.requireInfrastructureEncryption", value=True)),
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
    on="azure-native:automation:Variable",
    check=Is("isEncrypted", value=True),
    severity=MEDIUM,
    rationale="Every reader of the account sees the value, and values of runbooks are often passwords.",
    fix="Set isEncrypted to true; it counts at creation only, so the variable is replaced.",
    peers="CKV_AZURE_73",
)

_TDE: Final = "azure-native:sql:TransparentDataEncryption"
_POOL: Final = "azure-native:synapse:SqlPool"

RULES.row(
    "az-sql-tde",
    "SQL databases and pools are encrypted.",
    on=(_TDE, _POOL),
    check=ByType(
        {
            _TDE: IsNot("state", "Disabled"),
            _POOL: Joined(
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

_MACHINE: Final = "azure-native:compute:VirtualMachine"
_SCALE_SET: Final = "azure-native:compute:VirtualMachineScaleSet"

RULES.row(
    "az-vm-managed-disks",
    "Machines have managed disks.",
    on=(_MACHINE, _SCALE_SET),
    check=ByType(
        {
            _MACHINE: All(Absent("storageProfile.osDisk.vhd.uri"), Absent("storageProfile.dataDisks[].vhd.uri")),
            _SCALE_SET: Absent("virtualMachineProfile.storageProfile.osDisk.vhdContainers"),
        }
    ),
    severity=MEDIUM,
    rationale="Disks are blobs of a storage account, and its keys and links read and overwrite them.",
    fix="Remove vhd (vhdContainers) and set managedDisk; convert the disks of existing machines.",
    peers="CKV_AZURE_92 CKV2_AZURE_9 KICS:0536c90c",
    cis=("Azure 2.1: 7.2†",),
)
