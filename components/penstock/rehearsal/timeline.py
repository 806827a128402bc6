"""When what would be there: a Graph scheduled as the engine would create it, with the latencies of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from penstock.catalog import latencies
from penstock.rehearsal.graph import Graph, Resource

PARALLEL = 16
"""Operations that the Pulumi CLI has under way at once by default: four for each of four processors."""

_NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
_LUSTRE = "aws:fsx/lustreFileSystem:LustreFileSystem"


@dataclass(frozen=True, slots=True)
class Timeline:
    """A first `pulumi up`, in seconds from its start, with the median latency of each resource.

    `critical_path` is the chain of URNs of which each waits for the one before and the last ends last. `None` as the
    time to the first accelerator means that no node with one is started.
    """

    ends: Mapping[str, float]
    makespan_s: float
    time_to_first_accelerator_s: float | None
    critical_path: tuple[str, ...]


def schedule(graph: Graph, *, parallel: int = PARALLEL) -> Timeline:
    """The timeline of a Graph whose resources are all to be created."""
    waits = {resource.urn: _waits_for(resource, graph) for resource in graph}
    followers: dict[str, list[str]] = {}
    for urn, needs in waits.items():
        for need in needs:
            followers.setdefault(need, []).append(urn)

    order = {urn: index for index, urn in enumerate(graph.resources)}
    missing = {urn: len(needs) for urn, needs in waits.items()}
    ready = [(0.0, order[urn], urn) for urn, count in missing.items() if not count]
    heapify(ready)
    slots = [0.0] * parallel
    ends: dict[str, float] = {}
    while ready:
        possible, _, urn = heappop(ready)
        start = max(possible, heappop(slots))
        ends[urn] = start + _seconds(graph[urn])
        heappush(slots, ends[urn])
        for follower in followers.get(urn, ()):
            missing[follower] -= 1
            if not missing[follower]:
                heappush(ready, (max(ends[need] for need in waits[follower]), order[follower], follower))

    first = min((ends[urn] for urn in _accelerated(graph)), default=None)
    return Timeline(ends, max(ends.values(), default=0.0), first, _critical_path(graph, ends, waits))


def _waits_for(resource: Resource, graph: Graph) -> frozenset[str]:
    needs = (resource.parent, resource.provider_urn, *resource.dependencies)
    return frozenset(need for need in needs if need in graph.resources)


def _seconds(resource: Resource) -> float:
    if not resource.custom or resource.type.startswith("pulumi:"):
        return 0.0
    variant = ""
    if resource.type == _NODE_GROUP and _has_accelerators(resource):
        variant = "accelerated"
    elif resource.type == _LUSTRE and resource.inputs.get("efaEnabled") is True:
        variant = "efa"
    return latencies.of(resource.type, variant).median_s


def _accelerated(graph: Graph) -> Iterable[str]:
    for group in graph.of_type(_NODE_GROUP):
        scaling = group.inputs.get("scalingConfig")
        if _has_accelerators(group) and isinstance(scaling, Mapping) and scaling.get("desiredSize"):
            yield group.urn


def _has_accelerators(group: Resource) -> bool:
    return str(group.inputs.get("amiType", "")).endswith(("_NVIDIA", "_NEURON"))


def _critical_path(graph: Graph, ends: Mapping[str, float], waits: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    path: list[str] = []
    urn = max(ends, key=ends.__getitem__, default=None)
    while urn is not None:
        path.append(urn)
        urn = max(sorted(waits[urn]), key=ends.__getitem__, default=None)
    return tuple(urn for urn in reversed(path) if _seconds(graph[urn]))
