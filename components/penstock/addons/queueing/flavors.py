"""The flavors of nodes that Kueue hands out: one for each accelerator and capacity type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from math import gcd
from typing import Any, Final

from penstock.description.node_pool import Capacity, Taint
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.facts.node_labels import ARCHITECTURE

_PREFERRED: Final[tuple[Capacity, ...]] = ("reserved", "capacity_block", "on_demand", "flex_start", "spot")
"""What is paid for anyway comes first, and what may be taken away comes last."""

_MOST_LABELS = 8
"""Of a ResourceFlavor (Kueue 0.19.2, custom resource definition of ResourceFlavor)."""

_OF_CLOUDS = (ARCHITECTURE, "cloud.google.com/gke-queued")
_QUEUED = "cloud.google.com/gke-queued"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flavor:
    """Nodes that jobs find alike.

    Attributes:
        kind: the accelerator; the pool, where nodes have none but other devices.
        resource: the one that teams are given numbers of; others, such as those of a fabric, follow in proportion.
        step: the number of a node, so that teams are given whole nodes.
        most: of each resource, when every pool has all of its nodes.
        labels: of all of its nodes, and of no others.
        tolerated: the taints that keep off pods without accelerators; jobs tolerate the other taints themselves.
        topology: the labels to place jobs by; None where the nodes of any pool come and go: Kueue places on nodes that
            exist, and a queue with both kinds of flavors takes jobs to those with a topology only if jobs ask for it
            (Kueue 0.19.2, TopologyAwareScheduling). What pods claim does not count there (the same, DRA).
        queued: whether nodes start only for a whole job, in a queue of the cloud.
    """

    name: str
    kind: str
    resource: str
    step: int
    most: Mapping[str, int]
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    tolerated: tuple[Taint, ...]
    topology: tuple[str, ...] | None
    queued: bool


def flavors_of(pools: Sequence[PoolNodes], *, beside: Sequence[PoolNodes] = ()) -> tuple[Flavor, ...]:
    """The flavors of all pools with devices: reserved ones first, then on demand, then spot.

    Pools of one accelerator and capacity type are one flavor where labels tell their nodes from all others, those of
    pools `beside`, which Kueue does not hand out, among them.
    """
    placed = all(pool.nodes.min == pool.nodes.max and pool.requested == pool.devices for pool in pools if pool.devices)
    groups: dict[object, list[PoolNodes]] = {}
    for pool in pools:
        if pool.devices:
            groups.setdefault(_likeness(pool, placed=placed), []).append(pool)
    apart: list[list[PoolNodes]] = []
    for alike in groups.values():
        apart += [alike] if len(alike) == 1 or _are_told_apart(alike, beside or pools) else [[pool] for pool in alike]
    apart.sort(key=lambda alike: _PREFERRED.index(alike[0].capacity))
    taken: set[str] = set()
    found = []
    for alike in apart:
        first = alike[0]
        name = f"{_kind(first)}-{first.capacity.replace('_', '-')}"
        found.append(_flavor(name if name not in taken else f"{name}-{first.pool}", alike, placed=placed))
        taken.add(found[-1].name)
    return tuple(found)


def topology_name(levels: Sequence[str]) -> str:
    """The name of a Topology, by its narrowest level above the node: AWS has three or four levels of one widest."""
    named = levels[max(len(levels) - 2, 0)]
    return "".join(letter if letter.isalnum() else "-" for letter in named.lower())


def _kind(pool: PoolNodes) -> str:
    return pool.accelerator or pool.pool


def _resource(pool: PoolNodes) -> str:
    named = pool.resource if pool.resource in pool.devices else None
    return named or next(iter(pool.devices))


def _likeness(pool: PoolNodes, *, placed: bool) -> object:
    taints = tuple((taint.key, taint.value, taint.effect) for taint in pool.taints)
    return _kind(pool), pool.capacity, taints, _resource(pool), _topology(pool, placed=placed), _is_queued(pool)


def _topology(pool: PoolNodes, *, placed: bool) -> tuple[str, ...] | None:
    return pool.topology if placed else None


def _is_queued(pool: PoolNodes) -> bool:
    return pool.labels.get(_QUEUED) == "true"


def _labels(alike: Sequence[PoolNodes]) -> dict[str, str]:
    """As many labels as a flavor may have: a job that selects others is then not admitted to wait in vain."""
    first = alike[0]
    ordered = {**first.selector, **first.labels}
    common = ((key, value) for key, value in ordered.items() if all(pool.labels.get(key) == value for pool in alike))
    return dict(islice(common, _MOST_LABELS))


def _are_told_apart(alike: Sequence[PoolNodes], pools: Sequence[PoolNodes]) -> bool:
    labels = _labels(alike)
    others = (pool for pool in pools if pool not in alike)
    return bool(labels) and all(any(other.labels.get(key) != labels[key] for key in labels) for other in others)


def _flavor(name: str, alike: Sequence[PoolNodes], *, placed: bool) -> Flavor:
    first = alike[0]
    resource = _resource(first)
    most: dict[str, int] = {}
    for pool in alike:
        for device, count in pool.devices.items():
            most[device] = most.get(device, 0) + count * pool.nodes.max
    own: tuple[Any, ...] = (resource, *_OF_CLOUDS)
    return Flavor(
        name=name,
        kind=_kind(first),
        resource=resource,
        step=reduce(gcd, (pool.devices[resource] for pool in alike)),
        most=most,
        labels=_labels(alike),
        taints=first.taints,
        tolerated=tuple(taint for taint in first.taints if taint.key in own),
        topology=_topology(first, placed=placed),
        queued=_is_queued(first),
    )
