"""The command `penstock check`."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import NoReturn

from penstock.cli.options import HERE, All, AsFormat, Env, Format, OtherStacks, Out, Stack, Timeout, Verbose, Watch
from penstock.cli.repetition import repeat
from penstock.cli.running import end_with, environment_at, running


def is_printed(env: str) -> bool:
    """Return whether ENV is a file of another tool: not a stack file, nor a folder."""
    path = Path(env)
    return env == "-" or (path.is_file() and not path.name.startswith("Pulumi."))


def _check_printed(file: Path, format_: Format, out: Path | None, timeout: float | None, *, verbose: bool) -> NoReturn:
    with running(format_, str(file), out, timeout, command="check"):
        from penstock.app import printed
        from penstock.report import terminal
        from penstock.report.progress import counting

        started = time.perf_counter()
        with counting(file.name, "Checking"):
            assessment = printed.check_printed(file)
    ending = f"Checked in {time.perf_counter() - started:.1f} s; nothing was created."
    end_with(assessment, format_, out, partial(terminal.show_check, ending=ending, verbose=verbose))


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
    """Show what is wrong with ENV, and no more: its description, the provider rules, and policies.

    ENV may also be a file, or - for stdin: what `pulumi preview --json` or `pulumi stack export` printed, of a program
    in any language, or Kubernetes manifests.
    """
    if is_printed(env):
        _check_printed(Path(env), format_, out, timeout, verbose=verbose)
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
