"""The command `penstock merge`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from penstock.cli.options import SUFFIXES, Format, Outs
from penstock.cli.output import page, write
from penstock.cli.running import errors_in


def merge(
    parts: Annotated[list[Path], typer.Argument(metavar="PART...", help="What each `--shard` wrote as JSON.")],
    outs: Outs = None,
) -> None:
    """Join the parts of a report that `penstock review` or `penstock rehearse --all` made with --shard."""
    from penstock.cli.review import write_review
    from penstock.report import fleet
    from penstock.report.parts import merged
    from penstock.report.review import review_from

    files = outs or []
    with errors_in(Format.TEXT, str(parts[0]), None, command="merge"):
        about, members = merged(parts)
    if about["command"] == "review":
        report = review_from(about, members)
        write_review(report, files)
        raise typer.Exit(report.status)
    whole = fleet.Fleet(about["project"], about["command"], [members[stack] for stack in about["stacks"]])
    for file in files:
        if SUFFIXES[file.suffix] not in fleet.formats():
            raise typer.BadParameter(f"{file}: `penstock {about['command']} --all` has no report in HTML")
    for file in files:
        write(fleet.rendered(whole, SUFFIXES[file.suffix]), file)
    with page(None) as console:
        fleet.show(whole, console)
    raise typer.Exit(whole.status)
