"""Every stack of a project at once (--all)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from penstock.cli.options import Format
from penstock.cli.output import page, write
from penstock.cli.running import errors_in
from penstock.core.errors import NotAProject

if TYPE_CHECKING:
    from penstock.report.fleet import FleetMember
    from penstock.simulate.project import PulumiProject
    from penstock.simulate.warm import Command


def report_fleet(
    again: Command, target: str, format_: Format, out: Path | None, *, command: str, shard: str | None = None
) -> NoReturn:
    """Run a command for every stack of a project, or for a part of them, write one report, and exit.

    The status is the worst of all.
    """
    from penstock.report import fleet as report
    from penstock.report.parts import Shard, with_part

    if format_ is not Format.TEXT and format_.value not in report.formats():
        others = ", ".join((Format.TEXT, *report.formats()))
        raise typer.BadParameter(f"the format {format_} is of one stack; with --all use one of {others}")
    formats = report.formats() if shard is not None else ("" if format_ is Format.TEXT else format_.value,)
    with errors_in(format_, target, out, command=command):
        project = project_of_all(target)
        stacks = project.stacks()
        part = Shard.parse(shard) if shard is not None else Shard(1, 1)
        members = run_stacks(again, target, part.of(stacks), formats)
    fleet = report.Fleet(project.name, command, members)
    if format_ is Format.TEXT:
        with page(out) as console:
            report.show(fleet, console)
    else:
        text = report.rendered(fleet, format_.value)
        if format_ is Format.JSON and shard is not None:
            about = {"command": command, "project": project.name, "stacks": list(stacks), "commit": _commit(project)}
            text = with_part(text, part, about, members)
        write(text, out)
    raise typer.Exit(fleet.status)


def project_of_all(target: str) -> PulumiProject:
    """Return the project of a folder.

    Raises:
        NotAProject: there is no project with stack files.
    """
    from penstock.simulate.project import project_at

    if not Path(target).is_dir():
        raise NotAProject(f"--all requires the folder of a project, but {target} is not a folder")
    project = project_at(Path(target))
    if not project.stacks():
        raise NotAProject(f"{project.name} has no stack files, which are called Pulumi.NAME.yaml")
    return project


def _commit(project: PulumiProject) -> str:
    """The commit of a project's work tree; empty outside of git."""
    from penstock.changes.repository import repository_at
    from penstock.core.errors import NoSuchRevision

    try:
        return repository_at(project.root).head
    except NoSuchRevision:
        return ""


def run_stacks(command: Command, target: str, stacks: Sequence[str], formats: Sequence[str]) -> tuple[FleetMember, ...]:
    """Run a command for some stacks, as many at a time as there are cores, and return what they found, in their order.

    `command` takes the target, a stack and the formats of the reports that it hands over, with spaces between them.

    Raises:
        Unfinished: the process that runs them was ended.
    """
    from penstock.report.fleet import member_of
    from penstock.report.progress import answering
    from penstock.simulate.warm import WarmProcess

    warm = WarmProcess(command)
    waiting = list(reversed(stacks))
    members: dict[str, FleetMember] = {}
    with answering("Rehearsing", "stacks") as count:
        while len(members) < len(stacks):
            for _ in range(min(_cores(), len(stacks)) - (len(stacks) - len(waiting) - len(members))):
                if waiting:
                    warm.begin(target, waiting.pop(), " ".join(formats))
            run = warm.finished()
            members[run.arguments[1]] = member_of(run.arguments[1], run)
            if count is not None:
                count(len(members), len(stacks))
    warm.close()
    return tuple(members[stack] for stack in stacks)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
