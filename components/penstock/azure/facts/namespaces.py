"""Resource providers of Azure, which the modules of the SDK stand for: a subscription registers each that it uses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from penstock.catalog import tables


def namespace_of(module: str) -> str:
    """The resource provider of a module, such as Microsoft.DocumentDB of cosmosdb and of cosmosdb/v20241115."""
    named = module.partition("/")[0]
    return _namespaces().get(named) or f"Microsoft.{named[:1].upper()}{named[1:]}"


@cache
def registered_by_default() -> frozenset[str]:
    """Those that every new subscription has registered."""
    return frozenset(row["namespace"] for row in tables.rows("azure/registered_namespaces"))


@cache
def _namespaces() -> Mapping[str, str]:
    return {row["module"]: row["namespace"] for row in tables.rows("azure/namespaces")}
