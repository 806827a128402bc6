"""The preconditions of a program, by the kinds of the providers that it uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from penstock.catalog.former_types import by_present_names
from penstock.graph.graph import Graph
from penstock.graph.view import Site
from penstock.preconditions.kind import PreconditionKind
from penstock.preconditions.precondition import Precondition
from penstock.providers import all_providers, provider_named


def preconditions_of(graph: Graph, quotas: Mapping[str, float] | None = None) -> tuple[Precondition, ...]:
    """Return what must exist before a program is run, each thing once, by provider and kind.

    `quotas` are those of the account that its user declares: provider rules hold the program to them.
    """
    site = Site(by_present_names(graph), quotas)
    packages = {_package(resource.type) for resource in graph} | {_package(each.token) for each in graph.lookups}
    found: dict[str, Precondition] = {}
    for provider in all_providers():
        if provider.package in packages:
            for kind in kinds_of(provider.name):
                for precondition in kind.in_site(site):
                    found.setdefault(precondition.what, precondition)
    return tuple(found.values())


def all_kinds() -> Iterator[PreconditionKind]:
    """Yield the kinds of all providers."""
    for provider in all_providers():
        yield from kinds_of(provider.name)


@cache
def kinds_of(provider: str) -> tuple[PreconditionKind, ...]:
    """Return the kinds of a provider by its name, by subject; none where it has none."""
    record = provider_named(provider)
    package = record.module("preconditions") if record is not None else None
    return tuple(kind for module in package.SUBJECTS for kind in module.KINDS) if package is not None else ()


def _package(token: str) -> str:
    return token.removeprefix("pulumi:providers:").partition(":")[0]
