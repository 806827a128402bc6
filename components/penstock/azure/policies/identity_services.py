"""Identity on Azure: managed identities, trust of pipelines, and the ways around roles."""

from __future__ import annotations

import re
from typing import Final

from penstock.azure.policies.access import ACCESS_ADMINISTRATOR, BUILT_IN_ROLES, CONTRIBUTOR, OWNER, SIGN_IN
from penstock.azure.types import (
    APIMANAGEMENT_API_MANAGEMENT_SERVICE,
    APP_CONTAINER_APP,
    AUTHORIZATION_ROLE_ASSIGNMENT,
    AUTOMATION_ACCOUNT,
    COGNITIVESERVICES_ACCOUNT,
    CONTAINERINSTANCE_CONTAINER_GROUP,
    CONTAINERREGISTRY_REGISTRY,
    COSMOSDB_DATABASE_ACCOUNT,
    DATAFACTORY_FACTORY,
    EVENTGRID_DOMAIN,
    EVENTGRID_TOPIC,
    KUSTO_CLUSTER,
    LOGIC_WORKFLOW,
    MACHINELEARNINGSERVICES_COMPUTE,
    MANAGEDIDENTITY_FEDERATED_IDENTITY_CREDENTIAL,
    RECOVERYSERVICES_VAULT,
    REDIS,
    SEARCH_SERVICE,
    SERVICEBUS_NAMESPACE,
    STORAGE_FILE_SHARE,
    STORAGE_TABLE,
    WEB_APP,
    WEB_APP_SLOT,
    WEBPUBSUB_WEB_PUB_SUB,
)
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import All, ByType, Check, Each, Either, Given, Is, IsNot, NoneOf, OneOf, Unlike, Where
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_HAS_IDENTITY: Final = All(Given("identity.type"), IsNot("identity.type", "None"))
_IDENTIFIED: Final[dict[str, Check]] = {
    **dict.fromkeys(
        (
            APP_CONTAINER_APP,
            AUTOMATION_ACCOUNT,
            COGNITIVESERVICES_ACCOUNT,
            CONTAINERINSTANCE_CONTAINER_GROUP,
            DATAFACTORY_FACTORY,
            EVENTGRID_DOMAIN,
            EVENTGRID_TOPIC,
            KUSTO_CLUSTER,
            LOGIC_WORKFLOW,
            RECOVERYSERVICES_VAULT,
            REDIS,
            SERVICEBUS_NAMESPACE,
            WEB_APP,
            WEB_APP_SLOT,
            WEBPUBSUB_WEB_PUB_SUB,
        ),
        _HAS_IDENTITY,
    ),
    SEARCH_SERVICE: Where(IsNot("sku.name", "free"), _HAS_IDENTITY),  # the free tier has no identities
}

RULES.row(
    "az-service-identity",
    "Apps and services have a managed identity.",
    on=tuple(_IDENTIFIED),
    check=ByType(_IDENTIFIED),
    severity=LOW,
    rationale="To reach storage, vaults or models they use keys, which leak and which nobody rotates.",
    fix="Set identity.type to SystemAssigned, or to UserAssigned with userAssignedIdentities, and assign roles to it.",
    peers="CKV_AZURE_16 CKV_AZURE_71 AZU-0002 KICS:e9c133e5 KICS:b61cce4b KICS:0f7964fa KICS:c87749b3 KICS:829246df "
    "KICS:02f0e3e7 KICS:7fa50094 KICS:d501246e CKV2_AZURE_28 CKV2_AZURE_35 CKV2_AZURE_36 CKV_AZURE_176 CKV_AZURE_181 "
    "CKV_AZURE_191 CKV_AZURE_194 CKV_AZURE_202 CKV_AZURE_207 CKV_AZURE_238",
    cis=("Azure 2.1: 9.5†",),
)

_WEB: Final = (WEB_APP, WEB_APP_SLOT)

