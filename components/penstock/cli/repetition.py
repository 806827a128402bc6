"""Commands that run again: for every stack of a project (--all), or after every change (--watch)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn

import typer

from penstock.cli.exit import exit_with, status_of
from penstock.cli.options import Format
from penstock.cli.running import handed_over


def repeat(
    again: partial[None],
    env: str,
    stack: str | None,
    format_: Format,
    out: Path | None,
    *,
    all_: bool,
    watch: bool,
    shard: str | None = None,
) -> None:
    """Run a command for every stack or after every change, and exit; return if neither is asked for."""
    if shard is not None and not all_:
        raise typer.BadParameter("--shard goes with --all")
    if not (all_ or watch):
        return

    if all_ and watch:
        raise typer.BadParameter("give one of --all and --watch, not both")
    if watch:
        from penstock.cli.watch import LONGEST_RUN_S, keep_watching

        if format_ is not Format.TEXT or out is not None:
            raise typer.BadParameter("--watch shows verdicts in the terminal: leave out --format and --out")
        keep_watching(in_process(partial(again, timeout=again.keywords["timeout"] or LONGEST_RUN_S)), env, stack)
    from penstock.cli.fleet import report_fleet

    if stack is not None:
        raise typer.BadParameter("--all takes every stack: leave out --stack")
    report_fleet(in_process(again), env, format_, out, command=again.func.__name__, shard=shard)


def in_process(again: partial[None]) -> Callable[..., NoReturn]:
    """Return a command that hands over its reports and ends the process it runs in with its exit status."""

    def command(env: str, stack: str, formats: str = "") -> NoReturn:
        handed_over.extend(filter(None, formats.split()))
        exit_with(status_of(partial(again, env, stack)))

    return command
