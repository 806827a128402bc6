"""Rules on versions of Kubernetes, of AKS clusters and of their node pools."""

from __future__ import annotations

from penstock.azure.model.pools import AksPool, aks_pools
from penstock.azure.rules.pools import POOLS, cluster_of
from penstock.azure.types import CONTAINERSERVICE_MANAGED_CLUSTER
from penstock.catalog import limits
from penstock.catalog.kubernetes_versions import known_versions
from penstock.core.versions import find_minor, minor
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import Given, Matches, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_MINORS_A_YEAR = 3
"""Versions that may come out before the catalogue knows of them."""
_FORM = r"\d+\.\d+(\.\d+)?"

RULES.row(
    "az-aks-version-form",
    "A version of Kubernetes is written with two numbers or three.",
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    check=Where(Given("kubernetesVersion"), Matches("kubernetesVersion", _FORM)),
    severity=HIGH,
    rationale="AKS knows no other form of a version.",
    fix="Set kubernetesVersion to a minor version such as 1.35, or to one with its patch, such as 1.35.2.",
    sources=("AKS documentation, supported Kubernetes versions",),
)


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    severity=HIGH,
    rationale="AKS creates no cluster of a version that even its long-term support has ended for.",
    fix="Set kubernetesVersion to a version that `az aks get-versions` lists, or leave it out.",
    sources=("AKS documentation, supported Kubernetes versions",),
)
def az_aks_version_offered(cluster: View) -> Verdict:
    """The version of a cluster is not older than those that AKS still has, nor years ahead of them."""
    version = find_minor(cluster.text("kubernetesVersion"))
    if version is None:
        return NOT_APPLICABLE
    oldest, *_, newest = known_versions("azure")
    hint = f"Use a version from {oldest} to {newest}."
    if version > minor(newest).later(_MINORS_A_YEAR):
        message = f"there is no Kubernetes {version} yet"
        return allow(False, message, hint=hint, path="kubernetesVersion")
    message = f"AKS has no Kubernetes {version} any more"
    return allow(version >= minor(oldest), message, hint=hint, path="kubernetesVersion")


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects nodes newer than their control plane, and those more than three minor versions older.",
    fix="Set orchestratorVersion of the pool to kubernetesVersion of its cluster, or leave it out.",
    joins=True,
    sources=("AKS documentation, create node pools", "AKS documentation, supported Kubernetes versions"),
)
def az_aks_pool_version(pool: AksPool) -> Verdict:
    """Nodes have the version of their cluster, or one of the three minor versions before."""
    behind = limits.find_limit("minor_versions_behind", "azure").most
    given = pool.block.text("orchestratorVersion")
    own = find_minor(given)
    cluster = cluster_of(pool) if own is not None else None
    control = cluster.text("kubernetesVersion") if cluster is not None else None
    control_minor = find_minor(control)
    if own is None or control_minor is None:
        return NOT_APPLICABLE
    path, hint = pool.block.at("orchestratorVersion"), f"Use {control}."
    near = control_minor.later(-behind) <= own <= control_minor
    return allow(near, f"nodes of {given} do not go with a cluster of {control}", hint=hint, path=path)
