"""The command `penstock check`."""

from __future__ import annotations

import fcntl
import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from penstock.cli.options import (
    HERE,
    All,
    AsFormat,
    BaselineFile,
    Env,
    Format,
    OtherStacks,
    Out,
    Stack,
    Timeout,
    Verbose,
    Watch,
)
from penstock.cli.output import write, writing
from penstock.cli.repetition import repeat
from penstock.cli.running import end_with, environment_at, running

if TYPE_CHECKING:
    from penstock.report.assessment import Assessment
    from penstock.rules.baseline import FindingsBaseline


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


WriteBaseline = Annotated[
    Path | None,
    typer.Option(
        "--write-baseline",
        metavar="FILE",
        help="Write the findings that block to this file, for --baseline.",
    ),
]


def _written(file: Path, assessment: Assessment) -> FindingsBaseline:
    """Replace the known findings of a stack in a file; those of other stacks stay, also where --all runs them now."""
    from penstock.report.redacted import redacted
    from penstock.rules.baseline import FindingsBaseline, read_baseline

    with writing(file):
        folder = os.open(file.absolute().parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        earlier = read_baseline(file) if file.exists() else FindingsBaseline()
        baseline = earlier.with_stack(assessment.environment, redacted(assessment).findings)
        write(baseline.text(), file)
    finally:
        os.close(folder)
    return baseline


def check(
    env: Env = HERE,
    stack: Stack = None,
    format_: AsFormat = Format.TEXT,
    out: Out = None,
    *,
    stack_output: OtherStacks = None,
    timeout: Timeout = None,
    verbose: Verbose = False,
    baseline: BaselineFile = None,
    write_baseline: WriteBaseline = None,
    all_: All = False,
    watch: Watch = False,
) -> None:
    """Show what is wrong with ENV, and no more: its description, the provider rules, and policies.

    ENV may also be a file, or - for stdin: what `pulumi preview --json` or `pulumi stack export` printed, of a program
    in any language, or Kubernetes manifests.
    """
    if is_printed(env):
        _check_printed(Path(env), format_, out, timeout, verbose=verbose)
    if baseline is not None and write_baseline is not None:
        raise typer.BadParameter("give one of --baseline and --write-baseline")
    again = partial(
        check,
        stack_output=stack_output,
        timeout=timeout,
        verbose=verbose,
        baseline=baseline,
        write_baseline=write_baseline,
    )
    repeat(again, env, stack, format_, out, all_=all_, watch=watch)
    with running(format_, stack or env, out, timeout, (env, stack), command="check"):
        from penstock.app import assess
        from penstock.app.baseline import with_baseline
        from penstock.report import terminal
        from penstock.report.progress import counting
        from penstock.rules.baseline import read_baseline

        started = time.perf_counter()
        environment = environment_at(env, stack, stack_output)
        with counting(environment.stack) as progress:
            assessment = assess.check(environment, progress=progress)
        if baseline is not None:
            assessment = with_baseline(assessment, read_baseline(baseline), str(baseline))
        elif write_baseline is not None:
            assessment = with_baseline(assessment, _written(write_baseline, assessment), str(write_baseline))
    ending = f"Checked in {time.perf_counter() - started:.1f} s; nothing was created."
    end_with(assessment, format_, out, partial(terminal.show_check, ending=ending, verbose=verbose))
