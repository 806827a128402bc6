"""The assessment of a stack: its rehearsal, judged by provider rules, policies, budget and usage."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.app.judge import judge_policies
from penstock.changes.diff_findings import findings_of
from penstock.cost import Cost, cost_of
from penstock.cost.budget import over_budget
from penstock.graph.graph import Graph
from penstock.report.assessment import Assessment, Home, home_of
from penstock.report.coverage import coverage_of
from penstock.report.overview import Overview
from penstock.rules.judge import Report
from penstock.simulate.engine.steps import EngineStep
from penstock.simulate.environment import Environment
from penstock.simulate.run import Rehearsal
from penstock.timeline.faults import Faults
from penstock.timeline.outcome import play
from penstock.timeline.timeline import schedule

if TYPE_CHECKING:
    from penstock.changes.diff import Changes
    from penstock.core.findings import Finding
    from penstock.cost.change import CostChange
    from penstock.description.usage import Usage
    from penstock.rules.settings_changes import SettingChange


def assess(
    environment: Environment,
    *,
    faults: Faults | None = None,
    preview: bool = False,
    with_pulumi_cli: bool = False,
    progress: Callable[..., None] | None = None,
) -> Overview:
    """Rehearse an environment, judge the result, and work out its cost and timeline.

    Args:
        environment: the stack.
        faults: what goes wrong in the timeline.
        preview: leave computed values unknown, as before the first `pulumi up`.
        with_pulumi_cli: run the program with the Pulumi CLI as well; the report has its steps.
        progress: called with the URN of each resource as it is registered.

    Raises:
        UnusableFaults: no resource could meet a fault.
        UnusableEngine: the Pulumi CLI cannot run the program.
        PenstockError: as `Environment.rehearse`.
    """
    rehearsal, steps = _run(environment, faults, preview=preview, with_pulumi_cli=with_pulumi_cli, progress=progress)
    whole = overview_of(
        rehearsal,
        environment=environment.stack,
        cloud=environment.cloud,
        policies=judge_policies(rehearsal.graph, environment.policies, beside=rehearsal.judgement),
        faults=faults,
        steps=steps,
        home=home_of(environment.project, environment.stack),
        usage=environment.usage,
    )
    return replace(whole, findings=findings_in(environment, whole.findings, whole.cost, whole.graph))


def _run(
    environment: Environment,
    faults: Faults | None,
    *,
    preview: bool,
    with_pulumi_cli: bool,
    progress: Callable[..., None] | None,
) -> tuple[Rehearsal, tuple[EngineStep, ...]]:
    """The rehearsal and the steps of the Pulumi CLI, which alone runs programs in other languages than Python."""
    embedded = None
    if environment.in_python or not with_pulumi_cli:
        embedded = environment.rehearse(preview=preview, progress=progress)
        if not with_pulumi_cli:
            return embedded, ()
    from penstock.simulate.engine.automation import run_engine

    return run_engine(environment, embedded, faults=faults, progress=progress)


def check(environment: Environment, *, progress: Callable[..., None] | None = None) -> Assessment:
    """Rehearse an environment and judge the result, its budget included; without its bill and its timeline.

    Raises:
        PenstockError: as `Environment.rehearse`.
    """
    rehearsal = environment.rehearse(progress=progress)
    policies, findings = judged(environment, rehearsal)
    home = home_of(environment.project, environment.stack)
    return Assessment(
        environment=environment.stack,
        cloud=environment.cloud,
        findings=findings,
        judgement=rehearsal.judgement,
        policies=policies,
        preconditions=rehearsal.preconditions,
        coverage=coverage_of(
            rehearsal.graph,
            judgement=rehearsal.judgement,
            policies=policies,
            findings=rehearsal.findings,
            folder=home.folder,
        ),
        home=home,
        redaction=rehearsal.redaction,
    )


def judged(environment: Environment, rehearsal: Rehearsal) -> tuple[Report, tuple[Finding, ...]]:
    """Return the policy report of an environment on its rehearsal, and all findings, the budget's included."""
    policies = judge_policies(rehearsal.graph, environment.policies, beside=rehearsal.judgement)
    cost = cost_of(rehearsal.graph, environment.usage)
    found = (*rehearsal.findings, *policies.findings, *over_budget(cost, rehearsal.graph))
    return policies, findings_in(environment, found, cost, rehearsal.graph)


def findings_in(environment: Environment, found: Iterable[Finding], cost: Cost, graph: Graph) -> tuple[Finding, ...]:
    """Return findings and those on the declared usage, with their places in the stack file."""
    usage = environment.usage_findings(cost.unmatched, cost.misdeclared)
    return environment.located((*found, *usage), graph)


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
    """Work out the cost and timeline of a rehearsal, the coverage of its rules, and what faults do to it.

    `usage` is what the stack declares of a month; the `budgets` are those of another Graph where one is given.

    Raises:
        UnusableFaults: no resource could meet a fault.
    """
    graph = rehearsal.graph
    priced = cost_of(graph, usage)
    played = play(graph, faults) if faults is not None else None
    return Overview(
        environment=environment,
        command="rehearse" if changes is None else "diff",
        cloud=cloud,
        graph=graph,
        findings=(
            *(findings_of(changes) if changes else ()),
            *rehearsal.findings,
            *(policies.findings if policies else ()),
            *over_budget(priced, budgets or graph),
            *(played.findings() if played else ()),
        ),
        judgement=rehearsal.judgement,
        policies=policies,
        cost=priced,
        timeline=schedule(graph),
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

    return cost_change(cost_of(changes.before, usage), changes.before, priced, graph, usage)
