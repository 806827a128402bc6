"""The state that a first `pulumi up` leaves behind when something goes wrong, and what a second one does about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from penstock.core.findings import Finding, Severity, Source
from penstock.graph.graph import Graph
from penstock.graph.view import Site, View
from penstock.timeline.faults import Fault, Faults, met_by
from penstock.timeline.needs import creation_order
from penstock.timeline.timeline import PARALLEL, latency_of, start_and_end_times


@dataclass(frozen=True, slots=True)
class FaultOutcome:
    """Every resource is in one of four groups, by URN; times are in seconds from the start.

    Attributes:
        rules: the faults that were played, as rules on URNs; they play the same again.
        created: created, and known to Pulumi's state.
        failed: refused, with the cloud's error.
        not_started: after the first failure the engine lets what is under way end and starts nothing more. Look-ups
            that a crash cut short are here too.
        in_flight: under way when the engine was killed; it may be in the cloud, and the state does not know.
        delayed: of what exists, that which the cloud refused for a while.
        second_run: what a second run does about each resource that does not stand.
        ended_s: when the first run was over.
        lost_s: how much later everything is there than without a fault, if the second run starts at once and the
            faults are gone.
    """

    graph: Graph
    rules: tuple[str, ...]
    created: tuple[str, ...]
    failed: Mapping[str, Fault]
    not_started: tuple[str, ...]
    in_flight: Mapping[str, Fault]
    delayed: Mapping[str, Fault]
    second_run: Mapping[str, str]
    ended_s: float
    lost_s: float

    def findings(self) -> tuple[Finding, ...]:
        """Return what failed or was cut short, with its place in the program. A mere delay is not a finding."""
        return (
            *self._reported("FAULT-002", self.failed),
            *self._reported("FAULT-003", self.in_flight),
        )

    def _reported(self, code: str, faults: Mapping[str, Fault]) -> Iterator[Finding]:
        for urn, fault in faults.items():
            place = self.graph[urn].place
            yield Finding(
                code=code,
                severity=Severity.ERROR,
                source=Source.CLOUD,
                message=fault.message,
                hint=fault.facts.second_run,
                urn=urn,
                file=place.file if place else None,
                line=place.line if place else None,
            )


def play(graph: Graph, faults: Faults, *, parallel: int = PARALLEL) -> FaultOutcome:
    """Plays a first `pulumi up` of all of a graph, with median latencies, in which the faults happen.

    Like the engine without `--continue-on-error`, it starts nothing more once something has failed.

    Raises:
        UnusableFaults: a rule means no resource that could meet its fault.
    """
    chosen = faults.chosen(graph)
    refused, killed = _assigned(graph, chosen)
    site = Site(graph)
    latencies = {resource.urn: latency_of(View(resource, site)) for resource in graph}
    usual = {urn: each.median_s if each else 0.0 for urn, each in latencies.items()}
    seconds = dict(usual)
    for urn, fault in refused.items():
        seconds[urn] = fault.reported_after_s + (usual[urn] if fault.retried else 0.0)

    before = creation_order(graph)
    starts, ends = start_and_end_times(before, seconds, parallel=parallel)
    failing = {urn: fault for urn, fault in refused.items() if not fault.retried}
    stopped_s = min((ends[urn] for urn in failing), default=float("inf"))
    started = [urn for urn in starts if starts[urn] < stopped_s]
    killed_s = min(((starts[urn] + ends[urn]) / 2 for urn in killed if starts[urn] < stopped_s), default=float("inf"))

    begun = [urn for urn in started if starts[urn] < killed_s]
    ended = [urn for urn in begun if ends[urn] <= killed_s]
    cut_short = {urn: met_by(graph[urn], graph, "crash") for urn in begun if ends[urn] > killed_s}
    in_flight = {urn: fault for urn, fault in cut_short.items() if fault is not None}  # a look-up leaves no trace
    created = tuple(urn for urn in ended if urn not in failing)
    failed = {urn: failing[urn] for urn in ended if urn in failing}
    known = {*created, *failed, *in_flight}
    not_started = tuple(urn for urn in starts if urn not in known)
    ended_s = min(killed_s, max((ends[urn] for urn in begun), default=0.0))
    left = start_and_end_times(before, {**usual, **dict.fromkeys(created, 0.0)}, parallel=parallel)[1]
    undisturbed = start_and_end_times(before, usual, parallel=parallel)[1]
    rest_s = max(left.values(), default=0.0)
    return FaultOutcome(
        graph=graph,
        rules=tuple(map(str, chosen.rules)),
        created=created,
        failed=failed,
        not_started=not_started,
        in_flight=in_flight,
        delayed={urn: refused[urn] for urn in created if urn in refused},
        second_run={
            **dict.fromkeys(not_started, "A second run starts it anew."),
            **{urn: fault.facts.second_run for urn, fault in {**failed, **in_flight}.items()},
        },
        ended_s=ended_s,
        lost_s=ended_s + rest_s - max(undisturbed.values(), default=0.0),
    )


def _assigned(graph: Graph, chosen: Faults) -> tuple[dict[str, Fault], set[str]]:
    """The cloud's error for each resource, of which the first rule's counts; and where the engine is killed."""
    refused: dict[str, Fault] = {}
    killed: set[str] = set()
    for rule in chosen.rules:
        fault = met_by(graph[rule.pattern], graph, rule.kind)
        if rule.kind == "crash":
            killed.add(rule.pattern)
        elif fault is not None:
            refused.setdefault(rule.pattern, fault)
    return refused, killed
