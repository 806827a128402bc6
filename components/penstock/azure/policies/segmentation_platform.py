"""Segmentation on Azure: platforms for data and apps, gateways, firewalls and interfaces."""

from __future__ import annotations

from typing import Final

from penstock.azure.policies.access import HAS_ENDPOINT, OFF, SIGN_IN
from penstock.azure.types import (
    APIMANAGEMENT_API_MANAGEMENT_SERVICE,
    APP_CONTAINER_APP,
    APPCONFIGURATION_CONFIGURATION_STORE,
    AUTOMATION_ACCOUNT,
    BATCH_ACCOUNT,
    CDN_PROFILE,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DATABRICKS_WORKSPACE,
    DATAFACTORY_FACTORY,
    EVENTGRID_DOMAIN,
    EVENTGRID_NAMESPACE,
    EVENTGRID_TOPIC,
    FRONTDOOR_POLICY,
    IOTHUB_IOT_HUB_RESOURCE,
    NETWORK_APPLICATION_GATEWAY,
    NETWORK_AZURE_FIREWALL,
    NETWORK_INTERFACE,
    NETWORK_WEB_APPLICATION_FIREWALL_POLICY,
    PURVIEW_ACCOUNT,
    RECOVERYSERVICES_VAULT,
    STORAGE_ACCOUNT,
    SYNAPSE_WORKSPACE,
)
from penstock.graph.verdict import PASS, Verdict, fail
from penstock.graph.view import Block, View
from penstock.policies.open_world import NotOpen
from penstock.rules.checks import (
    Absent,
    All,
    ByType,
    Check,
    Custom,
    Either,
    Given,
    Is,
    IsNot,
    Joined,
    NoneOf,
    OneOf,
    Unlike,
    Where,
)
from penstock.rules.comparing import same
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_DISABLED: Final = OneOf("publicNetworkAccess", OFF)
_OFF_BY_ENDPOINT: Final = Either(_DISABLED, All(Absent("publicNetworkAccess"), HAS_ENDPOINT))
"""Services that close their public endpoint once they have a private one, if publicNetworkAccess is not set."""
_OF_BATCH: Final = "networkProfile.accountAccess"
_DATA: Final = {
    BATCH_ACCOUNT: Either(
        _DISABLED, All(Is(f"{_OF_BATCH}.defaultAction", "Deny"), NotOpen(f"{_OF_BATCH}.ipRules[].value"))
    ),
    DATABRICKS_WORKSPACE: _DISABLED,
    DATAFACTORY_FACTORY: _DISABLED,
    PURVIEW_ACCOUNT: _DISABLED,
    "azure-native:storagesync:StorageSyncService": Is("incomingTrafficPolicy", "AllowVirtualNetworksOnly"),
}

RULES.row(
    "az-data-platform-private",
    "Databricks, Data Factory, Batch, Purview and File Sync do not accept requests from the internet.",
    on=tuple(_DATA),
    check=ByType(_DATA),
    severity=HIGH,
    rationale="A stolen token or key runs jobs from anywhere, with the identities that read every data set.",
    fix="Set publicNetworkAccess to Disabled and add a private endpoint; networkProfile.accountAccess.defaultAction "
    "of a Batch account to Deny with ipRules also does, and File Sync has incomingTrafficPolicy "
    "AllowVirtualNetworksOnly. Databricks needs sku.name premium and parameters.customVirtualNetworkId for it.",
    peers="AZU-0035 CKV_AZURE_104 CKV_AZURE_158 CKV_AZURE_248 CKV_AZURE_64 CKV_AZURE_250",
)

_BY_RANGES: Final = Either(_DISABLED, All(Given("inboundIpRules"), NotOpen("inboundIpRules[].ipMask")))
_SERVICES: Final[dict[str, Check]] = {
    # tiers without private endpoints: API Management, feature-based comparison of tiers
    APIMANAGEMENT_API_MANAGEMENT_SERVICE: Where(
        NoneOf("sku.name", ("Consumption", "BasicV2")), Either(_DISABLED, Is("virtualNetworkType", "Internal"))
    ),
    APPCONFIGURATION_CONFIGURATION_STORE: Where(IsNot("sku.name", "free"), _OFF_BY_ENDPOINT),
    AUTOMATION_ACCOUNT: Is("publicNetworkAccess", value=False),
    EVENTGRID_DOMAIN: _BY_RANGES,
    EVENTGRID_NAMESPACE: _BY_RANGES,
    EVENTGRID_TOPIC: _BY_RANGES,
    IOTHUB_IOT_HUB_RESOURCE: Is("properties.publicNetworkAccess", "Disabled"),
    RECOVERYSERVICES_VAULT: Is("properties.publicNetworkAccess", "Disabled"),
}

