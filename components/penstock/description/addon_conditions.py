"""The add-ons that a description needs without a field of `addons` that enables them."""

from __future__ import annotations

from collections.abc import Callable

from penstock.description.addon import all_addons
from penstock.description.nodes import PoolNodes, nodes_of
from penstock.description.platform import Spec

Condition = Callable[[Spec, tuple[PoolNodes, ...]], bool]


def needed(spec: Spec) -> frozenset[str]:
    """Return the names of the add-ons whose condition holds for a platform.

    Raises:
        UnknownFact: as `nodes_of`.
    """
    pools = nodes_of(spec)
    conditions: dict[str, Condition | None] = {each.name: each.load("condition", "holds") for each in all_addons()}
    return frozenset(name for name, holds in conditions.items() if holds is not None and holds(spec, pools))


def installed(spec: Spec) -> frozenset[str]:
    """Return what the cluster has already, as the description says."""
    existing = spec.cluster.existing
    return frozenset(existing.installed if existing is not None else ())


def advertised(pools: tuple[PoolNodes, ...], resource: str, advertiser: str) -> bool:
    """Return whether some pool has a resource that one kind of advertiser offers to pods."""
    its = (pool.software for pool in pools)
    return any(each is not None and (each.resource, each.advertiser) == (resource, advertiser) for each in its)
