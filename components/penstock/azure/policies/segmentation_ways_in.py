"""Segmentation on Azure: what hands on to networks of ours what strangers send, and what answers them itself."""

from __future__ import annotations

from typing import Final

from penstock.azure.model.openings import azure_reach
from penstock.azure.policies.access import OFF
from penstock.azure.types import (
    APP_CONTAINER_APP,
    APP_CONTAINER_APPS_SESSION_POOL,
    APP_MANAGED_ENVIRONMENT,
    BATCH_POOL,
    EVENTHUB_NAMESPACE,
    FRONTDOOR_POLICY,
    MACHINELEARNINGSERVICES_COMPUTE,
    MACHINELEARNINGSERVICES_WORKSPACE,
    NETWORK_AZURE_FIREWALL,
    NETWORK_BASTION_HOST,
    NETWORK_LOAD_BALANCER,
    NETWORK_WEB_APPLICATION_FIREWALL_POLICY,
    SERVICEBUS_NAMESPACE,
)
from penstock.graph.values import listed
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, each, fail
from penstock.graph.view import Block, View
from penstock.model.openings.reach import Reach
from penstock.policies.open_world import NotOpen, refuse_world
from penstock.rules.checks import (
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
from penstock.rules.levels import CRITICAL, HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_COLLECTIONS: Final = "azure-native:network:FirewallPolicyRuleCollectionGroup"
_NAT_RULE: Final = "azure-native:network:InboundNatRule"
_AUTHENTICATION: Final = "azure-native:app:ContainerAppsAuthConfig"

_TO_ADMINISTER: Final = (22, 3389, 5985, 5986)
"""SSH, Remote Desktop and Windows Remote Management."""


def _translating(rules: str, protocols: str) -> Check:
    """The source of a DNAT rule of a firewall is not the internet, unless that is meant."""

    def judge(it: View, settings: Settings) -> Verdict:
        public = settings.parameters.public_ports

        def one(rule: Block) -> Verdict:
            if (rule.text("ruleType") or "NatRule") != "NatRule":
                return NOT_APPLICABLE
            sources = [item for place in rule.locations("sourceAddresses") for item in listed(place.value)]
            path = rule.at("sourceAddresses")
            return each(
                rule.texts(protocols),
                lambda protocol: refuse_world(sources, lambda: _reached(rule, protocol), public, path),
            )

        return each(it.locations(rules), lambda place: one(it.within(place)))

    return Custom(judge)


def _reached(rule: Block, protocol: str) -> Reach:
    """Return the opening of a rule: its public port, or the port behind it where the two differ."""
    seen, behind = (azure_reach(protocol, listed(rule.value(key))) for key in ("destinationPorts", "translatedPort"))
    return behind if behind.ports and behind.touches(_TO_ADMINISTER) else seen


RULES.row(
    "az-fw-dnat-no-world",
    "A firewall translates what the whole internet sends to public ports only.",
    on=(NETWORK_AZURE_FIREWALL, _COLLECTIONS),
    check=ByType(
        {
            NETWORK_AZURE_FIREWALL: _translating("natRuleCollections[].rules[]", "protocols"),
            _COLLECTIONS: _translating("ruleCollections[].rules[]", "ipProtocols"),
        }
    ),
    severity=CRITICAL,
    rationale=(
        "The firewall's address is tried within minutes, and behind such a rule is one machine with its passwords."
    ),
    fix="Name in sourceAddresses who needs the port, or remove the rule; SSH goes by Azure Bastion.",
)


_IS_PUBLIC: Final = Either(
    Given("frontendIPConfigurations[].publicIPAddress"), Given("frontendIPConfigurations[].publicIPPrefix")
)


def _is_of_public(rule: View, settings: Settings) -> Verdict:
    balancer = rule.one("loadBalancerName", NETWORK_LOAD_BALANCER)
    if balancer is None:
        raise NotKnown
    return _IS_PUBLIC.judge(balancer, settings)


_FOR_NAMED: Final = All(
    Given("networkSecurityGroupRules"),  # without any, Batch lets everyone in
    Each("networkSecurityGroupRules[]", Where(Is("access", "Allow"), NotOpen("sourceAddressPrefix"))),
)

RULES.row(
    "az-lb-no-admin-ports",
    "A load balancer with a public address, or that of a pool of Batch, leads to no port by which machines are "
    "administered.",
    on=(NETWORK_LOAD_BALANCER, _NAT_RULE, BATCH_POOL),
    check=ByType(
        {
            NETWORK_LOAD_BALANCER: Where(
                _IS_PUBLIC,
                All(
                    NoneOf("inboundNatRules[].backendPort", _TO_ADMINISTER),
                    NoneOf("inboundNatPools[].backendPort", _TO_ADMINISTER),
                    NoneOf("loadBalancingRules[].backendPort", _TO_ADMINISTER),
                ),
            ),
            _NAT_RULE: Where(Custom(_is_of_public, others=True), NoneOf("backendPort", _TO_ADMINISTER)),
            BATCH_POOL: Each(
                "networkConfiguration.endpointConfiguration.inboundNatPools[]",
                Either(NoneOf("backendPort", _TO_ADMINISTER), _FOR_NAMED),
            ),
        }
    ),
    severity=HIGH,
    rationale=(
        "One misconfiguration of a security group, and the whole internet tries passwords; another number outside "
        "hides nothing."
    ),
    fix="Remove the rule, and let people in by Azure Bastion or a VPN.",
)
RULES.row(
    "az-ml-compute-no-ssh",
    "Compute of machine learning takes no SSH from the internet.",
    on=MACHINELEARNINGSERVICES_COMPUTE,
    check=All(
        IsNot("properties.properties.remoteLoginPortPublicAccess", "Enabled"),
        IsNot("properties.properties.sshSettings.sshPublicAccess", "Enabled"),
    ),
    severity=CRITICAL,
    rationale="Whoever finds a key of one researcher reads the data sets that its identity may mount.",
    fix="Set remoteLoginPortPublicAccess (sshSettings.sshPublicAccess of an instance) to Disabled; the workspace opens "
    "terminals by itself.",
)


def _keeps_strangers_out(app: View, settings: Settings) -> Verdict:
    said = _ASKS.judge(app, settings)
    path = "configuration.ingress.external"
    return fail(f"{path} is true, and nothing asks who calls", path=path) if said.failures else said


def _is_inside(app: View, settings: Settings) -> Verdict:
    environment = app.one("environmentId", APP_MANAGED_ENVIRONMENT) or app.one(
        "managedEnvironmentId", APP_MANAGED_ENVIRONMENT
    )
    if environment is None:
        raise NotKnown
    inside = Either(Is("vnetConfiguration.internal", value=True), Is("publicNetworkAccess", "Disabled"))
    return inside.judge(environment, settings)


_RESTRICTIONS: Final = "configuration.ingress.ipSecurityRestrictions"
_ASKS: Final = Either(
    All(
        Given(_RESTRICTIONS),
        IsNot(f"{_RESTRICTIONS}[].action", "Deny"),  # all of the others get in then
        NotOpen(f"{_RESTRICTIONS}[].ipAddressRange"),
    ),
    Is("configuration.ingress.clientCertificateMode", "require"),
    Joined(
        ((_AUTHENTICATION, "containerAppName"),),
        "nobody has to sign in",
        All(
            IsNot("platform.enabled", value=False),
            IsNot("globalValidation.unauthenticatedClientAction", "AllowAnonymous"),
        ),
    ),
    Custom(_is_inside, others=True),
)

RULES.row(
    "az-app-no-public",
    "A container app answers networks of ours or named addresses, or has callers sign in.",
    on=APP_CONTAINER_APP,
    check=Where(
        Is("configuration.ingress.external", value=True),
        Custom(_keeps_strangers_out, others=True),
    ),
    severity=MEDIUM,
    rationale=(
        "Whoever finds the address runs models on your bill, and tries every request that the code did not expect."
    ),
    fix="Set configuration.ingress.external to false, or vnetConfiguration.internal of the ManagedEnvironment to "
    "true, which replaces it; or list who may call in ipSecurityRestrictions, or add a ContainerAppsAuthConfig.",
)
RULES.row(
    "az-session-no-egress",
    "What a session runs, often code that a model wrote, does not reach the internet.",
    on=APP_CONTAINER_APPS_SESSION_POOL,
    check=IsNot("sessionNetworkConfiguration.status", "EgressEnabled"),
    severity=MEDIUM,
    rationale="A prompt that talks a model into it sends what the session was given anywhere.",
    fix="Set sessionNetworkConfiguration.status to EgressDisabled, and put what the code needs into the image.",
)
RULES.row(
    "az-pls-approval",
    "A private link service takes in named subscriptions without being asked, at most.",
    on="azure-native:network:PrivateLinkService",
    check=IsNot("autoApproval.subscriptions[]", "*"),
    severity=HIGH,
    rationale="Every customer of Azure who learns its alias connects a network of his own to the service behind it.",
    fix="Name subscriptions in autoApproval.subscriptions, or leave it out and approve connections one by one.",
)
RULES.row(
    "az-nsp-enforced",
    "A network security perimeter refuses what none of its rules names.",
    on="azure-native:network:NetworkSecurityPerimeterAssociation",
    check=Is("accessMode", "Enforced"),
    severity=MEDIUM,
    rationale=(
        "While it learns, the resource's own settings let in whom none of its rules names, and data out to anywhere."
    ),
    fix="Set accessMode to Enforced, once the perimeter's logs show nothing that must still get in.",
)
RULES.row(
    "az-nsp-no-world",
    "A network security perimeter lets named addresses in.",
    on="azure-native:network:NetworkSecurityPerimeterAccessRule",
    check=Where(IsNot("direction", "Outbound"), NotOpen("addressPrefixes")),
    severity=HIGH,
    rationale="All that the perimeter holds, be it storage, vaults or models, answers whoever has a key that leaked.",
    fix="List ranges of yours in addressPrefixes, or name subscriptions that may call.",
)

RULES.row(
    "az-waf-prevents",
    "A web application firewall refuses what it finds.",
    on=(NETWORK_WEB_APPLICATION_FIREWALL_POLICY, FRONTDOOR_POLICY),
    check=ByType(
        {
            NETWORK_WEB_APPLICATION_FIREWALL_POLICY: All(
                IsNot("policySettings.mode", "Detection"), IsNot("policySettings.state", "Disabled")
            ),
            FRONTDOOR_POLICY: All(
                IsNot("policySettings.mode", "Detection"), IsNot("policySettings.enabledState", "Disabled")
            ),
        }
    ),
    severity=MEDIUM,
    rationale="It writes attacks down and hands them on: who reads the log next morning learns what was taken.",
    fix="Set policySettings.mode to Prevention, once its log shows no calls that must get through.",
    peers="CKV_AZURE_122 CKV_AZURE_123",
)
RULES.row(
    "az-bastion-no-links",
    "A bastion makes no links that open machines to whoever has them.",
    on=NETWORK_BASTION_HOST,
    check=IsNot("enableShareableLink", value=True),
    severity=MEDIUM,
    rationale=(
        "Such a link asks nobody to sign in to Azure: forwarded by mail, it leads strangers to the login of a machine."
    ),
    fix="Set enableShareableLink to false, or leave it out, and let people sign in with roles of theirs.",
)
_OF_ACCOUNT: Final = "azure-native:cognitiveservices:ManagedNetworkSetting"

RULES.row(
    "az-ml-egress",
    "Where Azure keeps the network of a workspace or of agents, it lets out to approved addresses only.",
    on=(MACHINELEARNINGSERVICES_WORKSPACE, _OF_ACCOUNT),
    check=ByType(
        {
            MACHINELEARNINGSERVICES_WORKSPACE: IsNot("managedNetwork.isolationMode", "AllowInternetOutbound"),
            _OF_ACCOUNT: IsNot("properties.managedNetwork.isolationMode", "AllowInternetOutbound"),
        }
    ),
    severity=MEDIUM,
    rationale="A poisoned package in a notebook, or a prompt that an agent falls for, sends data and weights anywhere.",
    fix="Set isolationMode to AllowOnlyApprovedOutbound, with outboundRules for the registries that jobs need; it "
    "cannot be set back.",
)


_BUSES: Final = {
    EVENTHUB_NAMESPACE: "azure-native:eventhub:NamespaceNetworkRuleSet",
    SERVICEBUS_NAMESPACE: "azure-native:servicebus:NamespaceNetworkRuleSet",
}
"""Namespaces of queues and events, and what says which networks they refuse."""
_HAS_RULES: Final = {
    EVENTHUB_NAMESPACE: IsNot("sku.name", "Basic"),
    SERVICEBUS_NAMESPACE: Is("sku.name", "Premium"),
}
"""Tiers that have private endpoints and rules for networks (Event Hubs and Service Bus docs, network security)."""
_SCHEDULER: Final = "azure-native:durabletask:Scheduler"
_REFUSES: Final = Either(
    All(Is("defaultAction", "Deny"), NotOpen("ipRules[].ipMask")), OneOf("publicNetworkAccess", OFF)
)

RULES.row(
    "az-bus-net",
    "Queues, events and schedulers of workflows refuse networks that no rule names.",
    on=(*_BUSES, _SCHEDULER),
    check=ByType(
        {
            **{
                type_: Where(
                    _HAS_RULES[type_],
                    Either(
                        OneOf("publicNetworkAccess", OFF),
                        Joined(((rules, "namespaceName"),), "no rule set refuses networks", _REFUSES),
                    ),
                )
                for type_, rules in _BUSES.items()
            },
            _SCHEDULER: Either(
                Is("properties.publicNetworkAccess", "Disabled"),
                All(Given("properties.ipAllowlist"), NotOpen("properties.ipAllowlist")),
            ),
        }
    ),
    severity=MEDIUM,
    rationale="A key or a token that leaks reads prompts and answers on their way, and puts in jobs, from anywhere.",
    fix="Set publicNetworkAccess to Disabled and add a private endpoint, or a NamespaceNetworkRuleSet with "
    "defaultAction Deny, or list ranges of yours in properties.ipAllowlist.",
    peers="CKV_AZURE_204",
)
