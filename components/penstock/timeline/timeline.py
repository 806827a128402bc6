"""When what would be there: a Graph scheduled as the engine would create it, with the latencies of the catalogue."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from penstock.catalog import latencies
from penstock.catalog.latencies import Latency
from penstock.graph.graph import Graph
from penstock.graph.view import Site, View
from penstock.timeline import accelerators, variants
from penstock.timeline.bound import heads, savings
from penstock.timeline.needs import Edges, creation_order, true_needs

PARALLEL = 16
"""Operations that the Pulumi CLI has under way at once by default: four for each of four processors."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Seconds when every resource is created as fast as ever seen, in its median time, or as slowly as one in 20."""

    min_s: float
    median_s: float
    p95_s: float


@dataclass(frozen=True, slots=True)
class UnneededDependency:
    """A wait that no need explains, by URNs: `waiting` waits for `dependency`, and no value and no cloud asks for it.

    The savings are what its removal alone would bring, as long as operations enough may be under way at once.
    """

    waiting: str
    dependency: str
    saves_s: float
    saves_first_accelerator_s: float


@dataclass(frozen=True, slots=True)
class Timeline:
    """A first `pulumi up`, in seconds from its start, with the median latency of each resource.

    `critical_path` is the chain of URNs of which each waits for the one before and the last ends last. `None` as the
    time to the first accelerator means that no machine with one is started. No order of work ends before `bound_s`:
    it is the longest chain of true needs, or all work shared among the operations that may be under way at once.
    """

    starts: Mapping[str, float]
    ends: Mapping[str, float]
    makespan: Spread
    first_accelerator: Spread | None
    critical_path: tuple[str, ...]
    bound_s: float
    first_accelerator_bound_s: float | None
    excess: tuple[UnneededDependency, ...]

    def __repr__(self) -> str:
        first = self.time_to_first_accelerator_s
        until = "no accelerator" if first is None else f"{first:.0f} s to the first accelerator"
        return f"<{self.makespan_s:.0f} s to create {len(self.ends)} resources, {until}>"

    @property
    def makespan_s(self) -> float:
        """When everything is there."""
        return self.makespan.median_s

    @property
    def time_to_first_accelerator_s(self) -> float | None:
        """When the first machine with an accelerator is there."""
        return self.first_accelerator.median_s if self.first_accelerator else None


def schedule(graph: Graph, *, parallel: int = PARALLEL) -> Timeline:
    """The timeline of a Graph whose resources are all to be created."""
    before = creation_order(graph)
    site = Site(graph)
    latency = {resource.urn: latency_of(View(resource, site)) for resource in graph}
    seconds = {urn: each.median_s if each else 0.0 for urn, each in latency.items()}
    starts, ends = start_and_end_times(before, seconds, parallel=parallel)
    needs = true_needs(graph, starts, ends)
    fast = start_and_end_times(
        before, {urn: each.min_s if each else 0.0 for urn, each in latency.items()}, parallel=parallel
    )[1]
    slow = start_and_end_times(
        before, {urn: each.p95_s if each else 0.0 for urn, each in latency.items()}, parallel=parallel
    )[1]

    started = list(accelerators.started(site))
    earliest = heads(list(starts), needs, seconds)
    return Timeline(
        starts=starts,
        ends=ends,
        makespan=_spread(*(max(each.values(), default=0.0) for each in (fast, ends, slow))),
        first_accelerator=_spread(*(min(each[urn] for urn in started) for each in (fast, ends, slow)))
        if started
        else None,
        critical_path=_critical_path(ends, before, seconds),
        bound_s=max(max(earliest.values(), default=0.0), sum(seconds.values()) / parallel),
        first_accelerator_bound_s=min((earliest[urn] for urn in started), default=None),
        excess=_excess(before, needs, starts, seconds, min(started, key=ends.__getitem__, default=None)),
    )


def start_and_end_times(
    before: Edges, seconds: Mapping[str, float], *, parallel: int = PARALLEL
) -> tuple[dict[str, float], dict[str, float]]:
    """When each resource starts and ends, in the order of their starts, if each starts as soon as it may.

    It may when what comes before it has ended and fewer than `parallel` operations are under way.
    """
    followers: dict[str, list[str]] = {}
    for urn, needs in before.items():
        for need in needs:
            followers.setdefault(need, []).append(urn)

    order = {urn: index for index, urn in enumerate(before)}
    missing = {urn: len(needs) for urn, needs in before.items()}
    ready = [(0.0, order[urn], urn) for urn, count in missing.items() if not count]
    heapify(ready)
    slots = [0.0] * parallel
    starts: dict[str, float] = {}
    ends: dict[str, float] = {}
    while ready:
        possible, _, urn = heappop(ready)
        starts[urn] = max(possible, heappop(slots))
        ends[urn] = starts[urn] + seconds[urn]
        heappush(slots, ends[urn])
        for follower in followers.get(urn, ()):
            missing[follower] -= 1
            if not missing[follower]:
                heappush(ready, (max(ends[need] for need in before[follower]), order[follower], follower))
    return starts, ends


def latency_of(view: View) -> Latency | None:
    """How long a resource takes; None for what no cloud is asked for, such as components and providers."""
    resource = view.resource
    if not resource.custom or resource.type.startswith("pulumi:"):
        return None
    if resource.external or resource.options.import_id:
        return latencies.of_reading()
    return latencies.latency_of(resource.type, variants.variant_of(view))


def _spread(fast: float, median: float, slow: float) -> Spread:
    # With few operations at once, faster resources can make a worse order; the order of the three figures stays.
    return Spread(min(fast, median), median, max(median, slow))


def _critical_path(ends: Mapping[str, float], before: Edges, seconds: Mapping[str, float]) -> tuple[str, ...]:
    path: list[str] = []
    urn = max(ends, key=ends.__getitem__, default=None)
    while urn is not None:
        path.append(urn)
        urn = max(sorted(before[urn]), key=ends.__getitem__, default=None)
    return tuple(urn for urn in reversed(path) if seconds[urn])


def _excess(
    before: Edges, needs: Edges, order: Collection[str], seconds: Mapping[str, float], first: str | None
) -> tuple[UnneededDependency, ...]:
    """The waits beyond the needs, the costly ones first."""
    beyond = [(urn, wait) for urn, waited in before.items() for wait in sorted(waited - needs[urn])]
    if not beyond:
        return ()
    every = {urn: before[urn] | needs[urn] for urn in before}
    whole = savings(list(order), every, seconds)
    to_first = savings(list(order), every, seconds, first) if first else {}
    found = (UnneededDependency(*pair, whole.get(pair, 0.0), to_first.get(pair, 0.0)) for pair in beyond)
    return tuple(sorted(found, key=lambda each: -max(each.saves_s, each.saves_first_accelerator_s)))
