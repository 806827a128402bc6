"""The command `penstock rehearse`."""

from __future__ import annotations

import time
from functools import partial

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
    ShardOption,
    Stack,
    Timeout,
    Unknown,
    Verbose,
    Watch,
    WithEngine,
)
from penstock.cli.repetition import repeat
from penstock.cli.running import end_with, environment_at, running


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
    shard: ShardOption = None,
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
    repeat(again, env, stack, format_, out, all_=all_, watch=watch, shard=shard)
    with running(format_, stack or env, out, timeout, (env, stack), command="rehearse"):
        from penstock.app.assess import assess
        from penstock.report import terminal
        from penstock.report.progress import counting
        from penstock.timeline.faults import parse_faults

        started = time.perf_counter()
        asked = parse_faults(faults) if faults else None
        environment = environment_at(env, stack, stack_output)
        with counting(environment.stack) as progress:
            whole = assess(
                environment,
                faults=asked,
                preview=unknown,
                with_pulumi_cli=engine is Engine.PULUMI,
                progress=progress,
            )
    seconds = time.perf_counter() - started
    end_with(whole, format_, out, partial(terminal.show, seconds=seconds, verbose=verbose))
