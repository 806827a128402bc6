"""The command `penstock review`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NoReturn

import typer

from penstock.cli.exit import exit_with, status_of
from penstock.cli.options import HERE, Format, OtherStacks, Timeout
from penstock.cli.output import page, write
from penstock.cli.running import errors_in, hand_over, handed_over, note_verdict, running

if TYPE_CHECKING:
    from penstock.app.review import Review
    from penstock.report.review import ReviewReport

_FORMATS: Final = {".md": "markdown", ".sarif": "sarif", ".html": "html", ".json": "json"}
"""The formats of files by how their names end."""


def _have_formats(files: list[Path] | None) -> list[Path]:
    for file in files or ():
        if file.suffix not in _FORMATS:
            raise typer.BadParameter(f"{file}: the name must end with one of {', '.join(_FORMATS)}")
    return files or []


Project = Annotated[
    str, typer.Argument(metavar="PROJECT", show_default=False, help="The folder of a project. Default: this one.")
]
Base = Annotated[str, typer.Option(metavar="REV", help="Review what has changed since HEAD left this revision in git.")]
OneStack = Annotated[str | None, typer.Option("--stack", help="Review this stack alone, if it is affected.")]
Outs = Annotated[
    list[Path] | None,
    typer.Option(
        "--out",
        metavar="FILE",
        callback=_have_formats,
        help="Also write the report to a file: .md, .sarif, .html or .json. May be repeated.",
    ),
]
HeadSettings = Annotated[
    bool,
    typer.Option("--head-settings", help="Judge by the settings of the change itself, not by those of the base."),
]


def review(
    project: Project = HERE,
    *,
    base: Base,
    stack: OneStack = None,
    outs: Outs = None,
    head_settings: HeadSettings = False,
    stack_output: OtherStacks = None,
    timeout: Timeout = None,
) -> None:
    """Show what a change in git does to every stack that it touches: changes, lost data, cost, findings, policies."""
    files = outs or []
    formats = sorted({_FORMATS[file.suffix] for file in files})
    with errors_in(Format.TEXT, project, None, command="review"):
        report = _reviewed(
            project, base, stack, formats, by_head=head_settings, stack_output=stack_output, timeout=timeout
        )
    _write(report, files)
    raise typer.Exit(report.status)


def _write(report: ReviewReport, files: list[Path]) -> None:
    from penstock.report.review import rendered, show

    for file in files:
        write(rendered(report, _FORMATS[file.suffix]), file)
    with page(None) as console:
        show(report, console)


def _reviewed(
    project: str,
    base: str,
    stack: str | None,
    formats: list[str],
    *,
    by_head: bool,
    stack_output: list[str] | None,
    timeout: float | None,
) -> ReviewReport:
    from penstock.app.review import review_of
    from penstock.cli.fleet import run_stacks
    from penstock.core.errors import NotAProject
    from penstock.report.review import ReviewedStack, ReviewReport, room_of_each

    if not Path(project).is_dir():
        raise NotAProject(f"{project} is not a folder: name the folder of a project")
    with review_of(Path(project), base) as found:
        stacks = found.limited_to(stack) if stack is not None else found.affected
        names = [each.name for each in stacks]
        room = room_of_each(len(stacks))
        review_one = partial(
            _review_stack, review=found, by_head=by_head, room=room, stack_output=stack_output, timeout=timeout
        )

        def command(target: str, stack: str, formats: str) -> NoReturn:
            handed_over.extend(dict.fromkeys(formats.split()))
            exit_with(status_of(partial(review_one, target, stack)))

        members = run_stacks(command, str(found.project.root), names, ["text", "json", *formats]) if names else ()
        return ReviewReport(
            found.project.name,
            base,
            found.base_commit,
            found.head_commit,
            found.total,
            tuple(ReviewedStack(*each) for each in zip(stacks, members, strict=True)),
            stack or "",
            found.notes,
        )


def _review_stack(
    target: str,
    stack: str,
    *,
    review: Review,
    by_head: bool,
    room: int,
    stack_output: list[str] | None,
    timeout: float | None,
) -> NoReturn:
    """Review one stack, and hand over its reports; its Markdown has no more characters than `room`."""
    with running(Format.TEXT, stack, None, timeout, (target, stack), command="review"):
        from penstock.app.review import review_stack
        from penstock.report.redacted import redacted
        from penstock.report.review import rendered_stack
        from penstock.simulate.stack_outputs import read

        affected = next(each for each in review.affected if each.name == stack)
        whole = review_stack(review, affected, by_head=by_head, stack_outputs=read(stack_output or ()))
    shown = redacted(whole)
    note_verdict(shown)
    hand_over(partial(rendered_stack, shown, room=room))
    raise typer.Exit(0 if shown.ok else 1)
