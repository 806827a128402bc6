"""The command `penstock cost`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from penstock.cli.options import FORMAT_HELP, HERE, Env, Format, OtherStacks, Out, Stack, Timeout, by_suffix
from penstock.cli.output import page, write
from penstock.cli.running import environment_at, running

if TYPE_CHECKING:
    from penstock.report.cost import Bill


class CostFormat(StrEnum):
    """How a bill is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


_WAYS = ("component", "pool", "resource", "type")


def _is_way(by: str) -> str:
    if by not in _WAYS and not (by.startswith("tag:") and by != "tag:"):
        raise typer.BadParameter(f"{by!r} is not a way to group costs; use {', '.join(_WAYS)} or tag:KEY")
    return by


By = Annotated[
    str,
    typer.Option(
        "--by",
        metavar="|".join((*_WAYS, "tag:KEY")),
        callback=_is_way,
        help="How lines are grouped; a program without components has a group for each resource.",
    ),
]


def cost(
    env: Env = HERE,
    stack: Stack = None,
    *,
    by: By = "component",
    format_: Annotated[CostFormat, typer.Option("--format", callback=by_suffix, help=FORMAT_HELP)] = CostFormat.TEXT,
    out: Out = None,
    stack_output: OtherStacks = None,
    timeout: Timeout = None,
) -> None:
    """Show what a month of ENV costs, line by line with source, date and bounds, and what a job of it costs."""
    with running(Format(format_.value), stack or env, out, timeout, (env, stack), command="cost"):
        from penstock.app.price import price

        bill = price(environment_at(env, stack, stack_output), by=by)
    if format_ is CostFormat.TEXT:
        from penstock.report.cost_table import show

        with page(out) as console:
            show(bill, console)
    else:
        write(_written(bill, format_), out)
    raise typer.Exit(0 if bill.ok else 1)


def _written(bill: Bill, format_: CostFormat) -> str:
    from penstock.report import cost

    if format_ is CostFormat.MARKDOWN:
        return cost.markdown(bill)
    from penstock.report.json import text_of

    return text_of(cost.bill_document(bill))
