"""Resource providers and features that a subscription has to have registered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.azure.facts.namespaces import namespace_of, registered_by_default
from penstock.azure.model.pools import AksPool, aks_pools, machine_of_size
from penstock.azure.types import CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER
from penstock.core.wording import inflect
from penstock.graph.view import Site, View
from penstock.preconditions.kind import Kinds
from penstock.preconditions.need import FeatureNeed, NamesNeed
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_PACKAGE: Final = "azure-native"
_REGISTRATION: Final = "azure-native:features:SubscriptionFeatureRegistration"
_ENCRYPTION: Final = ("Microsoft.Compute", "EncryptionAtHost")
_INFINIBAND: Final = ("Microsoft.ContainerService", "AKSInfinibandSupport")
_POOLS: Final = (CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER)


@KINDS.kind("az-provider", sources=("Azure Resource Manager documentation, resource providers for Azure services",))
def providers_that_are_registered(site: Site) -> Iterator[Precondition]:
    """The resource providers of what the program creates, but those that each subscription has."""
    needed: dict[str, str] = {}
    for resource in site.graph:
        package, _, rest = resource.type.partition(":")
        if package == _PACKAGE:
            needed.setdefault(namespace_of(rest.partition(":")[0]), resource.urn)
    names = sorted(needed.keys() - registered_by_default())
    if names:
        yield Precondition(
            f"Resource {inflect(len(names), 'provider', 'providers')} {', '.join(names)} registered",
            "Azure answers MissingSubscriptionRegistration until they are, and not everyone may register them.",
            " && ".join(f"az provider register --namespace {name}" for name in names),
            needed[names[0]],
            NamesNeed(tuple(names)),
        )


@KINDS.kind("az-feature-host-encryption", on=_POOLS, sources=("AKS documentation, host-based encryption",))
def encryption_at_host(view: View) -> Iterator[Precondition]:
    """The feature EncryptionAtHost, for node pools with encryption at host."""
    if any(pool.block.flag("enableEncryptionAtHost") for pool in aks_pools(view)):
        yield from _registered(view, _ENCRYPTION, "Azure refuses node pools with encryption at host without it.")


@KINDS.kind(
    "az-feature-infiniband",
    on=_POOLS,
    sources=("AKS documentation, use AMD GPUs", "Azure/ai-infrastructure-on-azure, AKS: racks of GB300"),
)
def infiniband_of_one_pool(view: View) -> Iterator[Precondition]:
    """The feature AKSInfinibandSupport: registered for pools on InfiniBand, and unregistered for racks."""
    for pool in aks_pools(view):
        machine = machine_of_size(pool.block.text("vmSize") or "")
        if machine is None or not machine.rdma:
            continue
        if machine.architecture == "arm64":
            yield _unregistered(pool)
        else:
            why = "Pools that are created before share no InfiniBand among all machines, and jobs fall back to TCP."
            yield from _registered(view, _INFINIBAND, why)


def _registered(view: View, feature: tuple[str, str], why: str) -> Iterator[Precondition]:
    """The registration of a feature, unless the program has one."""
    namespace, name = feature
    if any(each.text("featureName") == name for each in view.site.of_type(_REGISTRATION)):
        return
    register = f"az feature register --namespace {namespace} --name {name}"
    # A provider learns of a feature when it is registered again.
    how = f"{register} && az provider register --namespace {namespace}"
    need = FeatureNeed(namespace, name, registered=True)
    yield Precondition(f"Feature {namespace}/{name} registered", why, how, view.urn, need)


def _unregistered(pool: AksPool) -> Precondition:
    namespace, name = _INFINIBAND
    return Precondition(
        f"Feature {namespace}/{name} not registered",
        f"Racks are not created in a subscription that has it, and {name} is for all pools of a subscription.",
        f"az feature unregister --namespace {namespace} --name {name}",
        pool.view.urn,
        FeatureNeed(namespace, name, registered=False),
    )