RULES.row(
    "az-web-no-debugger",
    "A web app has remote debugging off.",
    on=_WEB,
    check=IsNot("siteConfig.remoteDebuggingEnabled", value=True),
    severity=MEDIUM,
    rationale="An open port accepts debuggers, which read memory and run code in the app.",
    fix="Set siteConfig.remoteDebuggingEnabled to false, or leave it out.",
    peers="CKV_AZURE_72 CKV_AZURE_155",
    cis=("Azure 2.1: 9.12†",),
)

RULES.row(
    "az-web-sign-in",
    "App Service signs in those who call a web app.",
    on=_WEB,
    check=ByType(SIGN_IN),
    severity=LOW,
    rationale="Each app has a login of its own, or none: whoever is in its network calls it under no name.",
    fix="Add WebAppAuthSettingsV2 with platform.enabled true, an identity provider, and unauthenticatedClientAction "
    "RedirectToLoginPage or Return401.",
    sources=(
        "App Service, authentication and authorization <https://learn.microsoft.com/en-us/azure/app-service/overview-authentication-authorization>",
    ),
    peers="CKV_AZURE_13 CKV_AZURE_56 AZU-0003 KICS:83130a07 KICS:c7fc1481 KICS:e65a0733",
)

_GITHUB: Final = "token.actions.githubusercontent.com"
_REPOSITORY: Final = re.compile(r"repo:[^/*:]+/[^/*:]+:(?!\*$).+")


@RULES.rule(
    on=MANAGEDIDENTITY_FEDERATED_IDENTITY_CREDENTIAL,
    severity=HIGH,
    rationale="Workflows outside the repository can obtain tokens of the identity.",
    fix="Set subject to repo:OWNER/REPOSITORY:environment:NAME or repo:OWNER/REPOSITORY:ref:refs/heads/BRANCH.",
    peers="CKV_AZURE_249",
)
def az_github_subject(it: View, _: Settings) -> Verdict:
    """A federated credential for GitHub Actions names one repository and one ref, environment or event."""
    if _GITHUB not in (it.text("issuer") or "").casefold():
        return NOT_APPLICABLE
    subject = it.text("subject") or ""
    return allow(_REPOSITORY.fullmatch(subject), f"subject {subject!r} does not name one repository", path="subject")


RULES.row(
    "az-cosmos-no-key-writes",
    "Account keys of Cosmos DB cannot change databases and containers.",
    on=COSMOSDB_DATABASE_ACCOUNT,
    check=Either(Is("disableKeyBasedMetadataWriteAccess", value=True), Is("disableLocalAuth", value=True)),
    severity=LOW,
    rationale="Everyone with a key can drop a container or its throughput, whatever roles and locks say.",
    fix="Set disableKeyBasedMetadataWriteAccess to true, or disableLocalAuth to true.",
    peers="CKV_AZURE_132",
)

_BROAD: Final = (OWNER, CONTRIBUTOR, ACCESS_ADMINISTRATOR)


@RULES.rule(
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    joins=True,
    severity=MEDIUM,
    rationale="One stolen identity can replace images, delete the registry or enable its administrator account.",
    fix="Assign AcrPull to clusters and AcrPush to builds in place of Owner or Contributor.",
    peers="KICS:77deea6a",
)
def az_acr_roles(it: View, _: Settings) -> Verdict:
    """Identities have narrow roles on a registry."""
    if not it.found("scope", CONTAINERREGISTRY_REGISTRY):
        return NOT_APPLICABLE
    role = (it.text("roleDefinitionId") or "").rpartition("/")[2].lower()
    return allow(role not in _BROAD, f"roleDefinitionId is that of {BUILT_IN_ROLES.get(role)}", path="roleDefinitionId")


_PERMISSION: Final = "signedIdentifiers[].accessPolicy.permission"

