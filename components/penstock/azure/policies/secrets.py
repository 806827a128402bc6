"""Secrets on Azure: how they are kept and exchanged, and where they must not be."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import (
    APP_CONTAINER_APP,
    APP_CONTAINER_APPS_SESSION_POOL,
    APP_JOB,
    AUTOMATION_VARIABLE,
    AZUREFLEET_FLEET,
    BATCH_POOL,
    COGNITIVESERVICES_ACCOUNT_CONNECTION,
    COGNITIVESERVICES_PROJECT_CONNECTION,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_EXTENSION,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET_EXTENSION,
    CONTAINERINSTANCE_CONTAINER_GROUP,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DBFORMYSQL_SERVER,
    DBFORPOSTGRESQL_SERVER,
    HORIZONDB_HORIZON_DB_CLUSTER,
    KEYVAULT_KEY,
    KEYVAULT_VAULT,
    MACHINELEARNINGSERVICES_BATCH_DEPLOYMENT,
    MACHINELEARNINGSERVICES_COMPUTE,
    MACHINELEARNINGSERVICES_DATASTORE,
    MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT,
    MACHINELEARNINGSERVICES_WORKSPACE_CONNECTION,
    MONGOCLUSTER_MONGO_CLUSTER,
    SQL_MANAGED_INSTANCE,
    SQL_SERVER,
    SYNAPSE_WORKSPACE,
    WEB_APP,
    WEB_APP_SLOT,
)
from penstock.graph.property_path import Location
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, UNKNOWN, Verdict, allow, each
from penstock.graph.view import View
from penstock.policies.plain_secrets import NoSecretAmong, NoSecretIn, judge_variable
from penstock.policies.tags import taggable_types
from penstock.rules.checks import Absent, All, AtLeast, ByType, Check, Custom, Each, Either, Given, Is, Where
from penstock.rules.levels import CRITICAL, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SECRETS)

_SECRET: Final = "azure-native:keyvault:Secret"  # noqa: S105 - a type
_OF_EXTENSION: Final = All(
    NoSecretIn("settings.commandToExecute"), NoSecretIn("settings.script"), NoSecretIn("settings.fileUris[]")
)
_OF_RUN_COMMAND: Final = All(NoSecretIn("source.script"), NoSecretAmong("parameters"))
_OF_DEPLOYMENT: Final = All(NoSecretIn("scriptContent"), NoSecretIn("arguments"), NoSecretAmong("environmentVariables"))
_OF_FLEET: Final = "computeProfile.baseVirtualMachineProfile"
_SCRIPTS: Final = {
    COMPUTE_VIRTUAL_MACHINE: All(NoSecretIn("osProfile.customData"), NoSecretIn("userData")),
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET: All(
        NoSecretIn("virtualMachineProfile.osProfile.customData"),
        NoSecretIn("virtualMachineProfile.userData"),
        Each("virtualMachineProfile.extensionProfile.extensions[]", _OF_EXTENSION),
    ),
    AZUREFLEET_FLEET: All(
        NoSecretIn(f"{_OF_FLEET}.osProfile.customData"),
        NoSecretIn(f"{_OF_FLEET}.userData"),
        Each(f"{_OF_FLEET}.extensionProfile.extensions[].properties", _OF_EXTENSION),
    ),
    COMPUTE_VIRTUAL_MACHINE_EXTENSION: _OF_EXTENSION,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET_EXTENSION: _OF_EXTENSION,
    "azure-native:compute:VirtualMachineScaleSetVMExtension": _OF_EXTENSION,
    "azure-native:compute:VirtualMachineRunCommandByVirtualMachine": _OF_RUN_COMMAND,
    "azure-native:compute:VirtualMachineScaleSetVMRunCommand": _OF_RUN_COMMAND,
    MACHINELEARNINGSERVICES_COMPUTE: All(
        NoSecretIn("properties.properties.setupScripts.scripts.creationScript.scriptData"),
        NoSecretIn("properties.properties.setupScripts.scripts.startupScript.scriptData"),
    ),
    BATCH_POOL: All(NoSecretIn("startTask.commandLine"), NoSecretAmong("startTask.environmentSettings")),
    "azure-native:virtualmachineimages:VirtualMachineImageTemplate": NoSecretIn("customize[].inline[]"),
    "azure-native:resources:AzureCliScript": _OF_DEPLOYMENT,
    "azure-native:resources:AzurePowerShellScript": _OF_DEPLOYMENT,
}


def _containers(path: str, variables: str, *listed: str) -> Check:
    """No secrets among the variables of containers, nor in their commands."""
    return All(NoSecretAmong(f"{path}.{variables}"), *(NoSecretIn(f"{path}.{key}[]") for key in listed))


_OF_APP: Final = All(
    _containers("template.containers[]", "env", "command", "args"),
    _containers("template.initContainers[]", "env", "command", "args"),
)
_OF_SITE: Final = All(
    NoSecretAmong("siteConfig.appSettings"), NoSecretIn("siteConfig.connectionStrings[].connectionString")
)


def _connections_hold_none(it: View, _: Settings) -> Verdict:
    """Connection strings by their names hold no secrets."""
    properties = it.block("properties")
    if properties is None:
        return NOT_APPLICABLE

    def one(name: str) -> Verdict:
        connection = properties.block(name)
        if connection is None:
            return NOT_APPLICABLE
        return judge_variable(name, connection.given("value"), connection.at("value"))

    return each(properties, one)


_CONNECTIONS: Final = Custom(_connections_hold_none)
_RUNS: Final = {
    APP_CONTAINER_APP: _OF_APP,
    APP_CONTAINER_APPS_SESSION_POOL: _containers("customContainerTemplate.containers[]", "env", "command", "args"),
    APP_JOB: _OF_APP,
    CONTAINERINSTANCE_CONTAINER_GROUP: All(
        _containers("containers[]", "environmentVariables", "command"),
        _containers("initContainers[]", "environmentVariables", "command"),
    ),
    MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT: NoSecretAmong("properties.environmentVariables"),
    MACHINELEARNINGSERVICES_BATCH_DEPLOYMENT: NoSecretAmong("properties.environmentVariables"),
    "azure-native:machinelearningservices:Job": All(
        NoSecretAmong("properties.environmentVariables"), NoSecretIn("properties.command")
    ),
    WEB_APP: _OF_SITE,
    WEB_APP_SLOT: _OF_SITE,
    "azure-native:web:WebAppApplicationSettings": NoSecretAmong("properties"),
    "azure-native:web:WebAppApplicationSettingsSlot": NoSecretAmong("properties"),
    "azure-native:web:WebAppConnectionStrings": _CONNECTIONS,
    "azure-native:web:WebAppConnectionStringsSlot": _CONNECTIONS,
}

RULES.row(
    "az-kv-soft-delete",
    "What is deleted in a vault can be brought back, and nobody can prevent that.",
    on=KEYVAULT_VAULT,
    check=All(
        Is("properties.enableSoftDelete", value=True),
        Is("properties.enablePurgeProtection", value=True),
        AtLeast("properties.softDeleteRetentionInDays", 7),
    ),
    severity=MEDIUM,
    rationale="Whoever purges a key destroys all data that it encrypts, by mistake or for a ransom.",
    fix="Set properties.enablePurgeProtection to true, which cannot be taken back: the vault's name stays taken for "
    "softDeleteRetentionInDays after it is deleted.",
    peers="CKV_AZURE_110 CKV_AZURE_111 CKV_AZURE_42 AZU-0016 KICS:7c25f361 KICS:cec6e005",
    cis=("Azure 2.1: 8.5†",),
)
RULES.row(
    "az-kv-secret-expiry",
    "A secret expires.",
    on=_SECRET,
    check=Given("properties.attributes.expires"),
    severity=LOW,
    rationale="A secret that leaked unnoticed stays good for years, and nobody is reminded to exchange it.",
    fix="Set properties.attributes.expires, and let Event Grid notify somebody before that day.",
    peers="CKV_AZURE_41 AZU-0017 KICS:cff9c3f7 KICS:dfa20ffa",
    cis=("Azure 2.1: 8.3†",),
)
RULES.row(
    "az-kv-no-inline-value",
    "The stack creates an empty secret at most, and keeps no value.",
    on=_SECRET,
    check=Absent("properties.value"),
    severity=MEDIUM,
    rationale=(
        "Everyone who may decrypt the state of the stack reads the secret there, and in each older copy of the state."
    ),
    fix="Leave the secret to a person or a job (az keyvault secret set), and let programs name it by its address.",
)
RULES.row(
    "az-kv-secret-content-type",
    "A secret says what it is.",
    on=_SECRET,
    check=Given("properties.contentType"),
    severity=LOW,
    rationale=(
        "Who must exchange it in a hurry does not know whether it is a password, a certificate or a connection string."
    ),
    fix="Set properties.contentType, such as text/plain or application/x-pkcs12.",
    peers="CKV_AZURE_114 AZU-0015 KICS:f8e08a38",
)
RULES.row(
    "az-kv-key-expiry",
    "A key expires, or Key Vault exchanges it by itself.",
    on=KEYVAULT_KEY,
    check=Either(Given("properties.attributes.expires"), Given("properties.rotationPolicy.lifetimeActions")),
    severity=MEDIUM,
    rationale="The longer one version of a key is used, the more data is open to whoever gets hold of it.",
    fix="Set properties.rotationPolicy with a lifetimeActions of type rotate, or properties.attributes.expires; a key "
    "that expires without rotation stops what it encrypts.",
    peers="CKV_AZURE_40 AZU-0014 KICS:4d080822",
    cis=("Azure 2.1: 8.1†",),
)
RULES.row(
    "az-aks-csi-rotation",
    "The driver that mounts secrets from a vault fetches new versions.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(
        Is("addonProfiles.azureKeyvaultSecretsProvider.enabled", value=True),
        Is("addonProfiles.azureKeyvaultSecretsProvider.config.enableSecretRotation", value=True),
    ),
    severity=MEDIUM,
    rationale="Pods go on with the old secret after it was exchanged, and fail when that is turned off.",
    fix='Set addonProfiles.azureKeyvaultSecretsProvider.config.enableSecretRotation to "true".',
    peers="CKV_AZURE_172",
)
RULES.row(
    "az-vm-no-secret-customdata",
    "The commands that a machine runs hold no secret.",
    on=tuple(_SCRIPTS),
    check=ByType(_SCRIPTS),
    severity=CRITICAL,
    rationale=(
        "Custom data stays on the machine's disk and user data in its metadata service, for every process to read, and "
        "commands in the settings of extensions for everyone who may look at the machine."
    ),
    fix="Put the secret into a vault, and let the script read it there with the machine's identity, or use "
    "protectedSettings of an extension; then replace the secret, for it has been read.",
    peers="AZU-0037 CKV_AZURE_45",
)
RULES.row(
    "az-app-no-literal-secret",
    "Variables of container apps, container groups and web apps hold no secrets in clear.",
    on=tuple(_RUNS),
    check=ByType(_RUNS),
    severity=CRITICAL,
    rationale="Whoever may look at the resource reads them, in the portal and in every older revision.",
    fix="Use secretRef in container apps, secureValue in container groups and a reference to a vault "
    "(@Microsoft.KeyVault) in web apps; then replace the secret, for it has been read.",
)


_SETTINGS: Final = {
    "azure-native:apimanagement:NamedValue": ("displayName", "secret"),
    "azure-native:appconfiguration:KeyValue": ("keyValueName", ""),
    AUTOMATION_VARIABLE: ("variableName", "isEncrypted"),
}
"""What keeps a value under a name: where it is named, and what seals it."""
_REFERENCE: Final = "application/vnd.microsoft.appconfig.keyvaultref"
_LABEL: Final = "$"
"""The separator in App Configuration between the name of a key and its label."""


@RULES.rule(
    on=tuple(_SETTINGS),
    severity=CRITICAL,
    rationale="Everyone who may read the configuration reads it in clear, and no key is needed.",
    fix="Put a reference to a vault in its place (keyVault of a named value), or set isEncrypted or secret to true; "
    "then replace the secret, for it has been read.",
)
def az_config_no_plain_secret(it: View, _: Settings) -> Verdict:
    """A setting that is not sealed holds no secret."""
    key, seal = _SETTINGS[it.type]
    refers = (it.text("contentType") or "").startswith(_REFERENCE)
    if it.given("value") is None or refers or (seal and it.flag(seal)):
        return NOT_APPLICABLE
    name = (it.text(key) or "").partition(_LABEL)[0]
    return judge_variable(name, it.given("value"), "value")


_TAGGED: Final = taggable_types("azure", "tags")

RULES.row(
    "az-tag-no-secret",
    "Tags hold no secrets.",
    on=_TAGGED,
    check=NoSecretAmong("tags"),
    severity=CRITICAL,
    rationale=(
        "Whoever may look at the resource reads its tags, and bills, inventories and logs of activity repeat them."
    ),
    fix="Name the secret of a vault in the tag at most; then replace the secret, for it has been read.",
)


def _none(*paths: str) -> Check:
    return All(*(Absent(path) for path in paths))


_OF_CONNECTION: Final = _none(
    *(
        f"properties.credentials.{key}"
        for key in (
            "clientSecret",
            "key",
            "keys",
            "password",
            "pat",
            "refreshToken",
            "sas",
            "secretAccessKey",
        )
    )
)
_CREDENTIALS: Final = {
    APP_CONTAINER_APP: _none("configuration.secrets[].value"),
    APP_CONTAINER_APPS_SESSION_POOL: _none("secrets[].value"),
    APP_JOB: _none("configuration.secrets[].value"),
    COGNITIVESERVICES_ACCOUNT_CONNECTION: _OF_CONNECTION,
    COGNITIVESERVICES_PROJECT_CONNECTION: _OF_CONNECTION,
    CONTAINERINSTANCE_CONTAINER_GROUP: _none("imageRegistryCredentials[].password"),
    MACHINELEARNINGSERVICES_DATASTORE: _none(
        *(f"properties.credentials.secrets.{key}" for key in ("clientSecret", "key", "sasToken"))
    ),
    MACHINELEARNINGSERVICES_WORKSPACE_CONNECTION: _OF_CONNECTION,
}

RULES.row(
    "az-connection-no-inline-key",
    "What connects to other services is given no key by the stack.",
    on=tuple(_CREDENTIALS),
    check=ByType(_CREDENTIALS),
    severity=MEDIUM,
    rationale=(
        "Everyone who may decrypt the state of the stack reads the key there, and in each older copy of the state."
    ),
    fix="Connect with an identity (authType AAD or ManagedIdentity, credentialsType None, identity of a registry), or "
    "name a secret of a vault (keyVaultUrl of container apps).",
)


def _sealed(path: str) -> Check:
    """The value at a path is marked as secret: Azure's provider marks nothing by itself."""

    def one(place: Location) -> Verdict:
        if place.value is None:
            return NOT_APPLICABLE
        if isinstance(place.value, Unknown):
            return UNKNOWN
        return allow(isinstance(place.value, Secret), f"{place.path} is in clear", path=place.path)

    return Custom(lambda it, _: each(it.locations(path), one))


