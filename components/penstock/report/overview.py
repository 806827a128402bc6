"""The content of a report on one rehearsal, in any format: its Graph, its findings, its cost and its timeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock import cost
from penstock.cost import Cost, budget
from penstock.graph.graph import Graph
from penstock.report.assessment import Assessment, Home
from penstock.report.coverage import coverage_of
from penstock.rules.judge import Report
from penstock.simulate.engine.steps import EngineStep
from penstock.simulate.run import Rehearsal
from penstock.timeline import outcome, timeline
from penstock.timeline.faults import Faults
from penstock.timeline.outcome import FaultOutcome
from penstock.timeline.timeline import Timeline

if TYPE_CHECKING:
    from penstock.changes.diff import Changes
    from penstock.cost.change import CostChange
    from penstock.description.usage import Usage
    from penstock.rules.settings_changes import SettingChange
from penstock.changes.diff_findings import findings_of


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


def overview_of(
    rehearsal: Rehearsal,
    *,
    environment: str,
    cloud: str | None,
    policies: Report | None = None,
    faults: Faults | None = None,
    steps: tuple[EngineStep, ...] = (),
    changes: Changes | None = None,
    settings_changes: tuple[SettingChange, ...] = (),
    budgets: Graph | None = None,
    home: Home | None = None,
    usage: Usage | None = None,
) -> Overview:
    """Work out what follows from a rehearsal, and from the faults that are to happen in it.

    `usage` is what the stack declares of a month; the `budgets` are those of another Graph where one is given.

    Raises:
        UnusableFaults: no resource could meet a fault.
    """
    graph = rehearsal.graph
    priced = cost.cost_of(graph, usage)
    played = outcome.play(graph, faults) if faults is not None else None
    return Overview(
        environment=environment,
        command="rehearse" if changes is None else "diff",
        cloud=cloud,
        graph=graph,
        findings=(
            *(findings_of(changes) if changes else ()),
            *rehearsal.findings,
            *(policies.findings if policies else ()),
            *budget.over_budget(priced, budgets or graph),
            *(played.findings() if played else ()),
        ),
        judgement=rehearsal.judgement,
        policies=policies,
        cost=priced,
        timeline=timeline.schedule(graph),
        outcome=played,
        steps=steps,
        changes=changes,
        settings_changes=settings_changes,
        cost_change=_cost_change(changes, priced, graph, usage) if changes is not None else None,
        preconditions=rehearsal.preconditions if changes is None else None,
        coverage=coverage_of(
            graph,
            judgement=rehearsal.judgement,
            policies=policies,
            findings=rehearsal.findings,
            folder=home.folder if home else None,
        ),
        home=home,
        redaction=rehearsal.redaction,
    )


def _cost_change(changes: Changes, priced: Cost, graph: Graph, usage: Usage | None) -> CostChange:
    """The difference to the bill, with the usage that is declared now on both sides."""
    from penstock.cost.change import cost_change

    return cost_change(cost.cost_of(changes.before, usage), changes.before, priced, graph, usage)