RULES.row(
    "az-redis-login",
    "A cache in a virtual network requires a login.",
    on=REDIS,
    check=IsNot("redisConfiguration.authnotrequired", value=True),
    severity=HIGH,
    rationale="Everything that reaches the network reads and empties the cache.",
    fix="Remove redisConfiguration.authnotrequired.",
)
RULES.row(
    "az-storage-policy-narrow",
    "A stored access policy does not grant every permission.",
    on=(STORAGE_TABLE, STORAGE_FILE_SHARE),
    check=ByType(
        {
            STORAGE_TABLE: Unlike(_PERMISSION, r"(?=.*r)(?=.*a)(?=.*u)(?=.*d).*"),
            STORAGE_FILE_SHARE: Unlike(_PERMISSION, r"(?=.*r)(?=.*w)(?=.*d)(?=.*l).*"),
        }
    ),
    severity=MEDIUM,
    rationale="Every signature made with the policy reads, overwrites and deletes all data.",
    fix="Name in accessPolicy.permission only what the clients need, such as r or rl.",
    peers="KICS:3ac3e75c KICS:5ed0a5f3",
)
RULES.row(
    "az-apim-client-cert",
    "A gateway on the Consumption tier requests client certificates.",
    on=APIMANAGEMENT_API_MANAGEMENT_SERVICE,
    check=Where(Is("sku.name", "Consumption"), Is("enableClientCertificate", value=True)),
    severity=LOW,
    rationale="Policies cannot check client certificates, so a leaked subscription key is enough to call every API.",
    fix="Set enableClientCertificate to true, and check context.Request.Certificate in a policy.",
    peers="CKV_AZURE_152",
)
RULES.row(
    "az-ml-compute-no-local",
    "A compute of machine learning has no local accounts.",
    on=MACHINELEARNINGSERVICES_COMPUTE,
    check=Where(
        OneOf("properties.computeType", ("AmlCompute", "ComputeInstance")),  # others have logins of their own
        Is("properties.disableLocalAuth", value=True),
    ),
    severity=LOW,
    rationale="SSH with a shared key bypasses Entra ID and shows no name in any log.",
    fix="Set properties.disableLocalAuth to true.",
    peers="CKV_AZURE_142",
)

_RULES_OF_NAMESPACES: Final = (
    "azure-native:eventhub:NamespaceAuthorizationRule",
    "azure-native:servicebus:NamespaceAuthorizationRule",
    "azure-native:relay:NamespaceAuthorizationRule",
)

RULES.row(
    "az-queue-rule-no-manage",
    "A key of a namespace of Event Hubs, Service Bus or Relay cannot manage it.",
    on=_RULES_OF_NAMESPACES,
    check=NoneOf("rights[]", ("Manage",)),
    severity=MEDIUM,
    rationale="A leaked connection string deletes queues and reads every message, and no log names a person.",
    fix="Remove Manage from rights, or the rule where clients sign in with Entra ID; roles of Azure manage namespaces.",
)
RULES.row(
    "az-policy-enforced",
    "An assigned policy is enforced.",
    on="azure-native:authorization:PolicyAssignment",
    check=IsNot("enforcementMode", "DoNotEnforce"),
    severity=MEDIUM,
    rationale="What the policy denies is created all the same, and only the compliance report shows it.",
    fix="Set enforcementMode to Default once the report names nothing that must stay; exemptions are for the rest.",
)

_FILTERED: Final = ("Hate", "Sexual", "Violence", "Selfharm", "Jailbreak")

RULES.row(
    "az-openai-filters-on",
    "A content policy of models blocks harmful content and attacks on prompts.",
    on="azure-native:cognitiveservices:RaiPolicy",
    check=Each(
        "properties.contentFilters[]",
        Where(OneOf("name", _FILTERED), All(IsNot("enabled", value=False), IsNot("blocking", value=False))),
    ),
    severity=MEDIUM,
    rationale="A prompt talks the model out of its instructions, and its answers reach users unfiltered.",
    fix="Set enabled and blocking of each filter in properties.contentFilters to true.",
    sources=(
        (
            "Azure AI Foundry docs, content filtering "
            "<https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter>"
        ),
    ),
)
