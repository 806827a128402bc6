"""The command `penstock rehearse`."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import typer

from penstock.cli.options import (
    HERE,
    All,
    AsFormat,
    Engine,
    Env,
    Faults,
    Format,
    OtherStacks,
    Out,
    Stack,
    Timeout,
    Unknown,
    Verbose,
    Watch,
    WithEngine,
)
from penstock.cli.repetition import repeat
from penstock.cli.running import end_with, running

if TYPE_CHECKING:
    from penstock.simulate.engine.steps import EngineStep


def rehearse(
    env: Env = HERE,
    stack: Stack = None,
    format_: AsFormat = Format.TEXT,
    out: Out = None,
    faults: Faults = None,
    *,
    stack_output: OtherStacks = None,
    timeout: Timeout = None,
    engine: WithEngine = Engine.EMBEDDED,
    unknown: Unknown = False,
    verbose: Verbose = False,
    all_: All = False,
    watch: Watch = False,
) -> None:
    """Run the whole `pulumi up` of ENV against simulated clouds. Nothing is created, and no credentials are needed."""
    if unknown and engine is Engine.PULUMI:
        raise typer.BadParameter("--unknown goes with the embedded engine; the Pulumi CLI previews first anyway")
    again = partial(
        rehearse,
        faults=faults,
        stack_output=stack_output,
        timeout=timeout,
        engine=engine,
        unknown=unknown,
        verbose=verbose,
    )
    repeat(again, env, stack, format_, out, all_=all_, watch=watch)
    with running(format_, stack or env, out, timeout, (env, stack), command="rehearse"):
        from penstock.policies.judge import judge_policies
        from penstock.report import overview, terminal
        from penstock.report.assessment import home_of
        from penstock.report.progress import counting
        from penstock.simulate.environment import find_environment
        from penstock.simulate.stack_outputs import read
        from penstock.timeline.faults import parse_faults

        started = time.perf_counter()
        asked = parse_faults(faults) if faults else None
        environment = find_environment(env, stack, stack_outputs=read(stack_output or ()))
        with counting(environment.stack) as progress:
            rehearsal = environment.rehearse(preview=unknown, progress=progress)
            steps: tuple[EngineStep, ...] = ()
            if engine is Engine.PULUMI:
                from penstock.simulate.engine import automation

                rehearsal, steps = automation.run_engine(environment, rehearsal, faults=asked, progress=progress)
        whole = overview.overview_of(
            rehearsal,
            environment=environment.stack,
            cloud=environment.cloud,
            policies=judge_policies(rehearsal.graph, environment.policies, beside=rehearsal.judgement),
            faults=asked,
            steps=steps,
            home=home_of(environment.project, environment.stack),
            usage=environment.usage,
        )
        found = (*whole.findings, *environment.usage_findings(whole.cost.unmatched, whole.cost.misdeclared))
        whole = replace(whole, findings=environment.located(found, whole.graph))
    seconds = time.perf_counter() - started
    end_with(whole, format_, out, partial(terminal.show, seconds=seconds, verbose=verbose))
