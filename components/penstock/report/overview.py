"""All that is told of one rehearsal, in whatever form: its Graph, its findings, its cost and its timeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.economics import budget, cost
from penstock.economics.cost import Cost
from penstock.findings import Finding
from penstock.rehearsal.engine.steps import Step
from penstock.rehearsal.rules import Judgement
from penstock.rehearsal.run import Rehearsal
from penstock.rehearsal.schedule import outcome, timeline
from penstock.rehearsal.schedule.faults import Faults
from penstock.rehearsal.schedule.outcome import Outcome
from penstock.rehearsal.schedule.timeline import Timeline
from penstock.resources.graph import Graph

if TYPE_CHECKING:
    from penstock.rehearsal.changes.diff import Changes


@dataclass(frozen=True, slots=True)
class Overview:
    """One rehearsal of an environment.

    `cloud` is the one of its description, None for a program without one; `outcome` is there if faults were asked for,
    `steps` are those of the Pulumi CLI, if that ran the program, and `changes` those from what stood before, if that is
    known.
    """

    environment: str
    cloud: str | None
    graph: Graph
    findings: tuple[Finding, ...]
    judgement: Judgement
    cost: Cost
    timeline: Timeline
    outcome: Outcome | None = None
    steps: tuple[Step, ...] = ()
    changes: Changes | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing was found that blocks."""
        return not any(finding.blocks for finding in self.findings)


def of(
    rehearsal: Rehearsal,
    *,
    environment: str,
    cloud: str | None,
    faults: Faults | None = None,
    steps: tuple[Step, ...] = (),
    changes: Changes | None = None,
) -> Overview:
    """Works out what follows from a rehearsal, and from the faults that are to happen in it.

    Raises:
        UnusableFaults: no resource could meet a fault.
    """
    graph = rehearsal.graph
    priced = cost.of(graph)
    played = outcome.play(graph, faults) if faults is not None else None
    return Overview(
        environment,
        cloud,
        graph,
        (
            *(changes.findings if changes else ()),
            *rehearsal.findings,
            *budget.over_budget(priced, graph),
            *(played.findings() if played else ()),
        ),
        rehearsal.judgement,
        priced,
        timeline.schedule(graph),
        played,
        steps,
        changes,
    )
