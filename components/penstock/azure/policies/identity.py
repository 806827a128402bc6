"""Identity and hardening on Azure: roles, clusters, machines, and the keys that some services have beside roles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Final

from penstock.azure.policies.access import BUILT_IN_ROLES, CONTRIBUTOR
from penstock.azure.types import (
    APPCONFIGURATION_CONFIGURATION_STORE,
    AUTHORIZATION_ROLE_ASSIGNMENT,
    AUTHORIZATION_ROLE_DEFINITION,
    AZUREFLEET_FLEET,
    BATCH_ACCOUNT,
    COGNITIVESERVICES_ACCOUNT,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERINSTANCE_CONTAINER_GROUP,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    COSMOSDB_DATABASE_ACCOUNT,
    DBFORPOSTGRESQL_SERVER,
    EVENTGRID_DOMAIN,
    EVENTGRID_TOPIC,
    EVENTHUB_NAMESPACE,
    KEYVAULT_VAULT,
    MACHINELEARNINGSERVICES_ONLINE_ENDPOINT,
    MACHINELEARNINGSERVICES_SERVERLESS_ENDPOINT,
    REDIS,
    REDISENTERPRISE_DATABASE,
    SEARCH_SERVICE,
    SERVICEBUS_NAMESPACE,
    SQL_SERVER,
    STORAGE_ACCOUNT,
)
from penstock.graph.verdict import PASS, Verdict, allow
from penstock.graph.view import Block, View
from penstock.rules.checks import Absent, All, ByType, Check, Either, Given, Is, IsNot, Joined, NoneOf, OneOf, Where
from penstock.rules.levels import CRITICAL, HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_STANDARD: Final = IsNot("sku.name", value="Automatic")
"""AKS Automatic has Entra ID, Azure RBAC and workload identity on and local accounts off, whatever is written."""
_WIDE_SCOPE: Final = re.compile(
    r"/?|/?subscriptions/[^/]+/?|/?providers/Microsoft\.Management/managementGroups/[^/]+/?", re.IGNORECASE
)
_OWNERS: Final = {id_: name for id_, name in BUILT_IN_ROLES.items() if id_ != CONTRIBUTOR}
"""Roles whose bearer may give himself every other."""


_OF_WINDOWS: Final = (
    "MicrosoftWindowsServer",
    "MicrosoftWindowsDesktop",
    "MicrosoftSQLServer",
    "MicrosoftVisualStudio",
    "MicrosoftSharePoint",
)
"""Publishers of images of Windows."""
_APPOINTING: Final = (
    "microsoft.authorization/roleassignments/write",
    "microsoft.authorization/roledefinitions/write",
)
"""By these a role gives itself any other: it is assigned one, or its own definition grows."""


def _appoints(action: str) -> set[str]:
    """Return those that an action of a role matches; `*` in it matches any characters, slashes among them."""
    return {each for each in _APPOINTING if fnmatchcase(each, action.casefold())}


def _no_passwords(profile: str) -> Check:
    """Linux machines of a profile take no passwords; Windows has nothing else."""
    under = f"{profile}." if profile else ""
    return Where(
        All(
            Given(f"{under}osProfile"),
            Absent(f"{under}osProfile.windowsConfiguration"),
            IsNot(f"{under}storageProfile.osDisk.osType", value="Windows"),
            NoneOf(f"{under}storageProfile.imageReference.publisher", _OF_WINDOWS),
        ),
        Is(f"{under}osProfile.linuxConfiguration.disablePasswordAuthentication", value=True),
    )


RULES.row(
    "az-storage-no-shared-key",
    "A storage account takes no account keys.",
    on=STORAGE_ACCOUNT,
    check=Is("allowSharedKeyAccess", value=False),
    severity=MEDIUM,
    rationale=(
        "Either key reads, writes and deletes everything in the account, names nobody, and works until exchanged."
    ),
    fix="Set allowSharedKeyAccess to false, and give identities roles such as Storage Blob Data Contributor; mounts of "
    "Azure Files by key stop working.",
    peers="CKV2_AZURE_40 KICS:45f3e879",
)
RULES.row(
    "az-storage-sas-expiry",
    "A storage account that takes signatures says how long they may be good.",
    on=STORAGE_ACCOUNT,
    check=Where(IsNot("allowSharedKeyAccess", value=False), Given("sasPolicy.sasExpirationPeriod")),
    severity=LOW,
    rationale="A signed address that someone mailed around years ago still opens the data.",
    fix="Set sasPolicy.sasExpirationPeriod, such as 07.00:00:00, with expirationAction.",
    peers="CKV2_AZURE_41",
)
RULES.row(
    "az-aks-aad",
    "People log in to a cluster with Entra ID, and Azure's roles say what they may do.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(_STANDARD, All(Is("aadProfile.managed", value=True), Is("aadProfile.enableAzureRBAC", value=True))),
    severity=MEDIUM,
    rationale=(
        "Without it everyone shares one certificate: nothing shows who did what, and nobody who leaves loses access."
    ),
    fix="Set aadProfile.managed and aadProfile.enableAzureRBAC to true; managed cannot be turned off again.",
    cis=("AKS 1.5: 5.5.1†",),
)
RULES.row(
    "az-aks-no-local",
    "A cluster has no local accounts.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(_STANDARD, Is("disableLocalAccounts", value=True)),
    severity=MEDIUM,
    rationale="The local administrator's kubeconfig bypasses Entra ID, and everyone who ever fetched it keeps it.",
    fix="Set aadProfile.managed to true first, without which nobody can log in, and then disableLocalAccounts; rotate "
    "the certificates of an existing cluster.",
    peers="CKV_AZURE_141",
    sources=(
        "AKS, local accounts <https://learn.microsoft.com/en-us/azure/aks/manage-local-accounts-managed-azure-ad>",
    ),
)
RULES.row(
    "az-aks-workload-identity",
    "Pods of a cluster may have identities of their own.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(
        _STANDARD,
        All(
            Is("securityProfile.workloadIdentity.enabled", value=True),
            Is("oidcIssuerProfile.enabled", value=True),
        ),
    ),
    severity=MEDIUM,
    rationale="Without it pods act as the node, or with secrets of applications that somebody must exchange.",
    fix="Set securityProfile.workloadIdentity.enabled and oidcIssuerProfile.enabled to true; the issuer stays on.",
)
RULES.row(
    "az-aks-managed-identity",
    "A cluster acts with a managed identity.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=All(
        OneOf("identity.type", ("SystemAssigned", "UserAssigned")),
        Where(Given("servicePrincipalProfile"), Is("servicePrincipalProfile.clientId", value="msi")),
    ),
    severity=MEDIUM,
    rationale=(
        "The secret of a service principal lies in the stack's state and on nodes, and when it expires the cluster can "
        "neither add nodes nor pull images."
    ),
    fix="Set identity.type to UserAssigned or SystemAssigned, and remove servicePrincipalProfile.",
    peers="KICS:9b0140d1",
)
RULES.row(
    "az-aks-rbac",
    "A cluster asks RBAC who may do what.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=IsNot("enableRBAC", value=False),
    severity=HIGH,
    rationale="Without it every pod with a token of a service account is an administrator of the cluster.",
    fix="Remove enableRBAC, or set it to true; this replaces the cluster.",
    peers="CKV_AZURE_5 AZU-0042 KICS:9307a2ed KICS:86f92117",
)
RULES.row(
    "az-aks-no-cmd-invoke",
    "Nobody runs commands in a cluster through Azure's own API.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Is("apiServerAccessProfile.disableRunCommand", value=True),
    severity=LOW,
    rationale="Who has a role on the Azure resource runs pods with it, even in a cluster whose API is private.",
    fix="Set apiServerAccessProfile.disableRunCommand to true.",
)


@RULES.rule(
    on=AUTHORIZATION_ROLE_DEFINITION,
    each_of="permissions",
    severity=HIGH,
    rationale="Such a role is an Owner by another name, and lists of owners do not show who has it.",
    fix="List the actions in permissions[].actions, without roleAssignments/write and roleDefinitions/write, or keep "
    "assignableScopes to resource groups.",
    peers="CKV_AZURE_39 AZU-0030 KICS:8fa9ceea KICS:3fa5900f AZU-0052",
    cis=("Azure 2.1: 1.23†",),
)
def az_role_no_owner(permission: Block) -> Verdict:
    """A role of one's own for whole subscriptions names its actions, and cannot give itself others."""
    actions = permission.texts("actions")
    withheld = {each for action in permission.texts("notActions") for each in _appoints(action)}
    wide = (action for action in actions if set(action) <= {"*", "/"})
    found = next(wide, None) or next((action for action in actions if _appoints(action) - withheld), None)
    if found is None:
        return PASS
    scopes = permission.owner.texts("assignableScopes") or [permission.owner.text("scope") or ""]
    everywhere = any(_WIDE_SCOPE.fullmatch(scope) for scope in scopes)
    return allow(not everywhere, f"the role allows {found} in a whole subscription", path=permission.at("actions"))


