"""The command `penstock check`."""

from __future__ import annotations

import time
from functools import partial

from penstock.cli.options import HERE, All, AsFormat, Env, Format, OtherStacks, Out, Stack, Timeout, Verbose, Watch
from penstock.cli.repetition import repeat
from penstock.cli.running import end_with, environment_at, running


def check(
    env: Env = HERE,
    stack: Stack = None,
    format_: AsFormat = Format.TEXT,
    out: Out = None,
    *,
    stack_output: OtherStacks = None,
    timeout: Timeout = None,
    verbose: Verbose = False,
    all_: All = False,
    watch: Watch = False,
) -> None:
    """Show what is wrong with ENV, and no more: its description, the provider rules, and policies."""
    again = partial(check, stack_output=stack_output, timeout=timeout, verbose=verbose)
    repeat(again, env, stack, format_, out, all_=all_, watch=watch)
    with running(format_, stack or env, out, timeout, (env, stack), command="check"):
        from penstock.app import assess
        from penstock.report import terminal
        from penstock.report.progress import counting

        started = time.perf_counter()
        environment = environment_at(env, stack, stack_output)
        with counting(environment.stack) as progress:
            assessment = assess.check(environment, progress=progress)
    ending = f"Checked in {time.perf_counter() - started:.1f} s; nothing was created."
    end_with(assessment, format_, out, partial(terminal.show_check, ending=ending, verbose=verbose))