RULES.row(
    "az-platform-private",
    "Gateways, event topics, configuration stores, automation accounts and backup vaults are private.",
    on=tuple(_SERVICES),
    check=ByType(_SERVICES),
    severity=MEDIUM,
    rationale="A leaked key works from anywhere: it injects events, reads configuration or changes backups.",
    fix="Set publicNetworkAccess to Disabled (false for an automation account) and add a private endpoint. API "
    "Management may use virtualNetworkType Internal instead (Developer and Premium), and Event Grid inboundIpRules.",
    peers="CKV_AZURE_107 CKV_AZURE_174 CKV_AZURE_185 CKV2_AZURE_24 CKV_AZURE_106 CKV_AZURE_193 CKV_AZURE_108 "
    "KICS:d3ba7d62",
)

_RESTRICTIONS: Final = "siteConfig.ipSecurityRestrictions"
_OF_RESTRICTIONS: Final = All(
    Given(_RESTRICTIONS),
    IsNot("siteConfig.ipSecurityRestrictionsDefaultAction", "Allow"),
    NotOpen(f"{_RESTRICTIONS}[].ipAddress"),
)


_WEB: Final = {
    type_: Either(
        _OFF_BY_ENDPOINT,
        _OF_RESTRICTIONS,
        All(Is("clientCertEnabled", value=True), IsNot("clientCertMode", "Optional")),
        signs_in,
    )
    for type_, signs_in in SIGN_IN.items()
}
"""A web app is private, restricted, or authenticates its callers."""

RULES.row(
    "az-web-no-public",
    "A web app is private, restricts addresses, or authenticates its callers.",
    on=tuple(_WEB),
    check=ByType(_WEB),
    severity=MEDIUM,
    rationale="Everyone on the internet can call the app, run models on your bill and probe its code for flaws.",
    fix="Set publicNetworkAccess to Disabled, list clients in siteConfig.ipSecurityRestrictions, set clientCertEnabled "
    "to true with clientCertMode Required, or add WebAppAuthSettingsV2 with platform.enabled.",
    peers="CKV_AZURE_221 CKV_AZURE_222",
    cis=("Azure 2.1: 9.1†",),
)


RULES.row(
    "az-data-platform-vnet",
    "Databricks and Synapse run their machines in your network or in a managed one.",
    on=(DATABRICKS_WORKSPACE, SYNAPSE_WORKSPACE),
    check=ByType(
        {
            DATABRICKS_WORKSPACE: Where(
                IsNot("computeMode", "Serverless"), Given("parameters.customVirtualNetworkId.value")
            ),
            SYNAPSE_WORKSPACE: Is("managedVirtualNetwork", "default"),
        }
    ),
    severity=MEDIUM,
    rationale="No firewall, network rule or flow log of yours applies to the machines that process the data.",
    fix="Set parameters.customVirtualNetworkId of Databricks, or managedVirtualNetwork of Synapse to default; both "
    "count at creation only, so the workspace is replaced with what it holds.",
    peers="KICS:05d6b52e CKV_AZURE_58 AZU-0034 KICS:8221c5b3 KICS:cb76b715",
)
RULES.row(
    "az-synapse-exfiltration",
    "Synapse connects to approved tenants only.",
    on=SYNAPSE_WORKSPACE,
    check=Is("managedVirtualNetworkSettings.preventDataExfiltration", value=True),
    severity=MEDIUM,
    rationale="A notebook can copy every table to a storage account of another tenant.",
    fix="Set managedVirtualNetwork to default and managedVirtualNetworkSettings.preventDataExfiltration to true; the "
    "workspace is replaced with what it holds.",
    peers="CKV_AZURE_157",
)
RULES.row(
    "az-nic-no-forwarding",
    "A network interface does not forward packets of others.",
    on=NETWORK_INTERFACE,
    check=IsNot("enableIPForwarding", value=True),
    severity=LOW,
    rationale="A compromised machine can route traffic around the firewall, or pose as another sender.",
    fix="Remove enableIPForwarding, unless the machine is a router or a firewall.",
    peers="CKV_AZURE_118 AZU-0075 KICS:4216ebac",
)

_CLASSIC: Final = "azure-native:frontdoor:FrontDoor"