_KEY_OF_CONNECTION: Final = All(
    *(
        _sealed(f"properties.credentials.{key}")
        for key in ("clientSecret", "key", "password", "pat", "refreshToken", "sas", "secretAccessKey")
    )
)
_PASSWORDS: Final = {
    AZUREFLEET_FLEET: _sealed(f"{_OF_FLEET}.osProfile.adminPassword"),
    BATCH_POOL: _sealed("userAccounts[].password"),
    COMPUTE_VIRTUAL_MACHINE: _sealed("osProfile.adminPassword"),
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET: _sealed("virtualMachineProfile.osProfile.adminPassword"),
    DBFORMYSQL_SERVER: _sealed("administratorLoginPassword"),
    DBFORPOSTGRESQL_SERVER: _sealed("administratorLoginPassword"),
    HORIZONDB_HORIZON_DB_CLUSTER: _sealed("properties.administratorLoginPassword"),
    MACHINELEARNINGSERVICES_COMPUTE: _sealed("properties.properties.userAccountCredentials.adminUserPassword"),
    COGNITIVESERVICES_ACCOUNT_CONNECTION: _KEY_OF_CONNECTION,
    COGNITIVESERVICES_PROJECT_CONNECTION: _KEY_OF_CONNECTION,
    CONTAINERINSTANCE_CONTAINER_GROUP: _sealed("imageRegistryCredentials[].password"),
    "azure-native:containerregistry:Task": All(
        _sealed("step.contextAccessToken"),
        _sealed("trigger.sourceTriggers[].sourceRepository.sourceControlAuthProperties.token"),
    ),
    MACHINELEARNINGSERVICES_DATASTORE: All(
        *(_sealed(f"properties.credentials.secrets.{key}") for key in ("clientSecret", "key", "sasToken"))
    ),
    MACHINELEARNINGSERVICES_WORKSPACE_CONNECTION: _KEY_OF_CONNECTION,
    MONGOCLUSTER_MONGO_CLUSTER: _sealed("properties.administrator.password"),
    SQL_MANAGED_INSTANCE: _sealed("administratorLoginPassword"),
    SQL_SERVER: _sealed("administratorLoginPassword"),
    SYNAPSE_WORKSPACE: _sealed("sqlAdministratorLoginPassword"),
}

RULES.row(
    "az-password-sealed",
    "A password, and a key or a token of another service, is marked as secret.",
    on=tuple(_PASSWORDS),
    check=ByType(_PASSWORDS),
    severity=CRITICAL,
    rationale=(
        "The value is in clear text in the state of the stack, in previews and in logs, and most often in the "
        "repository, too."
    ),
    fix="Take it from a RandomPassword or from secret configuration (pulumi.Output.secret), or leave it out and let "
    "identities sign in; then replace it, for it has been read.",
    peers="CKV_AZURE_239",
)