@RULES.rule(
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    severity=HIGH,
    rationale="A stolen token of such an identity owns everything in the subscription, and may let others in.",
    fix="Assign a role that fits the task, at the scope of a resource group; where it must be wide, limit by condition "
    "which roles it may give.",
    peers="KICS:41d7989b",
)
def az_roleassign_scope(it: View, _: Settings) -> Verdict:
    """No program makes any identity the owner of a whole subscription."""
    return _not_for_a_subscription(it, _OWNERS)


@RULES.rule(
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    severity=MEDIUM,
    rationale="A stolen token of such an identity reads, changes and deletes what every team has in the subscription.",
    fix="Assign a role that fits the task, or Contributor at the scope of a resource group.",
)
def az_roleassign_contributor(it: View, _: Settings) -> Verdict:
    """No program lets any identity change a whole subscription."""
    return _not_for_a_subscription(it, {CONTRIBUTOR: BUILT_IN_ROLES[CONTRIBUTOR]})


def _not_for_a_subscription(it: View, roles: Mapping[str, str]) -> Verdict:
    role = roles.get((it.text("roleDefinitionId") or "").rpartition("/")[2].lower())
    if role is None:
        return PASS
    wide = _WIDE_SCOPE.fullmatch(it.text("scope") or "") and not it.text("condition")
    return allow(not wide, f"an identity is {role} of everything in {it.text('scope')}", path="scope")


