"""Every stack of a project at once, and the command `penstock list`."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from penstock.cli_options import HERE
from penstock.errors import NotAProject

if TYPE_CHECKING:
    from penstock.rehearsal.warm import Command
    from penstock.report.fleet import Fleet, FleetMember


class ListFormat(StrEnum):
    """How a list of stacks is written."""

    TEXT = "text"
    JSON = "json"


def run_fleet(command: Command, target: str, format_: str) -> Fleet:
    """Run a command for every stack of a project, as many at a time as there are cores, and return what they found.

    Raises:
        NotAProject: there is no project with stack files.
        Unfinished: the process that runs them was ended.
    """
    from penstock.rehearsal.project import project_at
    from penstock.rehearsal.warm import WarmProcess
    from penstock.report.fleet import Fleet, member_of

    if not Path(target).is_dir():
        raise NotAProject(f"--all requires the folder of a project, but {target} is not a folder")
    project = project_at(Path(target))
    stacks = project.stacks()
    if not stacks:
        raise NotAProject(f"{project.name} has no stack files, which are called Pulumi.NAME.yaml")
    warm = WarmProcess(command)
    waiting = list(reversed(stacks))
    members: dict[str, FleetMember] = {}
    while len(members) < len(stacks):
        for _ in range(min(_cores(), len(stacks)) - (len(stacks) - len(waiting) - len(members))):
            if waiting:
                warm.begin(target, waiting.pop(), format_)
        run = warm.finished()
        members[run.arguments[1]] = member_of(run.arguments[1], run)
    warm.close()
    return Fleet(project.name, tuple(members[stack] for stack in stacks))


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def list_stacks(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", show_default=False, help="The folder of a project.")
    ] = HERE,
    format_: Annotated[ListFormat, typer.Option("--format", help="For people, or machines.")] = ListFormat.TEXT,
) -> None:
    """List the stacks of a project: cloud, region, pools and most accelerators. Nothing is rehearsed."""
    from penstock.cli_output import page, write
    from penstock.report import stack_list

    stacks = stack_list.listed_stacks(folder)
    if format_ is ListFormat.JSON:
        write(stack_list.render_json(stacks), None)
        return
    with page(None) as console:
        console.print(stack_list.table(stacks))
