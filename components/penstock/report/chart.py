"""The timeline as a chart in text: a bar for each resource that decides when everything is there."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.findings import kind_of
from penstock.graph.graph import Graph, Resource
from penstock.report.wording import minutes
from penstock.timeline.timeline import Timeline

ROWS = 12
"""The most bars of a chart: beyond them only what takes less time is left out."""

_TITLE = "Creation, by median latencies"
_NOTEWORTHY_S = 60
"""A wait beyond need that costs less is in the JSON only."""


def lines(timeline: Timeline, graph: Graph, *, width: int) -> Iterator[str]:
    """The chart, no line wider than `width` characters, then the waits that cost minutes and that no need explains.

    Bars of the critical path are made of `#`, others of `=`.
    """
    shown = _shown(timeline)
    if not shown:
        return
    labels = {urn: _label(graph[urn]) for urn in shown}
    label_width = max(min(max(map(len, labels.values())), width * 2 // 5), len(_TITLE))
    ends = {urn: minutes(timeline.ends[urn]) for urn in shown}
    end_width = max(map(len, ends.values()))
    bar_width = max(width - label_width - end_width - 4, 1)
    critical = frozenset(timeline.critical_path)

    yield f"{_TITLE:{label_width}}  {'done after':>{bar_width + end_width + 2}}"[:width]
    for urn in shown:
        mark = "#" if urn in critical else "="
        first = int(bar_width * timeline.starts[urn] / timeline.makespan_s)
        length = max(int(bar_width * timeline.ends[urn] / timeline.makespan_s) - first, 1)
        bar = " " * min(first, bar_width - 1) + mark * length
        yield f"{_cut(labels[urn], label_width):{label_width}}  {bar:{bar_width}}  {ends[urn]:>{end_width}}"[:width]
    yield from _costly_waits(timeline, graph)


def _shown(timeline: Timeline) -> list[str]:
    """The critical path and then what takes longest, in the order of their starts."""
    critical = frozenset(timeline.critical_path)
    ranked = sorted(
        (urn for urn, end in timeline.ends.items() if end > timeline.starts[urn]),
        key=lambda urn: (urn not in critical, timeline.starts[urn] - timeline.ends[urn]),
    )
    return sorted(ranked[:ROWS], key=lambda urn: (timeline.starts[urn], timeline.ends[urn], urn))


def _costly_waits(timeline: Timeline, graph: Graph) -> Iterator[str]:
    for wait in timeline.excess:
        saves = max(wait.saves_s, wait.saves_first_accelerator_s)
        if saves >= _NOTEWORTHY_S:
            yield (
                f"{_label(graph[wait.waiting])} waits for {_label(graph[wait.dependency])} and uses nothing of it: "
                f"{minutes(saves)} more."
            )


def _label(resource: Resource) -> str:
    return f"{resource.name} ({kind_of(resource.type)})"


def _cut(text: str, width: int) -> str:
    """The end is more telling than the beginning: names start alike."""
    return text if len(text) <= width else f"..{text[len(text) - width + 2 :]}"
