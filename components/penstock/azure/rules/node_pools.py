"""Rules on node pools of AKS: names, modes, spot, scaling and labels."""

from __future__ import annotations

import re

from penstock.azure.facts.os_skus import os_skus
from penstock.azure.model.pools import AksPool, aks_pools
from penstock.azure.rules.pools import POOLS, cluster_of
from penstock.azure.types import CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER
from penstock.catalog import limits
from penstock.catalog.name_forms import name_forms
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, together
from penstock.graph.view import Site, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.taken_names import Called, first_of_each

RULES = RuleSet(Category.PROVIDER)

_RESERVED_LABELS = ("kubernetes.azure.com/", "kubernetes.io/")
_OF_SPOT = ("kubernetes.azure.com/scalesetpriority", "spot")
"""The label that AKS gives to nodes on spot; what a pool gives, too, stays through updates (Azure/AKS issue 3152)."""
_ANY_PRICE = -1
"""The price of spot that follows the one on demand."""
_VERSION = re.compile(r"\d+\.\d+(\.\d+)?")


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="AKS rejects other names, and Pulumi's own suffix makes a generated name too long or adds a capital.",
    fix="Set agentPoolName to at most 12 of a-z and 0-9 (6 on Windows), a letter first.",
    sources=("AKS documentation, create node pools",),
)
def az_aks_pool_name(view: View) -> Verdict:
    """The name of a node pool has at most 12 lower-case letters and digits, 6 on Windows, and starts with a letter."""
    form = name_forms("azure")[CONTAINERSERVICE_AGENT_POOL]
    key = "agentPoolName" if view.type == CONTAINERSERVICE_AGENT_POOL else "name"

    def check(pool: AksPool) -> Verdict:
        name = pool.block.text(key)
        if name is None:
            return NOT_APPLICABLE
        windows = (pool.block.text("osType") or "").casefold() == "windows"
        most = limits.find_limit("windows_pool_name_characters", "azure").most if windows else form.longest
        return allow(
            form.allow(name) and len(name) <= most,
            f"{name!r} is not a name of a node pool of AKS",
            hint=f"Use at most {most} lower-case letters and digits, a letter first, such as {form.example[:most]}.",
            path=pool.block.at(key),
        )

    return each(aks_pools(view), check)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS creates no cluster without a node pool for its own pods.",
    fix="Set mode to System for one entry of agentPoolProfiles.",
    sources=("AKS documentation, system node pools",),
)
def az_aks_system_pool(cluster: View) -> Verdict:
    """One of the node pools that a cluster describes itself has the mode System."""
    pools = aks_pools(cluster)
    if not pools:
        return NOT_APPLICABLE
    path = pools[0].block.at("mode")
    return allow(any(pool.is_system for pool in pools), "no pool has the mode System", hint="Use System.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="The cluster's own pods run on Linux, and AKS rejects the pool.",
    fix="Set osType of the pool to Linux, or its mode to User.",
    sources=("AKS documentation, system node pools",),
)
def az_aks_system_linux(pool: AksPool) -> Verdict:
    """A system node pool runs Linux."""
    system = pool.block.text("osType")
    if not pool.is_system or system is None:
        return NOT_APPLICABLE
    message = f"a system node pool does not run {system}"
    return allow(system.casefold() != "windows", message, hint="Use Linux.", path=pool.block.at("osType"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects an operating system of the other family.",
    fix="Set osType to Windows for the Windows SKUs, and to Linux for all others.",
    sources=("AKS documentation, upgrade the OS version",),
)
def az_aks_os_type(pool: AksPool) -> Verdict:
    """The operating system of nodes is one of the family that their pool says."""
    name = pool.block.text("osSKU")
    if name is None:
        return NOT_APPLICABLE
    family, windows = pool.block.text("osType") or "Linux", name.casefold().startswith("windows")
    message = f"{name} is not an operating system of the type {family}"
    hint = "Use Windows2022." if family.casefold() == "windows" else "Use Ubuntu."
    return allow(windows == (family.casefold() == "windows"), message, hint=hint, path=pool.block.at("osSKU"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects spot machines for system node pools, whose pods the cluster cannot lose.",
    fix="Leave scaleSetPriority out of the pool, or set its mode to User.",
    sources=("AKS documentation, spot node pools",),
)
def az_aks_system_regular(pool: AksPool) -> Verdict:
    """A system node pool has no spot machines."""
    if not pool.is_system:
        return NOT_APPLICABLE
    spot = (pool.block.text("scaleSetPriority") or "").casefold() == "spot"
    path = pool.block.at("scaleSetPriority")
    return allow(not spot, "a system node pool cannot be on spot", hint="Use Regular.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects an eviction policy on machines that it does not evict.",
    fix="Leave scaleSetEvictionPolicy out, or set scaleSetPriority to Spot.",
    sources=("AKS documentation, spot node pools",),
)
def az_aks_eviction_of_spot(pool: AksPool) -> Verdict:
    """Only a node pool on spot has an eviction policy."""
    if pool.block.text("scaleSetEvictionPolicy") is None:
        return NOT_APPLICABLE
    path = pool.block.at("scaleSetEvictionPolicy")
    message = "machines that are not on spot have no eviction policy"
    return allow(pool.purchase() == "spot", message, hint="Leave scaleSetEvictionPolicy out.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS takes a highest price for spot machines only.",
    fix="Leave spotMaxPrice out, or set scaleSetPriority to Spot.",
    sources=("AKS documentation, spot node pools",),
)
def az_aks_price_of_spot(pool: AksPool) -> Verdict:
    """Only a node pool on spot has a highest price."""
    price = pool.block.number("spotMaxPrice")
    if price is None or price == _ANY_PRICE:
        return NOT_APPLICABLE
    message = "machines that are not on spot have no highest price"
    return allow(pool.purchase() == "spot", message, hint="Leave it out.", path=pool.block.at("spotMaxPrice"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects other prices.",
    fix="Set spotMaxPrice to -1, or to a positive price in USD an hour with at most 5 decimals.",
    sources=("AKS documentation, spot node pools",),
)
def az_aks_spot_price(pool: AksPool) -> Verdict:
    """The highest price of spot machines is -1, or positive with at most five decimals."""
    decimals = limits.find_limit("spot_price_decimals", "azure").most
    price = pool.block.number("spotMaxPrice")
    if price is None:
        return NOT_APPLICABLE
    right = price == _ANY_PRICE or (price > 0 and round(price, decimals) == price)
    path = pool.block.at("spotMaxPrice")
    return allow(right, f"{price:g} is not a price that AKS takes", hint="Use -1 for any price.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects other bounds, and an autoscaled pool without them.",
    fix="Set minCount to 1 or more on system pools (0 elsewhere), and maxCount from there to 1000.",
    sources=("AKS documentation, cluster autoscaler", "AKS documentation, best practices for large workloads"),
)
def az_aks_scaling_bounds(pool: AksPool) -> Verdict:
    """A node pool that scales itself has a least and a most number of nodes, in order and at most 1000."""
    most = limits.find_limit("nodes_per_pool", "azure").most
    if not pool.block.flag("enableAutoScaling"):
        return NOT_APPLICABLE
    low, high = (pool.block.integer(key) for key in ("minCount", "maxCount"))
    floor = 1 if pool.is_system else 0
    if low is None or high is None:
        path = pool.block.at("minCount" if low is None else "maxCount")
        return allow(False, "an autoscaled pool needs minCount and maxCount", hint="Set both.", path=path)
    lowest = allow(low >= floor, f"minCount is {low}", hint=f"Use {floor} or more.", path=pool.block.at("minCount"))
    ordered = allow(
        low <= high <= most,
        f"maxCount is {high}, with minCount {low}",
        hint=f"Use {low} to {most}.",
        path=pool.block.at("maxCount"),
    )
    return together((lowest, ordered))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects an autoscaled pool that starts outside its own bounds.",
    fix="Set count to a number from minCount to maxCount, or leave it out.",
    sources=("AKS documentation, cluster autoscaler",),
)
def az_aks_count_in_bounds(pool: AksPool) -> Verdict:
    """A node pool that scales itself starts with a number of nodes between its bounds."""
    if not pool.block.flag("enableAutoScaling") or "count" not in pool.block:
        return NOT_APPLICABLE
    low, count, high = (pool.block.integer(key) for key in ("minCount", "count", "maxCount"))
    if low is None or count is None or high is None:
        return NOT_APPLICABLE
    message = f"the pool starts with {count} nodes, outside {low} to {high}"
    return allow(low <= count <= high, message, hint=f"Use {low} to {high}.", path=pool.block.at("count"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects bounds of a pool that the autoscaler does not scale.",
    fix="Set enableAutoScaling to true, or leave minCount and maxCount out.",
    sources=("AKS documentation, cluster autoscaler",),
)
def az_aks_fixed_pool(pool: AksPool) -> Verdict:
    """A node pool that does not scale itself has no least and no most number of nodes."""
    given = next((key for key in ("minCount", "maxCount") if key in pool.block), None)
    if given is None:
        return NOT_APPLICABLE
    message = f"{given} is set for a pool that does not scale"
    path = pool.block.at(given)
    return allow(pool.block.flag("enableAutoScaling"), message, hint="Set enableAutoScaling.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects other numbers, and a system pool without nodes.",
    fix="Set count to a number up to 1000, and to 1 or more for a system pool.",
    sources=("AKS documentation, best practices for large workloads", "AKS documentation, system node pools"),
)
def az_aks_node_count(pool: AksPool) -> Verdict:
    """A node pool has up to 1000 nodes, and one for the system at least one."""
    most = limits.find_limit("nodes_per_pool", "azure").most
    count = pool.block.integer("count")
    if count is None:
        return NOT_APPLICABLE
    least = 1 if pool.is_system else 0
    hint, path = f"Use {least} to {most}.", pool.block.at("count")
    return allow(least <= count <= most, f"{count} nodes are out of bounds", hint=hint, path=path)


@RULES.rule(
    on=CONTAINERSERVICE_AGENT_POOL,
    severity=HIGH,
    rationale="The second resource changes the node pool of the first one, and each update undoes the other.",
    fix="Set agentPoolName of one of them to another name.",
    joins=True,
    sources=("AKS documentation, create node pools",),
)
def az_aks_pool_once(pool: View) -> Verdict:
    """No two node pools of a cluster have one name, those that it describes itself included."""
    if "agentPoolName" not in pool:
        return NOT_APPLICABLE
    first = pool.site.once(_first_pools)[_called(pool)]
    cluster, own = (
        pool.one("resourceName", CONTAINERSERVICE_MANAGED_CLUSTER),
        (pool.text("agentPoolName") or "").casefold(),
    )
    inline = cluster is not None and any(
        (profile.text("name") or "").casefold() == own for profile in cluster.blocks("agentPoolProfiles")
    )
    if inline:
        message = f"the cluster describes a pool {own} itself"
        return allow(False, message, hint="Use another name.", path="agentPoolName")
    message = f"{pool.site.graph[first].name} has that name in the same cluster"
    return allow(first == pool.urn, message, hint="Use another name.", path="agentPoolName")


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS has no node image of the operating system for that version of Kubernetes.",
    fix="Set osSKU to one that runs the version, such as Ubuntu, which follows it.",
    joins=True,
    sources=("AKS documentation, upgrade the OS version",),
)
def az_aks_os_of_version(pool: AksPool) -> Verdict:
    """The operating system of nodes is one that AKS has for their version of Kubernetes."""
    name = pool.block.text("osSKU")
    system = os_skus().get(name) if name is not None else None
    if system is None or (system.kubernetes_from is None and system.kubernetes_until is None):
        return NOT_APPLICABLE
    version = _version(pool)
    if version is None or not _VERSION.fullmatch(version):
        return NOT_APPLICABLE
    message = f"{system.name} does not run Kubernetes {version}"
    return allow(system.runs(version), message, hint="Use Ubuntu.", path=pool.block.at("osSKU"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects other numbers.",
    fix="Set maxPods to a number from 10 to 250.",
    sources=("AKS documentation, IP address planning",),
)
def az_aks_pods_per_node(pool: AksPool) -> Verdict:
    """A node runs 10 to 250 pods at most."""
    low, high = (limits.find_limit(name, "azure").most for name in ("pods_per_node_least", "pods_per_node"))
    count = pool.block.integer("maxPods")
    if count is None:
        return NOT_APPLICABLE
    hint = f"Use {min(max(count, low), high)}."
    message = f"{count} pods a node are out of bounds"
    return allow(low <= count <= high, message, hint=hint, path=pool.block.at("maxPods"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS keeps these prefixes for labels of its own, and rejects them in nodeLabels.",
    fix="Use labels of another prefix in nodeLabels.",
    sources=("AKS documentation, use labels",),
)
def az_aks_reserved_label(pool: AksPool) -> Verdict:
    """Labels of nodes have no prefix that AKS keeps for itself."""
    labels = pool.block.block("nodeLabels")
    if labels is None:
        return NOT_APPLICABLE
    reserved = [label for label in labels if label.startswith(_RESERVED_LABELS)]
    if reserved == [_OF_SPOT[0]] and pool.purchase() == "spot" and labels.text(_OF_SPOT[0]) == _OF_SPOT[1]:
        return PASS
    wrong = reserved[0] if reserved else None
    path = pool.block.at("nodeLabels")
    return allow(wrong is None, f"AKS keeps the label {wrong} for itself", path=path)


def _version(pool: AksPool) -> str | None:
    """The version of Kubernetes of a pool: its own, or that of its cluster."""
    own = pool.block.text("orchestratorVersion")
    if own is not None:
        return own
    cluster = cluster_of(pool)
    return None if cluster is None else cluster.text("kubernetesVersion")


def _called(pool: View) -> Called:
    """The cluster and the name of a pool."""
    cluster, name = pool.one("resourceName", CONTAINERSERVICE_MANAGED_CLUSTER), pool.text("agentPoolName")
    if cluster is None or name is None:
        raise NotKnown
    return cluster.urn, name


def _first_pools(site: Site) -> dict[Called, str]:
    return first_of_each(site.of_type(CONTAINERSERVICE_AGENT_POOL), _called)
