"""The nodes of the cluster that a program builds, as its scheduler sees them; each cloud has an adapter."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

from penstock.graph.values import Unknown
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.rules import inventory, karpenter_nodes
from penstock.kubernetes.rules.node_offer import NodeOffer, Registries
from penstock.kubernetes.rules.types import PROVIDER
from penstock.providers import all_providers

_AUTOSCALERS = ("karpenter",)
"""Charts that start nodes whose types are in no program."""


def offers(view: View) -> list[NodeOffer]:
    """The pools of the cluster that an object goes to.

    Raises:
        NotKnown: the cluster lies outside the program, or something else may start nodes in it.
    """
    cluster(view)
    found = view.site.once(_pools)
    if found is None:
        raise NotKnown
    return found


def started_pools(view: View) -> list[NodeOffer]:
    """The node pools of Karpenter that the program creates in the cluster of an object, which may have others.

    Raises:
        NotKnown: a property of one of them is not known.
    """
    return karpenter_nodes.offers(karpenter_nodes.pools_of(view.site, [inventory.server(view)]))


def kubernetes_version(view: View) -> str | None:
    """The minor version of the cluster that an object goes to; None where its cloud chooses the newest.

    Raises:
        NotKnown: the cluster lies outside the program.
    """
    cluster(view)
    found = view.site.once(_cluster)
    version: str | None = found.adapter.version(found.view) if found is not None else None
    return version


def cluster(view: View) -> View:
    """The cluster of the program that an object goes to: the only one that the provider of the object refers to.

    Raises:
        NotKnown: there is none, or several, or the provider reaches another.
    """
    found = view.site.once(_cluster)
    if found is None or inventory.server(view) not in found.providers:
        raise NotKnown
    return found.view


def has_own_cluster(view: View) -> bool:
    """Return whether an object goes to a cluster that the program creates, the only one of the program."""
    found = view.site.once(_cluster)
    return found is not None and inventory.server(view) in found.providers and not found.view.resource.external


def registries_within_reach(view: View) -> Registries | None:
    """The registries that nodes of the cluster reach to which an object goes; None where they reach any.

    Raises:
        NotKnown: the cluster or its network lies outside the program.
    """
    found = view.site.once(_cluster)
    if found is None or not has_own_cluster(view):
        raise NotKnown
    closed = view.site.once(_is_closed)
    if closed is None:
        raise NotKnown
    registries: Registries = found.adapter.REGISTRIES
    return registries if closed else None


class _Cluster(NamedTuple):
    """The one cluster of a program, what reads its pools, and the providers that reach it."""

    adapter: ModuleType
    view: View
    providers: frozenset[str]


def _cluster(site: Site) -> _Cluster | None:
    found = [(adapter, cluster) for adapter in _adapters(site) for cluster in adapter.clusters(site)]
    if len(found) != 1:
        return None
    adapter, only = found[0]
    return _Cluster(adapter, only, frozenset(_providers_of(only)))


def _providers_of(cluster: View) -> Iterator[str]:
    """The URNs of the Kubernetes providers that are configured from a cluster's outputs.

    Among them are those whose kubeconfig is unknown without a source: it comes from a function with arguments that are
    not known yet, as for AKS. The SDK does not call it, and forgets what the arguments depend on.
    """
    for provider in cluster.site.of_type(PROVIDER):
        sources = {urn for urns in provider.resource.property_dependencies.values() for urn in urns}
        unsourced = not sources and isinstance(provider.given("kubeconfig"), Unknown)
        if cluster.urn in sources or (unsourced and not cluster.resource.external):
            yield provider.urn


def _pools(site: Site) -> list[NodeOffer] | None:
    found = site.once(_cluster)
    if found is None:
        return None
    try:
        pools: list[NodeOffer] = found.adapter.offers(found.view)
        started = karpenter_nodes.pools_of(site, found.providers)
        if not started:
            return None if _starts_nodes_itself(site) else pools
        more = karpenter_nodes.offers(started)
        return [*(karpenter_nodes.beside(pool, more) for pool in pools), *more]
    except (NotKnown, TypeMismatch):
        return None


def _is_closed(site: Site) -> bool | None:
    """Whether nodes of the one cluster reach nothing outside of their network; None where that is not known."""
    found = site.once(_cluster)
    try:
        return None if found is None else not found.adapter.has_way_out(found.view)
    except (NotKnown, TypeMismatch):
        return None


def _adapters(site: Site) -> list[ModuleType]:
    """The readers of pools of the clouds that a program uses; rules on other clouds are not even loaded."""
    packages = {resource.type.partition(":")[0] for resource in site.graph}
    found = (provider.module("cluster_nodes") for provider in all_providers() if provider.package in packages)
    return [adapter for adapter in found if adapter is not None]


def _starts_nodes_itself(site: Site) -> bool:
    charts = [release.text("chart") or "" for release in site.of_type(RELEASE)]
    return any(word in chart for chart in charts for word in _AUTOSCALERS) or any(
        resource.type.startswith("kubernetes:karpenter") for resource in site.graph
    )
