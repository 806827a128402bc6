"""Secrets on Azure: how they are kept and exchanged, and where they must not stand."""

from __future__ import annotations

from typing import Final

from penstock_policies.checks import All, AtLeast, ByType, Either, Given, Is, Where
from penstock_policies.plain_secrets import NoSecretAmong, NoSecretIn
from penstock_policies.rule import CRITICAL, HIGH, LOW, MEDIUM, Concern, Rules

RULES = Rules(Concern.SECRETS)

_SECRET: Final = "azure-native:keyvault:Secret"  # noqa: S105 - a type
_SCRIPTS: Final = {
    "azure-native:compute:VirtualMachine": All(NoSecretIn("osProfile.customData"), NoSecretIn("userData")),
    "azure-native:compute:VirtualMachineScaleSet": All(
        NoSecretIn("virtualMachineProfile.osProfile.customData"),
        NoSecretIn("virtualMachineProfile.userData"),
        NoSecretIn("virtualMachineProfile.extensionProfile.extensions[].settings.commandToExecute"),
    ),
    "azure-native:compute:VirtualMachineExtension": All(
        NoSecretIn("settings.commandToExecute"), NoSecretIn("settings.script")
    ),
    "azure-native:compute:VirtualMachineRunCommandByVirtualMachine": All(
        NoSecretIn("source.script"), NoSecretAmong("parameters")
    ),
}
_RUNS: Final = {
    "azure-native:app:ContainerApp": All(
        NoSecretAmong("template.containers[].env"), NoSecretAmong("template.initContainers[].env")
    ),
    "azure-native:app:Job": All(
        NoSecretAmong("template.containers[].env"), NoSecretAmong("template.initContainers[].env")
    ),
    "azure-native:containerinstance:ContainerGroup": All(
        NoSecretAmong("containers[].environmentVariables"), NoSecretAmong("initContainers[].environmentVariables")
    ),
    "azure-native:web:WebApp": NoSecretAmong("siteConfig.appSettings"),
    "azure-native:web:WebAppApplicationSettings": NoSecretAmong("properties"),
}

RULES.row(
    "az-kv-soft-delete",
    "What is deleted in a vault can be brought back, and nobody can prevent that.",
    on="azure-native:keyvault:Vault",
    check=All(
        Is("properties.enableSoftDelete", value=True),
        Is("properties.enablePurgeProtection", value=True),
        AtLeast("properties.softDeleteRetentionInDays", 7),
    ),
    weight=HIGH,
    why="Whoever purges a key destroys all data that it encrypts, by a slip or for a ransom.",
    fix="Set properties.enablePurgeProtection to true, which cannot be taken back: the vault's name stays taken for "
    "softDeleteRetentionInDays after it is deleted.",
    peers="CKV_AZURE_110 CKV_AZURE_111 CKV_AZURE_42 AZU-0016",
    cis=("Azure 8.5†",),
)
RULES.row(
    "az-kv-secret-expiry",
    "A secret expires.",
    on=_SECRET,
    check=Given("properties.attributes.expires"),
    weight=LOW,
    why="A secret that leaked unnoticed stays good for years, and nobody is reminded to exchange it.",
    fix="Set properties.attributes.expires, and let Event Grid tell before that day.",
    peers="CKV_AZURE_41 AZU-0017",
    cis=("Azure 8.3†",),
)
RULES.row(
    "az-kv-secret-content-type",
    "A secret says what it is.",
    on=_SECRET,
    check=Given("properties.contentType"),
    weight=LOW,
    why="Who must exchange it in a hurry does not know whether it is a password, a certificate or a connection string.",
    fix="Set properties.contentType, such as text/plain or application/x-pkcs12.",
    peers="CKV_AZURE_114 AZU-0015",
)
RULES.row(
    "az-kv-key-expiry",
    "A key expires, or Key Vault exchanges it by itself.",
    on="azure-native:keyvault:Key",
    check=Either(Given("properties.attributes.expires"), Given("properties.rotationPolicy.lifetimeActions")),
    weight=MEDIUM,
    why="The longer one version of a key is used, the more data is open to whoever gets hold of it.",
    fix="Set properties.rotationPolicy with a lifetimeActions of type rotate, or properties.attributes.expires; a key "
    "that expires without rotation stops what it encrypts.",
    peers="CKV_AZURE_40 AZU-0014",
    cis=("Azure 8.1†",),
)
RULES.row(
    "az-aks-csi-rotation",
    "The driver that mounts secrets from a vault fetches new versions.",
    on="azure-native:containerservice:ManagedCluster",
    check=Where(
        Is("addonProfiles.azureKeyvaultSecretsProvider.enabled", value=True),
        Is("addonProfiles.azureKeyvaultSecretsProvider.config.enableSecretRotation", value=True),
    ),
    weight=MEDIUM,
    why="Pods go on with the old secret after it was exchanged, and fail when that is turned off.",
    fix='Set addonProfiles.azureKeyvaultSecretsProvider.config.enableSecretRotation to "true".',
    peers="CKV_AZURE_172",
)
RULES.row(
    "az-vm-no-secret-customdata",
    "What a machine is told to run holds no secret.",
    on=tuple(_SCRIPTS),
    check=ByType(_SCRIPTS),
    weight=CRITICAL,
    why="Custom data stays on the machine's disk and user data in its metadata service, for every process to read, and "
    "commands in the settings of extensions for everyone who may look at the machine.",
    fix="Put the secret into a vault, and let the script read it there with the machine's identity, or use "
    "protectedSettings of an extension; then replace the secret, for it has been read.",
)
RULES.row(
    "az-app-no-literal-secret",
    "Variables of container apps, container groups and web apps hold no secrets in clear.",
    on=tuple(_RUNS),
    check=ByType(_RUNS),
    weight=CRITICAL,
    why="Whoever may look at the resource reads them, in the portal and in every older revision.",
    fix="Use secretRef in container apps, secureValue in container groups and a reference to a vault "
    "(@Microsoft.KeyVault) in web apps; then replace the secret, for it has been read.",
)
