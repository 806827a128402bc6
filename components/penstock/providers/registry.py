"""The registered providers, by name and by the package of a type token."""

from __future__ import annotations

from penstock.providers.provider import PluginTraits, Provider

_PROVIDERS: dict[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider(
            name="aws",
            title="AWS",
            package="aws",
            sdk="pulumi_aws",
            quota_page="The Service Quotas console",
            catalogue="penstock.catalog.aws",
            offer="penstock.spec.clouds.aws:OFFER",
            description_rules="penstock.spec.rules.aws",
            nodes="penstock.spec.nodes.aws:read",
            composer="penstock.platform.aws:OnAws",
            simulated_cloud="penstock.rehearsal.clouds.aws",
            pools="penstock.model.pools.aws",
            topology="penstock.model.topology.aws",
            pool_updates="penstock.rehearsal.changes.aws_pools",
            endpoints="penstock.model.endpoints.eks",
            prices="penstock.economics.cost.aws",
            machine_terms="penstock.economics.cost.aws_machines:TERMS",
            price_service="penstock.catalog.price_lists.aws_service",
            sizing="penstock.economics.sizing.clouds.aws:SIZING",
            budgets="penstock.economics.budgets.aws",
            rules="penstock.rules.aws",
            preconditions="penstock.preconditions.aws",
            preflight="penstock.preflight.aws",
            cluster_nodes="penstock.rules.kubernetes.aws_nodes",
            plugin=PluginTraits(lenient=True, filled_input=("region",)),
        ),
        Provider(
            name="gcp",
            title="Google Cloud",
            package="gcp",
            sdk="pulumi_gcp",
            quota_page="The console's page Quotas & System Limits",
            catalogue="penstock.catalog.gcp",
            offer="penstock.spec.clouds.gcp:OFFER",
            description_rules="penstock.spec.rules.gcp",
            nodes="penstock.spec.nodes.gcp:read",
            composer="penstock.platform.gcp:OnGcp",
            simulated_cloud="penstock.rehearsal.clouds.gcp",
            pools="penstock.model.pools.gcp",
            topology="penstock.model.topology.gcp",
            pool_updates="penstock.rehearsal.changes.gcp_pools",
            endpoints="penstock.model.endpoints.gke",
            prices="penstock.economics.cost.gcp",
            machine_terms="penstock.economics.cost.gcp_machines:TERMS",
            price_service="penstock.catalog.price_lists.gcp_service",
            sizing="penstock.economics.sizing.clouds.gcp:SIZING",
            budgets="penstock.economics.budgets.gcp",
            rules="penstock.rules.gcp",
            preconditions="penstock.preconditions.gcp",
            preflight="penstock.preflight.gcp",
            api_switch="gcp:projects/service:Service",
            cluster_nodes="penstock.rules.kubernetes.gcp_nodes",
            plugin=PluginTraits(lenient=True, links=True),
        ),
        Provider(
            name="azure",
            title="Azure",
            package="azure-native",
            sdk="pulumi_azure_native",
            quota_page="The portal's page Quotas",
            catalogue="penstock.catalog.azure",
            offer="penstock.spec.clouds.azure:OFFER",
            description_rules="penstock.spec.rules.azure",
            nodes="penstock.spec.nodes.azure:read",
            composer="penstock.platform.azure:OnAzure",
            simulated_cloud="penstock.rehearsal.clouds.azure",
            pools="penstock.model.pools.azure",
            topology="penstock.model.topology.azure",
            pool_updates="penstock.rehearsal.changes.azure_pools",
            endpoints="penstock.model.endpoints.aks",
            prices="penstock.economics.cost.azure",
            machine_terms="penstock.economics.cost.azure_machines:TERMS",
            price_service="penstock.catalog.price_lists.azure_service",
            sizing="penstock.economics.sizing.clouds.azure:SIZING",
            budgets="penstock.economics.budgets.azure",
            rules="penstock.rules.azure",
            preconditions="penstock.preconditions.azure",
            preflight="penstock.preflight.azure",
            cluster_nodes="penstock.rules.kubernetes.azure_nodes",
            plugin=PluginTraits(always_deletes_first=True, marks_generated_names=False, ignores_undeclared=True),
        ),
        Provider(
            name="kubernetes",
            title="Kubernetes",
            package="kubernetes",
            sdk="pulumi_kubernetes",
            catalogue="penstock.catalog.kubernetes",
            description_rules="penstock.spec.rules.kubernetes",
            nodes="penstock.spec.nodes.kubernetes:read",
            composer="penstock.platform.kubernetes:OnKubernetes",
            simulated_cloud="penstock.rehearsal.clouds.kubernetes",
            pools="penstock.model.pools.kubernetes",
            rules="penstock.rules.kubernetes",
            preconditions="penstock.preconditions.kubernetes",
            preflight="penstock.preflight.kubernetes",
            stand_in="penstock.catalog.kubernetes.pod_homes:stand_in",
            plugin=PluginTraits(filled_input=("metadata", "namespace"), filled_with="default"),
        ),
    )
}


def register(provider: Provider) -> None:
    """Add a provider, or replace the one of the same name."""
    _PROVIDERS[provider.name] = provider


def unregister(name: str) -> None:
    """Remove a provider."""
    del _PROVIDERS[name]


def all_providers() -> tuple[Provider, ...]:
    """Return every provider in the order of registration."""
    return tuple(_PROVIDERS.values())


def built_providers() -> tuple[str, ...]:
    """Return the names of the providers that a description can be built on."""
    return tuple(provider.name for provider in all_providers() if provider.composer)


def built_clouds() -> tuple[str, ...]:
    """Return the names of those that sell the machines of a platform."""
    return tuple(provider.name for provider in all_providers() if provider.composer and provider.offer)


def priced_clouds() -> tuple[str, ...]:
    """Return the names of those whose price service can be asked, sorted."""
    return tuple(sorted(provider.name for provider in all_providers() if provider.price_service))


def sized_clouds() -> tuple[str, ...]:
    """Return the names of those whose machines `penstock size` compares."""
    return tuple(provider.name for provider in all_providers() if provider.sizing)


def provider_named(name: str) -> Provider | None:
    """Return the provider that a description calls so; None where there is none."""
    return _PROVIDERS.get(name)


def plugin_of(type_: str) -> PluginTraits:
    """Return how the plugin behind a type token treats its resources; plainly, where it has no record."""
    provider = provider_of(type_)
    return provider.plugin if provider is not None else PluginTraits()


def provider_of(type_: str) -> Provider | None:
    """Return the provider of a type token (`aws:ec2/vpc:Vpc`), None for one that has no record."""
    package = type_.partition(":")[0]
    return next((provider for provider in _PROVIDERS.values() if provider.package == package), None)


def room_of(package: str) -> str:
    """The room of a package's tables in the catalogue, which has the name of its provider."""
    provider = provider_of(package)
    return provider.name if provider is not None else package
