"""The figures of a rehearsal in words: how much it creates, how long that takes, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.wording import inflect, plural
from penstock.cost import Cost
from penstock.cost.total_words import doubt_words, omission_words, sum_words
from penstock.graph.graph import STACK_TYPE, Graph, Resource
from penstock.report.wording import minutes
from penstock.timeline.timeline import Timeline


def is_shown(resource: Resource) -> bool:
    """The stack and the default providers are in every graph: a person who reads the tree learns nothing from them."""
    return resource.type != STACK_TYPE and not resource.is_default_provider


def durations(timeline: Timeline) -> Iterator[str]:
    """When the first accelerator and everything is there, and the spread of both, in a sentence each."""
    everything, first = timeline.makespan, timeline.first_accelerator
    start = f"First accelerator after about {minutes(first.median_s)}, everything" if first else "Everything"
    yield f"{start} after {minutes(everything.median_s)}, by median latencies."
    spreads = [first, everything] if first else [everything]
    best, worst = (
        " and ".join(minutes(seconds) for seconds in each)
        for each in ([spread.min_s for spread in spreads], [spread.p95_s for spread in spreads])
    )
    least = minutes(timeline.bound_s)
    yield f"Best case {best}, 95th percentile {worst}."
    yield f"Lower bound (critical path, median latencies): {least}"


def price(cost: Cost) -> str:
    """The monthly cost in a sentence, with what it leaves out, and how much of it rests on doubtful prices."""
    words = f"{sum_words(cost)}{' as started, at list prices' if cost.known_usd is not None else ''}"
    first = ", ".join(filter(None, (f"{words[:1].upper()}{words[1:]}", omission_words(cost))))
    return f"{'; '.join(filter(None, (first, doubt_words(cost), _by_use(cost))))}."


def not_counted(cost: Cost) -> int:
    """How many resources are in no sum, or only in part; of one of them several amounts may be missing."""
    return len({each.urn for each in cost.unpriced})


def dates(cost: Cost) -> str:
    """The dates of the prices that are counted, from the oldest to the newest; empty where there are none."""
    found = sorted({line.as_of for line in cost.lines if line.as_of and line.monthly_usd})
    if not found:
        return ""
    return f"Prices are of {found[0]}." if len(found) == 1 else f"Prices are of {found[0]} to {found[-1]}."


def _by_use(cost: Cost) -> str:
    count = len({each.urn for each in cost.unpriced if not each.is_omitted})
    if not count:
        return ""
    return f"{plural(count, 'more resource')} {inflect(count, 'is', 'are')} usage-based"


def size(graph: Graph) -> str:
    """The resources and components that a program creates, counted."""
    resources = [resource for resource in graph if is_shown(resource)]
    custom = sum(resource.custom for resource in resources)
    return f"{plural(custom, 'resource')} in {plural(len(resources) - custom, 'component')}"
