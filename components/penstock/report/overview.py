"""The content of a report on one rehearsal, in any format: its Graph, its findings, its cost and its timeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.cost import Cost
from penstock.graph.graph import Graph
from penstock.report.assessment import Assessment
from penstock.simulate.engine.steps import EngineStep
from penstock.timeline.outcome import FaultOutcome
from penstock.timeline.timeline import Timeline

if TYPE_CHECKING:
    from penstock.cost.change import CostChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview(Assessment):
    """One rehearsal of an environment.

    `outcome` is there if faults were asked for, and `steps` are those of the Pulumi CLI, if that ran the program.
    """

    graph: Graph
    cost: Cost
    timeline: Timeline
    outcome: FaultOutcome | None = None
    steps: tuple[EngineStep, ...] = ()
    cost_change: CostChange | None = None
    """What the changes do to the bill; None where nothing stood before."""
