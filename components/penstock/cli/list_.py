"""The command `penstock list`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from penstock.cli.options import HERE


class ListFormat(StrEnum):
    """How a list of stacks is written."""

    TEXT = "text"
    JSON = "json"


def list_stacks(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", show_default=False, help="The folder of a project.")
    ] = HERE,
    format_: Annotated[ListFormat, typer.Option("--format", help="For people, or machines.")] = ListFormat.TEXT,
) -> None:
    """List the stacks of a project: cloud, region, pools and most accelerators. Nothing is rehearsed."""
    from penstock.app.stacks import listed_stacks
    from penstock.cli.output import page, write
    from penstock.report import stack_list

    stacks = listed_stacks(folder)
    if format_ is ListFormat.JSON:
        write(stack_list.render_json(stacks), None)
        return
    with page(None) as console:
        console.print(stack_list.table(stacks))
