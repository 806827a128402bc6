"""The registered providers, by name and by the package of a type token."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Final

from penstock.providers.provider import PluginTraits, Provider

_FOLDER: Final = Path(__file__).parents[1]


def _found() -> Iterator[Provider]:
    """Yield the providers of the folders that have a record, in the order of their places."""
    modules = (import_module(f"penstock.{file.parent.name}.record") for file in _FOLDER.glob("*/record.py"))
    return iter(sorted((module.PROVIDER for module in modules), key=attrgetter("place", "name")))


_PROVIDERS: dict[str, Provider] = {provider.name: provider for provider in _found()}


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
    return tuple(provider.name for provider in all_providers() if provider.has("composer"))


def built_clouds() -> tuple[str, ...]:
    """Return the names of those that sell the machines of a platform."""
    return tuple(provider.name for provider in all_providers() if provider.has("composer") and provider.has("offer"))


def priced_clouds() -> tuple[str, ...]:
    """Return the names of those whose price service can be asked, sorted."""
    return tuple(sorted(provider.name for provider in all_providers() if provider.has("price_service")))


def sized_clouds() -> tuple[str, ...]:
    """Return the names of those whose machines `penstock size` compares."""
    return tuple(provider.name for provider in all_providers() if provider.has("sizing"))


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
