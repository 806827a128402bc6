"""The state that a rehearsal with faults leaves behind, for people and for machines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.core.wording import plural
from penstock.graph.graph import STACK_TYPE
from penstock.report.wording import minutes
from penstock.timeline.outcome import FaultOutcome


def lines(outcome: FaultOutcome) -> Iterator[str]:
    """How the first run ends, and what a second one has to do. The findings name what went wrong."""
    parts = [f"{len(_of_clouds(outcome, outcome.created))} created"]
    if outcome.failed:
        parts.append(f"{len(outcome.failed)} failed")
    if outcome.in_flight:
        parts.append(f"{len(outcome.in_flight)} under way when the engine was killed")
    missing = _of_clouds(outcome, outcome.not_started)
    if missing:
        parts.append(f"{len(missing)} not started")
    yield f"With these faults the run ends after {minutes(outcome.ended_s)}: {', '.join(parts)}."
    if outcome.failed or outcome.in_flight or missing:
        todo = len(outcome.failed) + len(outcome.in_flight) + len(missing)
        yield (
            f"A second run has {plural(todo, 'resource')} left to create; with the faults gone, everything is there "
            f"{minutes(outcome.lost_s)} later than without them."
        )
    else:
        yield f"No second run is needed; everything is there {minutes(outcome.lost_s)} later than without them."
    if outcome.delayed:
        yield f"The provider retried {plural(len(outcome.delayed), 'resource')}."


def document(outcome: FaultOutcome) -> dict[str, Any]:
    """The outcome as data: each resource with its fate, and what a second run does about it."""
    groups = {
        "stands": outcome.created,
        "failed": outcome.failed,
        "not_started": outcome.not_started,
        "in_flight": outcome.in_flight,
    }
    faults = {**outcome.delayed, **outcome.failed, **outcome.in_flight}
    return {
        "rules": list(outcome.rules),
        "ended_s": outcome.ended_s,
        "lost_s": outcome.lost_s,
        "resources": [
            {
                "urn": urn,
                "outcome": group,
                "kind": faults[urn].kind if urn in faults else None,
                "error": faults[urn].message if urn in faults else None,
                "second_run": outcome.second_run.get(urn),
            }
            for group, urns in groups.items()
            for urn in urns
        ],
    }


def _of_clouds(outcome: FaultOutcome, urns: tuple[str, ...]) -> list[str]:
    resources = (outcome.graph[urn] for urn in urns)
    return [each.urn for each in resources if each.custom and each.type != STACK_TYPE]
