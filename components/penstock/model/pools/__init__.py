"""Pools of machines: each is read from its resource here, once, for rules, policies, cost, quotas and schedule."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.graph.view import Site, View
from penstock.model.pools.components import is_spoken_for, spokesman
from penstock.model.pools.pool import MachinePool, NamedType, Purchase
from penstock.providers import provider_of

__all__ = ["MachinePool", "NamedType", "Purchase", "described_pools", "machine_pools", "program_pools"]


def machine_pools(view: View) -> Sequence[MachinePool]:
    """Return the pools that a resource itself describes, by the reader of its provider; none for most resources."""
    provider = provider_of(view.type)
    reader = provider.module("pools") if provider is not None else None
    found: Sequence[MachinePool] = reader.read_pools(view) if reader is not None and view.type in reader.TYPES else ()
    return found


def described_pools(view: View) -> Sequence[MachinePool]:
    """Return the pools of a resource or a component; those of a component only where it speaks for its resources."""
    speaking = spokesman(view, machine_pools)
    return machine_pools(view) if speaking is None else (speaking,)


def program_pools(site: Site, *clouds: str) -> list[MachinePool]:
    """Return every pool of a program on these clouds, each once; that of a component where it speaks for it."""
    views = [View(resource, site) for resource in site.graph if not resource.external]
    return [
        pool
        for view in views
        for pool in described_pools(view)
        if pool.cloud in clouds and not is_spoken_for(view, machine_pools)
    ]
