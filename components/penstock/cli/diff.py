"""The command `penstock diff`."""

from __future__ import annotations

from functools import partial

import typer

from penstock.cli.options import (
    HERE,
    AsFormat,
    Base,
    Env,
    Format,
    HoldSettings,
    OtherStacks,
    Out,
    Stack,
    State,
    Timeout,
    Verbose,
)
from penstock.cli.running import end_with, environment_at, running


def diff(
    env: Env = HERE,
    stack: Stack = None,
    format_: AsFormat = Format.TEXT,
    out: Out = None,
    *,
    stack_output: OtherStacks = None,
    timeout: Timeout = None,
    base: Base = None,
    state: State = None,
    hold_settings: HoldSettings = False,
    verbose: Verbose = False,
) -> None:
    """Show what ENV would change: what is created, updated, replaced and deleted, and which data is lost with it."""
    if (base is None) is (state is None):
        raise typer.BadParameter("give one of --base and --state: what ENV is compared with")
    if hold_settings and base is None:
        raise typer.BadParameter("--hold-settings goes with --base: a state has no settings")
    with running(format_, stack or env, out, timeout, (env, stack), command="diff"):
        from penstock.app.compare import baseline_of, compare
        from penstock.report import changes as report
        from penstock.report.progress import counting

        environment = environment_at(env, stack, stack_output)
        with counting(environment.stack) as progress:
            baseline = baseline_of(environment, revision=base, state=state)
            whole = compare(environment, baseline, hold_settings=hold_settings, progress=progress)
    title = environment.stack
    end_with(whole, format_, out, partial(report.show, title=title, note=baseline.note, verbose=verbose))
