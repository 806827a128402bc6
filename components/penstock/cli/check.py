"""The command `penstock check`."""

from __future__ import annotations

import time
from functools import partial

from penstock.cli.options import HERE, All, AsFormat, Env, Format, OtherStacks, Out, Stack, Timeout, Verbose, Watch
from penstock.cli.repetition import repeat
from penstock.cli.running import end_with, running


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
        from penstock.report import terminal
        from penstock.report.checked import assessment_of
        from penstock.report.progress import counting
        from penstock.simulate.environment import find_environment
        from penstock.simulate.stack_outputs import read

        started = time.perf_counter()
        environment = find_environment(env, stack, stack_outputs=read(stack_output or ()))
        with counting(environment.stack) as progress:
            assessment = assessment_of(environment, environment.rehearse(progress=progress))
    ending = f"Checked in {time.perf_counter() - started:.1f} s; nothing was created."
    end_with(assessment, format_, out, partial(terminal.show_check, ending=ending, verbose=verbose))
