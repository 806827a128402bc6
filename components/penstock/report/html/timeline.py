"""The timeline as bars: when each resource is created, and the chain that decides when everything is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from penstock.graph.graph import Graph
from penstock.report.chart import ROWS
from penstock.report.figures import durations
from penstock.report.html.naming import Called, called
from penstock.report.overview import Overview
from penstock.report.wording import minutes
from penstock.timeline.timeline import Timeline

_STEPS_S: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400)
_MOST_TICKS: Final = 7
_LEAST_PERCENT: Final = 0.4
"""Of the width: what is shorter is still seen."""
_NOTEWORTHY_S: Final = 60


@dataclass(frozen=True, slots=True)
class Bar:
    """A resource from the start to the end of its creation; where the bar lies is in percent of the whole."""

    resource: Called
    critical: bool
    x: float
    width: float
    start: str
    end: str
    lasts: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A time on the axis, and where, in percent of the whole."""

    label: str
    x: float


@dataclass(frozen=True, slots=True)
class TimelineSection:
    """The timeline in sentences and bars; `first` is where the first accelerator is there, in percent."""

    sentences: tuple[str, ...]
    ticks: tuple[Tick, ...]
    bars: tuple[Bar, ...]
    others: tuple[Bar, ...]
    first: float | None
    waits: tuple[str, ...]


def section(overview: Overview) -> TimelineSection | None:
    """Return the timeline of a rehearsal; None where nothing takes time."""
    timeline, graph = overview.timeline, overview.graph
    whole = timeline.makespan_s
    lasting = [urn for urn, end in timeline.ends.items() if end > timeline.starts[urn]]
    if not lasting or whole <= 0:
        return None
    critical = frozenset(timeline.critical_path)
    ranked = sorted(lasting, key=lambda urn: (urn not in critical, timeline.starts[urn] - timeline.ends[urn]))
    shown, others = (
        sorted(part, key=lambda urn: (timeline.starts[urn], timeline.ends[urn], urn))
        for part in (ranked[:ROWS], ranked[ROWS:])
    )
    first = timeline.time_to_first_accelerator_s
    return TimelineSection(
        sentences=tuple(durations(timeline)),
        ticks=_ticks(whole),
        bars=tuple(_bar(urn, timeline, graph, critical=urn in critical) for urn in shown),
        others=tuple(_bar(urn, timeline, graph, critical=urn in critical) for urn in others),
        first=round(first / whole * 100, 2) if first is not None else None,
        waits=tuple(_waits(timeline, graph)),
    )


def _bar(urn: str, timeline: Timeline, graph: Graph, *, critical: bool) -> Bar:
    whole, start, end = timeline.makespan_s, timeline.starts[urn], timeline.ends[urn]
    width = max((end - start) / whole * 100, _LEAST_PERCENT)
    return Bar(
        called(urn, graph),
        critical,
        round(min(start / whole * 100, 100 - width), 2),
        round(width, 2),
        minutes(start),
        minutes(end),
        minutes(end - start),
    )


def _ticks(whole: float) -> tuple[Tick, ...]:
    step = next((each for each in _STEPS_S if whole / each <= _MOST_TICKS), _STEPS_S[-1])
    count = min(int(whole // step), _MOST_TICKS)
    return tuple(
        Tick(minutes(step * index) if index else "0", round(step * index / whole * 100, 2))
        for index in range(count + 1)
    )


def _waits(timeline: Timeline, graph: Graph) -> list[str]:
    found = []
    for wait in timeline.excess:
        saves = max(wait.saves_s, wait.saves_first_accelerator_s)
        if saves >= _NOTEWORTHY_S:
            waiting, dependency = called(wait.waiting, graph), called(wait.dependency, graph)
            found.append(
                f"{waiting.name} ({waiting.kind}) waits for {dependency.name} ({dependency.kind}) and uses nothing of "
                f"it: {minutes(saves)} more."
            )
    return found