RULES.row(
    "az-gateway-waf",
    "A public application gateway, and Front Door, has a web application firewall.",
    on=(NETWORK_APPLICATION_GATEWAY, CDN_PROFILE, _CLASSIC),
    check=ByType(
        {
            NETWORK_APPLICATION_GATEWAY: Where(
                Given("frontendIPConfigurations[].publicIPAddress"),
                Either(Given("firewallPolicy.id"), Is("webApplicationFirewallConfiguration.enabled", value=True)),
            ),
            CDN_PROFILE: Where(
                OneOf("sku.name", ("Standard_AzureFrontDoor", "Premium_AzureFrontDoor")),
                Joined(
                    (("azure-native:cdn:SecurityPolicy", "profileName"),), "no security policy applies a firewall to it"
                ),
            ),
            _CLASSIC: Given("frontendEndpoints[].webApplicationFirewallPolicyLink.id"),
        }
    ),
    severity=MEDIUM,
    rationale="Known attacks on web applications reach the code unfiltered.",
    fix="Set sku.tier to WAF_v2 and firewallPolicy.id; add a cdn.SecurityPolicy with a wafPolicy to Front Door "
    "(webApplicationFirewallPolicyLink of all frontendEndpoints to a classic one).",
    peers="CKV_AZURE_120 KICS:2e48d91c CKV_AZURE_121 KICS:835a4f2f",
)


@RULES.rule(
    on=NETWORK_APPLICATION_GATEWAY,
    each_of="httpListeners",
    severity=MEDIUM,
    rationale="Requests and tokens cross the network in clear text.",
    fix="Set protocol of the listener to Https with an sslCertificate, or redirect it to a listener that has both.",
    peers="CKV_AZURE_217",
)
def az_appgw_https(listener: Block) -> Verdict:
    """Listeners of an application gateway use HTTPS, or redirect to one that does."""
    if (listener.text("protocol") or "").casefold() != "http":
        return PASS
    name = listener.text("name") or ""
    if any(_redirects(rule, name) for rule in listener.owner.blocks("requestRoutingRules")):
        return PASS
    path = listener.at("protocol")
    return fail(f"{path} is Http, and no rule redirects it", path=path)


def _redirects(rule: Block, listener: str) -> bool:
    """Return whether a routing rule redirects what this listener receives."""
    if rule.value("redirectConfiguration") is None:
        return False
    called = rule.text("httpListener.id") or ""
    return called.casefold().endswith(f"/{listener}".casefold())


_FIREWALL_POLICY: Final = "azure-native:network:FirewallPolicy"
_DENIES: Final = Is("threatIntelMode", "Deny")

RULES.row(
    "az-fw-denies-threats",
    "A firewall blocks addresses known for attacks, and intrusions where its tier detects them.",
    on=(NETWORK_AZURE_FIREWALL, _FIREWALL_POLICY),
    check=ByType(
        {
            NETWORK_AZURE_FIREWALL: Where(IsNot("sku.tier", "Basic"), Either(Given("firewallPolicy.id"), _DENIES)),
            _FIREWALL_POLICY: Where(
                All(IsNot("sku.tier", "Basic"), Absent("basePolicy.id")),  # a child inherits what its base blocks
                All(_DENIES, Where(Is("sku.tier", "Premium"), Is("intrusionDetection.mode", "Deny"))),
            ),
        }
    ),
    severity=MEDIUM,
    rationale="Traffic with command servers and known exploits passes, and only a log entry shows it.",
    fix="Set threatIntelMode to Deny, and intrusionDetection.mode of a Premium policy to Deny; a firewall with a "
    "firewallPolicy takes both from there.",
    peers="CKV_AZURE_216 CKV_AZURE_219 CKV_AZURE_220",
)

_LOG4J: Final = ("944240", "800100")
"""Rules on Log4j (CVE-2021-44228) in the rule sets of Microsoft and of OWASP."""
_SETS: Final = "managedRules.managedRuleSets"
_OVERRIDES: Final = f"{_SETS}[].ruleGroupOverrides[].rules[]"
_RULE_SETS: Final = ("owasp", "microsoft_defaultruleset", "defaultruleset")
_OLD_OWASP: Final = ("2.2.9", "3.0")


def _knows_log4j(rule_set: Block) -> bool:
    name = (rule_set.text("ruleSetType") or "").casefold()
    return name in _RULE_SETS and not (name == "owasp" and rule_set.text("ruleSetVersion") in _OLD_OWASP)


def _blocks(rule: Block, state: str) -> bool:
    return same(rule.text(state), "Enabled") and not any(same(rule.text("action"), each) for each in ("Allow", "Log"))


