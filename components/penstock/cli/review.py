"""The command `penstock review`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from penstock.cli.exit import exit_with, status_of
from penstock.cli.options import HERE, SUFFIXES, BaselineFile, Format, OtherStacks, Outs, ShardOption, Timeout
from penstock.cli.output import page, write
from penstock.cli.running import errors_in, hand_over, message_of, note_verdict, running
from penstock.core.errors import NotAProject, PenstockError

if TYPE_CHECKING:
    from penstock.app.review import Review
    from penstock.report.parts import Shard
    from penstock.report.review import ReviewReport

Project = Annotated[
    str, typer.Argument(metavar="PROJECT", show_default=False, help="The folder of a project. Default: this one.")
]
Base = Annotated[str, typer.Option(metavar="REV", help="Review what has changed since HEAD left this revision in git.")]
OneStack = Annotated[str | None, typer.Option("--stack", help="Review this stack alone, if it is affected.")]
HeadSettings = Annotated[
    bool,
    typer.Option("--head-settings", help="Judge by the settings of the change itself, not by those of the base."),
]

BlockLoosened = Annotated[
    bool, typer.Option("--block-loosened", help="Block loosened settings (DIFF-022) and an unreadable base (DIFF-027).")
]


def review(
    project: Project = HERE,
    *,
    base: Base,
    stack: OneStack = None,
    outs: Outs = None,
    head_settings: HeadSettings = False,
    block_loosened: BlockLoosened = False,
    baseline: BaselineFile = None,
    shard: ShardOption = None,
    stack_output: OtherStacks = None,
    timeout: Timeout = None,
) -> None:
    """Show what a change in git does to every stack that it touches: changes, lost data, cost, findings, policies."""
    from penstock.report.parts import Shard
    from penstock.report.review import FORMATS

    files = outs or []
    part = Shard.parse(shard) if shard is not None else None
    formats = FORMATS if part is not None else ("text", "json", *(SUFFIXES[file.suffix] for file in files))
    with errors_in(Format.TEXT, project, None, command="review"):
        report = reviewed(
            project,
            base,
            stack,
            tuple(dict.fromkeys(formats)),
            part=part,
            baseline=baseline,
            by_head=head_settings,
            block_loosened=block_loosened,
            stack_output=stack_output,
            timeout=timeout,
        )
    write_review(report, files, part)
    raise typer.Exit(report.status)


def write_review(report: ReviewReport, files: Sequence[Path], part: Shard | None = None) -> None:
    """Write a review to files, each in the format that its name ends with, and to the terminal."""
    from penstock.report.review import rendered, show

    for file in files:
        write(rendered(report, SUFFIXES[file.suffix], part), file)
    with page(None) as console:
        show(report, console)


def reviewed(
    project: str,
    base: str,
    stack: str | None,
    formats: tuple[str, ...],
    *,
    part: Shard | None = None,
    baseline: Path | None = None,
    by_head: bool = False,
    block_loosened: bool = False,
    stack_output: list[str] | None = None,
    timeout: float | None = None,
) -> ReviewReport:
    """Review the stacks that a change touches, each in a process of its own, with their reports in some formats."""
    from penstock.app.review import review_of
    from penstock.cli.fleet import run_stacks
    from penstock.report.review import ReviewReport, room_of_each

    if not Path(project).is_dir():
        raise NotAProject(f"{project} is not a folder: name the folder of a project")
    with review_of(Path(project), base, baseline) as found:
        affected = found.limited_to(stack) if stack is not None else found.affected
        names = [each.name for each in (affected if part is None else part.of(affected))]
        room = room_of_each(len(affected))
        review_one = partial(
            _review_stack,
            review=found,
            by_head=by_head,
            block_loosened=block_loosened,
            room=room,
            stack_output=stack_output,
            timeout=timeout,
        )

        def command(target: str, stack: str, formats: str) -> NoReturn:
            exit_with(status_of(partial(review_one, target, stack, tuple(formats.split()))))

        members = run_stacks(command, str(found.project.root), names, formats) if names else ()
        return ReviewReport(
            found.project.name,
            base,
            found.base_commit,
            found.head_commit,
            found.total,
            affected,
            {member.stack: member for member in members},
            stack or "",
            found.notes,
            found.pipeline,
        )


def _review_stack(
    target: str,
    stack: str,
    formats: tuple[str, ...],
    *,
    review: Review,
    by_head: bool,
    block_loosened: bool,
    room: int,
    stack_output: list[str] | None,
    timeout: float | None,
) -> NoReturn:
    """Review one stack, and hand over its reports; its Markdown has no more characters than `room`."""
    failed: PenstockError | None = None
    with running(Format.TEXT, stack, None, timeout, (target, stack), command="review"):
        from penstock.app.review import review_stack
        from penstock.report.assessment import Assessment
        from penstock.report.redacted import redacted
        from penstock.report.review import rendered_stack
        from penstock.simulate.stack_outputs import read

        affected = next(each for each in review.affected if each.name == stack)
        whole: Assessment
        try:
            outputs = read(stack_output or ())
            whole = redacted(
                review_stack(review, affected, by_head=by_head, block_loosened=block_loosened, stack_outputs=outputs)
            )
        except PenstockError as error:  # reported as the result of this stack
            failed = error
            whole = Assessment(environment=stack, findings=error.findings, command="review")
    note_verdict(whole)
    text = None if failed is None else message_of(failed)
    hand_over(partial(rendered_stack, whole, room=room, text=text), formats)
    raise typer.Exit(2 if failed is not None else 0 if whole.ok else 1)