RULES.row(
    "az-vmss-no-password",
    "Linux machines take SSH keys only, and no passwords.",
    on=(COMPUTE_VIRTUAL_MACHINE_SCALE_SET, COMPUTE_VIRTUAL_MACHINE, AZUREFLEET_FLEET),
    check=ByType(
        {
            COMPUTE_VIRTUAL_MACHINE_SCALE_SET: _no_passwords("virtualMachineProfile"),
            COMPUTE_VIRTUAL_MACHINE: _no_passwords(""),
            AZUREFLEET_FLEET: _no_passwords("computeProfile.baseVirtualMachineProfile"),
        }
    ),
    severity=HIGH,
    rationale=(
        "Passwords are guessed from the first minute in which a machine can be reached, and one opens the whole set."
    ),
    fix="Set osProfile.linuxConfiguration.disablePasswordAuthentication to true and give ssh.publicKeys; this replaces "
    "the machines.",
    peers="CKV_AZURE_1 CKV_AZURE_49 CKV_AZURE_149 AZU-0039 KICS:6797f581 KICS:dafe30ec KICS:a5cfef8f CKV_AZURE_178",
)
RULES.row(
    "az-kv-rbac",
    "Azure's roles say who reads a vault.",
    on=KEYVAULT_VAULT,
    check=Is("properties.enableRbacAuthorization", value=True),
    severity=MEDIUM,
    rationale="With access policies any Contributor of the vault writes himself into the list, and reads every secret.",
    fix="Set properties.enableRbacAuthorization to true; assign roles first, for access policies then count no more.",
    cis=("Azure 2.1: 8.6†",),
)
RULES.row(
    "az-acr-no-admin",
    "A registry has no administrator with a password.",
    on=CONTAINERREGISTRY_REGISTRY,
    check=IsNot("adminUserEnabled", value=True),
    severity=HIGH,
    rationale="One password for all pushes images that every node then runs, and nothing shows who did.",
    fix="Set adminUserEnabled to false, and give identities AcrPull and AcrPush.",
    peers="CKV_AZURE_137 KICS:b897dfbf",
)
RULES.row(
    "az-cognitive-no-local-auth",
    "Azure OpenAI and its sisters, and search services, take no keys.",
    on=(COGNITIVESERVICES_ACCOUNT, SEARCH_SERVICE),
    check=ByType(
        {
            COGNITIVESERVICES_ACCOUNT: Is("properties.disableLocalAuth", value=True),
            SEARCH_SERVICE: Is("disableLocalAuth", value=True),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "Who finds a key in a notebook calls models on your bill, and reads what others have uploaded or indexed."
    ),
    fix="Set properties.disableLocalAuth (disableLocalAuth for search) to true, and give identities roles such as "
    "Cognitive Services OpenAI User or Search Index Data Reader.",
    peers="CKV_AZURE_236",
)
_BY_KEYS: Final = {
    APPCONFIGURATION_CONFIGURATION_STORE: Is("disableLocalAuth", value=True),
    BATCH_ACCOUNT: All(Given("allowedAuthenticationModes"), IsNot("allowedAuthenticationModes[]", "SharedKey")),
    COSMOSDB_DATABASE_ACCOUNT: Where(
        All(
            IsNot("kind", "MongoDB"), NoneOf("capabilities[].name", ("EnableCassandra", "EnableGremlin", "EnableMongo"))
        ),
        Is("disableLocalAuth", value=True),
    ),
    EVENTGRID_DOMAIN: Is("disableLocalAuth", value=True),
    EVENTGRID_TOPIC: Is("disableLocalAuth", value=True),
    EVENTHUB_NAMESPACE: Is("disableLocalAuth", value=True),
    MACHINELEARNINGSERVICES_ONLINE_ENDPOINT: IsNot("properties.authMode", "Key"),
    MACHINELEARNINGSERVICES_SERVERLESS_ENDPOINT: NoneOf("properties.authMode", ("Key", "KeyAndAAD")),
    REDIS: Is("disableAccessKeyAuthentication", value=True),
    REDISENTERPRISE_DATABASE: IsNot("accessKeysAuthentication", "Enabled"),
    SERVICEBUS_NAMESPACE: Is("disableLocalAuth", value=True),
}
"""What takes keys beside identities. Those APIs of Cosmos DB that know nothing but keys cannot do without."""

RULES.row(
    "az-service-no-local-auth",
    "Databases, caches, queues and endpoints of models take no keys.",
    on=tuple(_BY_KEYS),
    check=ByType(_BY_KEYS),
    severity=MEDIUM,
    rationale=(
        "A key names nobody, opens everything and works until exchanged: who finds it in a notebook has all of it."
    ),
    fix="Set disableLocalAuth to true (disableAccessKeyAuthentication for Redis, with redisConfiguration.aadEnabled; "
    "accessKeysAuthentication to Disabled, authMode to AADToken or AAD, or to AMLToken on Kubernetes, and "
    "allowedAuthenticationModes to AAD), and give identities roles of the data plane.",
    peers="CKV_AZURE_140 CKV_AZURE_184 CKV_AZURE_192 CKV_AZURE_203 CKV_AZURE_195",
)
RULES.row(
    "az-db-entra-only",
    "A database takes identities of Entra ID, and no passwords.",
    on=(DBFORPOSTGRESQL_SERVER, SQL_SERVER),
    check=ByType(
        {
            DBFORPOSTGRESQL_SERVER: Where(
                NoneOf("createMode", ("Replica", "GeoRestore", "PointInTimeRestore")),
                Is("authConfig.passwordAuth", "Disabled"),
            ),
            SQL_SERVER: Either(
                Is("administrators.azureADOnlyAuthentication", value=True),
                Joined(
                    (("azure-native:sql:ServerAzureADOnlyAuthentication", "serverName"),),
                    "nothing beside it turns passwords off",
                    Is("azureADOnlyAuthentication", value=True),
                ),
            ),
        }
    ),
    severity=MEDIUM,
    rationale="The administrator's password lies in the stack's state, names nobody, and stays good when people leave.",
    fix="Set authConfig.passwordAuth to Disabled with activeDirectoryAuth Enabled, or "
    "administrators.azureADOnlyAuthentication to true; clients log in with tokens from then on.",
    peers="CKV2_AZURE_27 CKV2_AZURE_7 KICS:a3a055d2",
)
RULES.row(
    "az-storage-sftp-no-password",
    "A local user of a storage account, who comes by SFTP, has neither a password nor a shared key.",
    on="azure-native:storage:LocalUser",
    check=All(IsNot("hasSshPassword", value=True), IsNot("hasSharedKey", value=True)),
    severity=MEDIUM,
    rationale="A password is mailed around, guessed, and good for as long as the user is there; roles do not limit it.",
    fix="Set hasSshPassword and hasSharedKey to false, and list the keys of who may come in sshAuthorizedKeys.",
)
RULES.row(
    "az-aci-not-privileged",
    "No container of a group is privileged.",
    on=CONTAINERINSTANCE_CONTAINER_GROUP,
    check=All(
        IsNot("containers[].securityContext.privileged", value=True),
        IsNot("initContainers[].securityContext.privileged", value=True),
    ),
    severity=HIGH,
    rationale="Whoever gets in by the code that it runs has the virtual machine of the group, and what its other "
    "containers hold.",
    fix="Remove securityContext.privileged, or set it to false, and add the one capability that is needed.",
)
RULES.row(
    "az-gallery-not-public",
    "A gallery of images is not for everybody.",
    on="azure-native:compute:Gallery",
    check=IsNot("sharingProfile.permissions", "Community"),
    severity=CRITICAL,
    rationale="Everyone on Azure starts a machine of its images and reads what was left in them: weights, code, keys.",
    fix="Set sharingProfile.permissions to Groups, and share with the subscriptions and tenants that need it.",
)
