"""Clusters by their types, and those that a provider of Kubernetes objects gets its kubeconfig from."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from penstock.graph.graph import STACK_REFERENCE
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View
from penstock.model.endpoints.endpoint import ClusterApi
from penstock.model.endpoints.enforcement import PolicyEngine
from penstock.providers import all_providers, provider_of

_KUBECONFIG: Final = "kubeconfig"


def cluster_types() -> tuple[str, ...]:
    """Return the types of the managed clusters of all clouds."""
    return tuple(reader.CLUSTER for reader in cloud_readers())


def network_types() -> tuple[str, ...]:
    """Return the types of the networks of all clouds."""
    return tuple(reader.NETWORK for reader in cloud_readers())


def cluster_api(cluster: View) -> ClusterApi:
    """Read the API of a cluster.

    Raises:
        NotKnown: a value that says who reaches it is not known yet.
        TypeMismatch: a value is of another type than the cloud takes.
    """
    reader = _reader(cluster.type)
    if reader is None:
        raise NotKnown
    api: ClusterApi = reader.cluster_api(cluster)
    return api


def own_policy_engine(cluster: View) -> PolicyEngine:
    """Return what enforces the network policies of a cluster by its own settings.

    Raises:
        NotKnown: a value that decides is not known yet.
    """
    reader = _reader(cluster.type)
    if reader is None:
        raise NotKnown
    engine: PolicyEngine = reader.policy_engine(cluster)
    return engine


def clusters_behind(provider: View) -> list[View]:
    """Return the clusters of the program that a provider of Kubernetes objects gets its kubeconfig from.

    An unknown kubeconfig without a source comes from a function with unknown arguments, as for AKS, whose dependencies
    the SDK drops. Then it is that of the only cluster. None where the kubeconfig is a text or a file, comes from
    another stack, or is of a cluster that is only looked up.

    Raises:
        NotKnown: it comes from resources that are no clusters themselves, such as a component that another language has
            or a command.
    """
    sources = provider.resource.property_dependencies.get(_KUBECONFIG, ())
    if not sources and isinstance(provider.given(_KUBECONFIG), Unknown):
        created = [view for view in provider.site.of_type(*cluster_types()) if not view.resource.external]
        return created if len(created) == 1 else []
    graph = provider.site.graph.resources
    urns = [urn for urn in sources if urn in graph]
    clusters = [View(graph[urn], provider.site) for urn in urns if _reader(graph[urn].type) is not None]
    others = [graph[urn] for urn in urns if _reader(graph[urn].type) is None]
    if not clusters and any(other.type != STACK_REFERENCE and not other.external for other in others):
        raise NotKnown
    return [cluster for cluster in clusters if not cluster.resource.external]


def uses_name(provider: View, api: ClusterApi) -> bool | None:
    """Return whether a kubeconfig has the name of a DNS endpoint as its server; None where it is not known yet."""
    given = provider.given(_KUBECONFIG)
    text = given.value if isinstance(given, Secret) else given
    if not api.name_suffix:
        return False
    return None if isinstance(text, Unknown) or not isinstance(text, str) else api.name_suffix in text


def cloud_readers() -> list[ModuleType]:
    """Return the modules that read the endpoints of each cloud."""
    found = (provider.module("endpoints") for provider in all_providers())
    return [module for module in found if module is not None]


def _reader(type_: str) -> ModuleType | None:
    """The module that reads APIs of clusters of a type; None for all that is no cluster."""
    provider = provider_of(type_)
    module = provider.module("endpoints") if provider is not None else None
    return module if module is not None and type_ == module.CLUSTER else None
