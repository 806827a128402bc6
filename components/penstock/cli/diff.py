"""The command `penstock diff`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

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
from penstock.cli.running import end_with, running

if TYPE_CHECKING:
    from penstock.changes.revision import Baseline
    from penstock.simulate.environment import Environment


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
        from penstock.report import changes as report
        from penstock.report.compared import overview_of_change
        from penstock.report.progress import counting
        from penstock.simulate.environment import find_environment
        from penstock.simulate.stack_outputs import read

        environment = find_environment(env, stack, stack_outputs=read(stack_output or ()))
        with counting(environment.stack) as progress:
            baseline = _baseline(environment, base, state)
            whole = overview_of_change(environment, baseline, hold_settings=hold_settings, progress=progress)
    title = environment.stack
    end_with(whole, format_, out, partial(report.show, title=title, note=baseline.note, verbose=verbose))


def _baseline(environment: Environment, base: str | None, state: Path | None) -> Baseline:
    """Return the stack before a change: at another revision, rehearsed, or from an exported state."""
    from penstock.changes import revision

    if base is not None:
        return revision.baseline_at(base, environment)
    assert state is not None  # noqa: S101 - one of the two is given
    from penstock.changes.state import load_state
    from penstock.secrets.redaction import Redaction

    stood, redaction = load_state(state, project=environment.project.name, stack=environment.stack), Redaction({}, ())
    for resource in stood:
        redaction.learn(resource)
    return revision.Baseline(stood, redaction)