def _blocks_log4j(state: str) -> Custom:
    """A managed rule set applies, and no override disables its rule on Log4j by `state`."""

    def judge(it: View, _: Settings) -> Verdict:
        if not any(_knows_log4j(rule_set) for rule_set in it.blocks_at(f"{_SETS}[]")):
            return fail(f"{_SETS} has no rule set of Microsoft, or of OWASP from version 3.1 on", path=_SETS)
        off = (rule for rule in it.blocks_at(_OVERRIDES) if rule.text("ruleId") in _LOG4J and not _blocks(rule, state))
        found = next(off, None)
        return PASS if found is None else fail(f"{found.at(state)} disables the rule on Log4j", path=found.at(state))

    return Custom(judge)


RULES.row(
    "az-waf-log4j",
    "A web application firewall applies managed rules, the one on Log4j among them.",
    on=(NETWORK_WEB_APPLICATION_FIREWALL_POLICY, FRONTDOOR_POLICY),
    check=ByType(
        {
            NETWORK_WEB_APPLICATION_FIREWALL_POLICY: _blocks_log4j("state"),
            # the standard tier of Front Door has no managed rules
            FRONTDOOR_POLICY: Where(IsNot("sku.name", "Standard_AzureFrontDoor"), _blocks_log4j("enabledState")),
        }
    ),
    severity=MEDIUM,
    rationale="One request with a crafted header runs code on every server with an old Log4j.",
    fix="Add Microsoft_DefaultRuleSet to managedRules.managedRuleSets, and remove overrides that disable rule 944240.",
    peers="CKV_AZURE_133 CKV_AZURE_135",
)


RULES.row(
    "az-aks-routing",
    "A cluster does not use kubenet or the HTTP application routing add-on.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=All(
        IsNot("networkProfile.networkPlugin", "kubenet"),
        IsNot("addonProfiles.httpApplicationRouting.enabled", value=True),
    ),
    severity=LOW,
    rationale="Azure retires both: kubenet hides pods from network rules, and the add-on publishes services without "
    "TLS.",
    fix="Set networkProfile.networkPlugin to azure with networkPluginMode overlay, and use "
    "ingressProfile.webAppRouting. Pulumi replaces the cluster for another plugin; az aks update changes an existing "
    "one in place.",
    peers="CKV2_AZURE_29 CKV_AZURE_246",
)
RULES.row(
    "az-acr-data-endpoint",
    "A premium registry with a public endpoint serves layers from endpoints of its own.",
    on=CONTAINERREGISTRY_REGISTRY,
    check=Where(
        All(Is("sku.name", "Premium"), NoneOf("publicNetworkAccess", OFF)),  # private endpoints have one for data
        Is("dataEndpointEnabled", value=True),
    ),
    severity=LOW,
    rationale="Egress rules must allow all blob storage of Azure, to which any code can send data.",
    fix="Set dataEndpointEnabled to true, and allow REGISTRY.REGION.data.azurecr.io in place of "
    "*.blob.core.windows.net.",
    peers="CKV_AZURE_237",
)
RULES.row(
    "az-storage-trusted",
    "A storage account that denies networks admits trusted services of Azure.",
    on=STORAGE_ACCOUNT,
    check=Where(
        All(Is("networkRuleSet.defaultAction", "Deny"), IsNot("publicNetworkAccess", "Disabled")),
        Unlike("networkRuleSet.bypass", r"(?!.*[Aa]zure[Ss]ervices).+"),
    ),
    severity=LOW,
    rationale="Backups, monitoring and Event Grid fail, and the firewall is then opened wider than needed.",
    fix="Set networkRuleSet.bypass to AzureServices, or leave it out.",
    peers="CKV_AZURE_36 AZU-0010 KICS:e25b56cd KICS:5400f379",
    cis=("Azure 2.1: 3.9†",),
)
RULES.row(
    "az-web-cors",
    "Web apps and container apps name the origins that browsers may call them from.",
    on=(*_WEB, APP_CONTAINER_APP),
    check=ByType(
        {
            **dict.fromkeys(_WEB, NoneOf("siteConfig.cors.allowedOrigins[]", ("*",))),
            APP_CONTAINER_APP: NoneOf("configuration.ingress.corsPolicy.allowedOrigins[]", ("*",)),
        }
    ),
    severity=MEDIUM,
    rationale="Any web page that a user opens can call the app from that user's network.",
    fix="List the origins of your front ends in allowedOrigins in place of *.",
    peers="CKV_AZURE_57 CKV_AZURE_62",
)
