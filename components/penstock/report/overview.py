"""All that is told of one rehearsal, in whatever form: its Graph, its findings, its cost and its timeline."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.economics import cost
from penstock.economics.cost import Cost
from penstock.findings import Finding
from penstock.rehearsal import timeline
from penstock.rehearsal.graph import Graph
from penstock.rehearsal.rules import Judgement
from penstock.rehearsal.run import Rehearsal
from penstock.rehearsal.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Overview:
    """One rehearsal of an environment. `cloud` is the one of its description, None for a program without one."""

    environment: str
    cloud: str | None
    graph: Graph
    findings: tuple[Finding, ...]
    judgement: Judgement
    cost: Cost
    timeline: Timeline

    @property
    def ok(self) -> bool:
        """Whether nothing was found that blocks."""
        return not any(finding.blocks for finding in self.findings)


def of(rehearsal: Rehearsal, *, environment: str, cloud: str | None) -> Overview:
    """Works out what follows from a rehearsal."""
    graph = rehearsal.graph
    priced = cost.of(graph)
    findings = (*rehearsal.findings, *cost.over_budget(priced, graph))
    return Overview(environment, cloud, graph, findings, rehearsal.judgement, priced, timeline.schedule(graph))
