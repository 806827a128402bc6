"""Rules on AKS clusters: networks of nodes, pods and services, and who reaches the API server."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network

from penstock.azure.facts import address_ranges
from penstock.azure.model.pools import AksPool, aks_pools
from penstock.azure.rules.pools import POOLS, cluster_of
from penstock.azure.types import CONTAINERSERVICE_MANAGED_CLUSTER, RESOURCES_RESOURCE_GROUP
from penstock.catalog import limits
from penstock.core.cidr import first_overlap, ipv4_range
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.checks import All, Either, Given, Is, Matches, OneOf, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_NETWORK = "networkProfile"
_RANGES = ("podCidr", "serviceCidr")


RULES.row(
    "az-aks-overlay-plugin",
    "Only Azure's own network plugin has the mode overlay.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Is(f"{_NETWORK}.networkPluginMode", "overlay"), Is(f"{_NETWORK}.networkPlugin", "azure")),
    severity=HIGH,
    rationale="AKS rejects the mode with any other plugin.",
    fix="Set networkProfile.networkPlugin to azure.",
    sources=("AKS documentation, Azure CNI Overlay",),
)
RULES.row(
    "az-aks-cilium-plugin",
    "A cluster on Cilium has Azure's network plugin, with overlay or a subnet for pods.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(
        Is(f"{_NETWORK}.networkDataplane", "cilium"),
        All(
            Is(f"{_NETWORK}.networkPlugin", "azure"),
            Either(Is(f"{_NETWORK}.networkPluginMode", "overlay"), Given("agentPoolProfiles[].podSubnetID")),
        ),
    ),
    severity=HIGH,
    rationale="AKS rejects Cilium elsewhere.",
    fix="Set networkProfile.networkPlugin to azure and networkPluginMode to overlay.",
    sources=("AKS documentation, Azure CNI Powered by Cilium",),
)
RULES.row(
    "az-aks-cilium-policy",
    "Network policies of Cilium need its dataplane.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Is(f"{_NETWORK}.networkPolicy", "cilium"), Is(f"{_NETWORK}.networkDataplane", "cilium")),
    severity=HIGH,
    rationale="AKS rejects the policy engine without the dataplane.",
    fix="Set networkProfile.networkDataplane to cilium.",
    sources=("AKS documentation, Azure CNI Powered by Cilium",),
)
RULES.row(
    "az-aks-workload-identity-issuer",
    "A cluster with workload identity has an OIDC issuer.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Is("securityProfile.workloadIdentity.enabled", True), Is("oidcIssuerProfile.enabled", True)),
    severity=HIGH,
    rationale="Entra ID trusts tokens of pods by the issuer of their cluster; AKS rejects workload identity without.",
    fix="Set oidcIssuerProfile.enabled to true.",
    sources=("AKS documentation, workload identity",),
)
RULES.row(
    "az-aks-tier",
    "A cluster is of the tier Free, Standard or Premium.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Given("sku.tier"), OneOf("sku.tier", ("Free", "Standard", "Premium"))),
    severity=HIGH,
    rationale="AKS has no other tiers today; Paid is a name of the past.",
    fix="Set sku.tier to Standard.",
    sources=("AKS documentation, pricing tiers",),
)
RULES.row(
    "az-aks-support-tier",
    "Long-term support is that of the tier Premium.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Is("supportPlan", "AKSLongTermSupport"), Is("sku.tier", "Premium")),
    severity=HIGH,
    rationale="AKS rejects the support plan in other tiers.",
    fix="Set sku.tier to Premium, or supportPlan to KubernetesOfficial.",
    sources=("AKS documentation, long-term support",),
)
RULES.row(
    "az-aks-node-image-channel",
    "A cluster that is upgraded by node images has them on its channel of node systems, too.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(
        Is("autoUpgradeProfile.upgradeChannel", "node-image"),
        OneOf("autoUpgradeProfile.nodeOSUpgradeChannel", (None, "NodeImage")),
    ),
    severity=HIGH,
    rationale="AKS rejects another channel of node systems beside node-image.",
    fix="Set autoUpgradeProfile.nodeOSUpgradeChannel to NodeImage.",
    sources=("AKS documentation, automatic upgrades of node systems",),
)
RULES.row(
    "az-aks-dns-prefix",
    "The prefix of a cluster's DNS name has letters, digits and hyphens.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Given("dnsPrefix"), Matches("dnsPrefix", r"[A-Za-z0-9]([A-Za-z0-9-]{0,52}[A-Za-z0-9])?")),
    severity=HIGH,
    rationale="AKS rejects other characters, and more than 54.",
    fix="Set dnsPrefix to at most 54 letters, digits and hyphens, with a letter or digit first and last.",
    sources=("AKS documentation, troubleshoot creation of clusters",),
)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS creates the resource group of nodes itself, and rejects one that exists.",
    fix="Set nodeResourceGroup to a name that no resource group has, or leave it out.",
    joins=True,
    sources=("AKS documentation, FAQ: names of node resource groups",),
)
def az_aks_node_group(cluster: View) -> Verdict:
    """The resource group of a cluster's nodes is none that the program creates, and has at most 80 characters."""
    name = cluster.text("nodeResourceGroup")
    if name is None:
        return NOT_APPLICABLE
    most = limits.find_limit("node_group_characters", "azure").most
    if len(name) > most:
        message = f"the name of the nodes' resource group has {len(name)} characters"
        return allow(False, message, hint=f"Use {most} at most.", path="nodeResourceGroup")
    groups = {
        str(group.given("resourceGroupName")).casefold() for group in cluster.site.of_type(RESOURCES_RESOURCE_GROUP)
    }
    message = f"the resource group {name} is one of the program"
    return allow(name.casefold() not in groups, message, hint="Use another name.", path="nodeResourceGroup")


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="Node auto-provisioning and the autoscaler would scale the same nodes; AKS rejects both together.",
    fix="Set enableAutoScaling of the pool to false, or nodeProvisioningProfile.mode of the cluster to Manual.",
    joins=True,
    sources=("AKS documentation, node auto-provisioning",),
)
def az_aks_one_autoscaler(pool: AksPool) -> Verdict:
    """A cluster with node auto-provisioning has no pool that the cluster autoscaler scales."""
    if not pool.block.flag("enableAutoScaling"):
        return NOT_APPLICABLE
    cluster = cluster_of(pool)
    profile = cluster.block("nodeProvisioningProfile") if cluster is not None else None
    if profile is None:
        return NOT_APPLICABLE
    automatic = (profile.text("mode") or "").casefold() == "auto"
    message = "the cluster provisions nodes by itself"
    return allow(not automatic, message, hint="Use false.", path=pool.block.at("enableAutoScaling"))


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS rejects ranges for an API server that has no public address.",
    fix="Leave apiServerAccessProfile.authorizedIPRanges out, or set enablePrivateCluster to false.",
    sources=("AKS documentation, private clusters",),
)
def az_aks_private_ranges(cluster: View) -> Verdict:
    """A private cluster has no authorized ranges of public addresses."""
    access = cluster.block("apiServerAccessProfile")
    if access is None or not access.flag("enablePrivateCluster"):
        return NOT_APPLICABLE
    path = access.at("authorizedIPRanges")
    empty = "authorizedIPRanges" not in access or not access.count("authorizedIPRanges")
    return allow(empty, "a private cluster has no authorized ranges", hint="Leave them out.", path=path)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS keeps 169.254.0.0/16, 192.0.2.0/24, 172.30.0.0/16 and 172.31.0.0/16 for itself.",
    fix="Set networkProfile.podCidr and serviceCidr to other private ranges, such as 10.244.0.0/16.",
    sources=("AKS documentation, CNI networking prerequisites",),
)
def az_aks_reserved_range(cluster: View) -> Verdict:
    """Pods and services have no addresses that AKS keeps for itself."""

    def check(key: str) -> Verdict:
        network = cluster.block(_NETWORK)
        cidr = _range(network, key)
        if network is None or cidr is None:
            return NOT_APPLICABLE
        taken = first_overlap(cidr, address_ranges.aks())
        message = f"{cidr} touches {taken}, which AKS keeps for itself"
        return allow(taken is None, message, hint="Use another private range.", path=network.at(key))

    return each(_RANGES, check)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS rejects a range of services of /12 or more, and one that its pods have, too.",
    fix="Set networkProfile.serviceCidr to a range of its own, smaller than /12.",
    sources=("AKS documentation, IP address planning",),
)
def az_aks_service_range(cluster: View) -> Verdict:
    """The range of services is smaller than /12 and touches no pods."""
    network = cluster.block(_NETWORK)
    services = _range(network, "serviceCidr")
    if network is None or services is None:
        return NOT_APPLICABLE
    path, least = network.at("serviceCidr"), limits.find_limit("services_prefix_least", "azure").most
    if services.prefixlen < least:
        return fail(f"{services} is too large for services", hint=f"Use a prefix of /{least} or longer.", path=path)
    pods = _range(network, "podCidr")
    message = f"services in {services} overlap pods in {pods}"
    return allow(pods is None or not pods.overlaps(services), message, hint="Use another range.", path=path)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS rejects a DNS address outside the services, and the first one there is that of the API server.",
    fix="Set networkProfile.dnsServiceIP to the tenth address of serviceCidr.",
    sources=("AKS documentation, IP address planning",),
)
def az_aks_dns_address(cluster: View) -> Verdict:
    """The address of DNS is one of the services', but not the first."""
    network = cluster.block(_NETWORK)
    services = _range(network, "serviceCidr")
    text = network.text("dnsServiceIP") if network is not None else None
    if network is None or services is None or text is None:
        return NOT_APPLICABLE
    hint, path = f"Use {services[min(10, services.num_addresses - 1)]}.", network.at("dnsServiceIP")
    try:
        address = IPv4Address(text)
    except ValueError:
        return fail(f"{text!r} is not an address", hint=hint, path=path)
    right = address in services and int(address) - int(services[0]) > 1
    return allow(right, f"{address} is not an address for DNS in {services}", hint=hint, path=path)


def _range(network: Block | None, key: str) -> IPv4Network | None:
    """A range as it is written; None where it is not given, or not a whole IPv4 network."""
    return ipv4_range(network.text(key)) if network is not None else None
