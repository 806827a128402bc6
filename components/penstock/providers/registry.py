"""The registered providers, by name and by the package of a type token."""

from __future__ import annotations

from penstock.providers.provider import Provider

_PROVIDERS: dict[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider(
            name="aws",
            title="AWS",
            package="aws",
            sdk="pulumi_aws",
            composer="penstock.platform.aws",
            simulated_cloud="penstock.rehearsal.clouds.aws",
            pools="penstock.model.pools.aws",
            prices="penstock.economics.cost.aws",
            rules="penstock.rules.aws",
        ),
        Provider(
            name="gcp",
            title="Google Cloud",
            package="gcp",
            sdk="pulumi_gcp",
            composer="penstock.platform.gcp",
            simulated_cloud="penstock.rehearsal.clouds.gcp",
            pools="penstock.model.pools.gcp",
            prices="penstock.economics.cost.gcp",
            rules="penstock.rules.gcp",
        ),
        Provider(
            name="azure",
            title="Azure",
            package="azure-native",
            sdk="pulumi_azure_native",
            pools="penstock.model.pools.azure",
        ),
        Provider(
            name="kubernetes",
            title="Kubernetes",
            package="kubernetes",
            sdk="pulumi_kubernetes",
            simulated_cloud="penstock.rehearsal.clouds.kubernetes",
            pools="penstock.model.pools.kubernetes",
            rules="penstock.rules.kubernetes",
        ),
    )
}


def register(provider: Provider) -> None:
    """Add a provider, or replace the one of the same name."""
    _PROVIDERS[provider.name] = provider


def all_providers() -> tuple[Provider, ...]:
    """Return every provider in the order of registration."""
    return tuple(_PROVIDERS.values())


def provider_named(name: str) -> Provider | None:
    """Return the provider that a description calls so; None where there is none."""
    return _PROVIDERS.get(name)


def provider_of(type_: str) -> Provider | None:
    """Return the provider of a type token (`aws:ec2/vpc:Vpc`), None for one that has no record."""
    package = type_.partition(":")[0]
    return next((provider for provider in _PROVIDERS.values() if provider.package == package), None)
