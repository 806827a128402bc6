"""The review of a change: the stacks that it touches, and the report on each of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from penstock.app.assess import assess, overview_of
from penstock.app.baseline import baseline_changes, with_baseline
from penstock.app.compare import compare
from penstock.changes.diff import Changes, diff
from penstock.changes.pipeline_files import pipeline_files
from penstock.changes.repository import Repository, repository_at
from penstock.changes.revision import Revision, baseline_in, judges_in, readable_judges_in
from penstock.core.clock import utc_today
from penstock.core.errors import NoSuchRevision
from penstock.core.findings import Finding, Severity, Source
from penstock.core.wording import plural
from penstock.graph.graph import Graph
from penstock.report import settings
from penstock.report.assessment import home_of
from penstock.report.overview import Overview
from penstock.report.review import AffectedStack, StackChange
from penstock.rules import registry
from penstock.rules.baseline import FindingsBaseline, read_baseline
from penstock.rules.judge import judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings_changes import SettingChange, custom_rule_changes, settings_changes
from penstock.simulate.environment import Environment, find_environment
from penstock.simulate.program_files import ProgramFiles, files_of_program, path_below
from penstock.simulate.project import PulumiProject, has_project, locate, project_at
from penstock.simulate.run import Rehearsal
from penstock.simulate.stack_outputs import StackOutputs


@dataclass(frozen=True, slots=True)
class KnownFindings:
    """The known findings in a file, as it is at the base and in the work tree."""

    file: str
    before: FindingsBaseline
    after: FindingsBaseline


@dataclass(frozen=True, slots=True)
class Review:
    """A change of a project: from a commit to the work tree, with the stacks that it touches."""

    project: PulumiProject
    base: Revision
    base_commit: str
    head_commit: str
    affected: tuple[AffectedStack, ...]
    total: int
    notes: tuple[str, ...] = ()
    known: KnownFindings | None = None
    pipeline: tuple[str, ...] = ()
    """Changed files that review or deploy."""

    def limited_to(self, stack: str) -> tuple[AffectedStack, ...]:
        """Return the stack of a name if the change touches it.

        Raises:
            NotAProject: neither side has a stack of that name.
        """
        found = tuple(each for each in self.affected if each.name == stack)
        if not found:
            locate(str(self.project.root), stack)
        return found


@contextmanager
def review_of(folder: Path, base: str, baseline: Path | None = None) -> Iterator[Review]:
    """Find what the work tree changes in a project since it has left a revision; its files are there meanwhile.

    `baseline` is a file of known findings.

    Raises:
        NotAProject: the folder belongs to no project.
        UnusableBaseline: the file of known findings is on neither side, or has another form.
        NoSuchRevision: there is no git repository, no such revision, or no commit that both share.
    """
    project = project_at(folder)
    repository = repository_at(project.root)
    commit = repository.merge_base(base)
    with repository.checkout(commit) as copy:
        before = Revision(base, copy / project.root.relative_to(repository.top))
        changed = repository.changed_files(commit)
        after = _Side(project, repository.top, repository.files())
        earlier = _side_of(before, copy)
        known = _known(baseline, repository.top, copy) if baseline is not None else None
        affected = tuple(_affected(after, earlier, changed, known))
        stacks = {*project.stacks(), *(earlier.project.stacks() if earlier is not None else ())}
        notes = tuple(_notes(repository, base, commit, after, changed))
        yield Review(
            project, before, commit, repository.head, affected, len(stacks), notes, known, pipeline_files(changed)
        )


def review_stack(
    review: Review,
    stack: AffectedStack,
    *,
    by_head: bool = False,
    block_loosened: bool = False,
    stack_outputs: StackOutputs | None = None,
) -> Overview:
    """Rehearse a stack before and after a change, and return what the change does, with policies and preconditions.

    The settings of the base judge it; with `by_head` those of the work tree do. With `block_loosened` each loosened
    setting is an error, and so is a base that cannot be rehearsed. A stack with such a base is reported as it is now.

    Raises:
        PenstockError: the stack cannot be rehearsed as it is now.
    """
    whole = replace(_reviewed(review, stack, by_head=by_head, stack_outputs=stack_outputs or {}), command="review")
    if block_loosened:
        whole = replace(whole, findings=tuple(map(settings.blocking, whole.findings)))
    known = review.known
    if known is None:
        return whole
    return with_baseline(whole, known.after if by_head else known.before, known.file)


def _known(file: Path, top: Path, copy: Path) -> KnownFindings:
    """The known findings of both sides. A file outside of the repository is the same on both."""
    whole = file.absolute().resolve()
    if not whole.is_relative_to(top):
        known = read_baseline(file)
        return KnownFindings(str(file), known, known)
    earlier = copy / whole.relative_to(top)
    before = read_baseline(earlier) if earlier.is_file() else FindingsBaseline()
    after = read_baseline(file) if file.is_file() or not earlier.is_file() else FindingsBaseline()
    return KnownFindings(str(file), before, after)


def _reviewed(review: Review, stack: AffectedStack, *, by_head: bool, stack_outputs: StackOutputs) -> Overview:
    if stack.change is StackChange.DELETED:
        return _deleted(review, stack.name)
    environment = find_environment(str(review.project.root), stack.name, stack_outputs=stack_outputs)
    try:
        baseline = baseline_in(review.base, environment)
    except NoSuchRevision as failed:
        return _without_base(review, environment, failed, by_head=by_head)
    known = (review.known.before, review.known.after) if review.known is not None else None
    return compare(environment, baseline, hold_settings=not by_head, with_policies=True, known=known)


def _deleted(review: Review, stack: str) -> Overview:
    """A stack without a file: its resources are shown as deleted, in one finding in place of one for each."""
    there = review.base.environment(stack, home=review.project)
    before = there.rehearse()
    empty = Graph(review.project.name, stack, {}, {})
    after = Rehearsal(empty, (), judge(empty, there.policies, RuleKind.PROVIDER), redaction=before.redaction)
    changes = diff(before.graph, empty)
    whole = overview_of(
        after,
        environment=stack,
        cloud=there.cloud,
        changes=changes,
        home=home_of(review.project, stack),
        usage=there.usage,
    )
    return replace(whole, findings=(_stays_deployed(review.project.stack_file(stack).name, stack, changes),))


def _stays_deployed(file: str, stack: str, changes: Changes) -> Finding:
    """The finding about a deleted stack file. A warning: after a `pulumi destroy`, the deletion is right."""
    return Finding(
        code="DIFF-028",
        severity=Severity.WARNING,
        source=Source.PROGRAM,
        message=(
            f"Deleting {file} destroys nothing: the stack keeps {plural(len(changes.deleted), 'resource')}, billed but "
            "without updates and drift checks, unless it was destroyed before"
        ),
        hint=(
            f"Destroy the stack before you delete its file: run the destroy job of the pipeline, or "
            f"`pulumi destroy --stack {stack}`. Then delete the file, and run `pulumi stack rm {stack}`."
        ),
    )


def _without_base(
    review: Review,
    environment: Environment,
    failed: NoSuchRevision,
    *,
    by_head: bool,
) -> Overview:
    """A stack that cannot be rehearsed at the base, as it is now. Its settings there judge it where they are valid."""
    judged, judge_note = environment, ""
    changed: tuple[SettingChange, ...] = ()
    if not by_head:
        own_rules = registry.custom_rules()
        try:
            judges = judges_in(review.base, environment)
        except NoSuchRevision:
            judges = readable_judges_in(review.base, environment)
            judge_note = " Its settings are invalid: those that can be read and the defaults judge this change."
        registry.use_custom_rules(judges.rules)
        judged = replace(environment, policies=judges.settings)
        known = review.known
        changed = (
            *settings_changes(judges.settings, environment.policies, today=utc_today()),
            *custom_rule_changes(judges.rules, own_rules),
            *(baseline_changes(known.before, known.after, environment.stack) if known is not None else ()),
        )
    whole = assess(judged)
    why = " ".join(str(failed).split())
    note = Finding(
        code="DIFF-027",
        severity=Severity.WARNING,
        source=Source.PROGRAM,
        message=f"The base cannot be rehearsed, so changes and lost data are unknown.{judge_note} {why}",
        hint="Compare with what is deployed: penstock diff --state.",
    )
    loosened = settings.findings_of(changed, environment, held=True)
    return replace(whole, settings_changes=changed, findings=(note, *loosened, *whole.findings))


@dataclass(frozen=True, slots=True)
class _Side:
    """A project before or after a change, in its repository."""

    project: PulumiProject
    top: Path
    files: tuple[str, ...]

    def program(self) -> ProgramFiles:
        return files_of_program(self.project, self.top, self.files)

    def stack_file(self, stack: str) -> str:
        return path_below(self.top, self.project.stack_file(stack))

    def configuration(self, stack: str) -> str:
        file = self.project.stack_file(stack)
        return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def _side_of(revision: Revision, top: Path) -> _Side | None:
    """The project at a revision; None if there is none."""
    if not has_project(revision.root):
        return None
    files = tuple(file.relative_to(top).as_posix() for file in sorted(top.rglob("*")) if file.is_file())
    return _Side(project_at(revision.root), top, files)


def _affected(
    after: _Side, before: _Side | None, changed: tuple[str, ...], known: KnownFindings | None
) -> Iterator[AffectedStack]:
    now = after.project.stacks()
    then = before.project.stacks() if before is not None else ()
    sides = [(side, side.program()) for side in (after, before) if side is not None] if changed else []
    for stack in sorted({*now, *then}):
        if stack not in then:
            yield AffectedStack(stack, StackChange.NEW, (after.stack_file(stack),))
        elif stack not in now and before is not None:
            yield AffectedStack(stack, StackChange.DELETED, (before.stack_file(stack),))
        else:
            because = [each for each in changed if any(_decides(each, stack, *side) for side in sides)]
            if known is not None and baseline_changes(known.before, known.after, stack):
                because.append(known.file)
            if because:
                yield AffectedStack(stack, StackChange.CHANGED, tuple(because))


def _decides(file: str, stack: str, side: _Side, program: ProgramFiles) -> bool:
    own = side.stack_file(stack)
    if file == own:
        return True
    others = {side.stack_file(each) for each in side.project.stacks()}
    return file not in others and program.decide(file, side.configuration(stack))


def _notes(repository: Repository, base: str, commit: str, after: _Side, changed: tuple[str, ...]) -> Iterator[str]:
    """What a reader of the report must know of its base."""
    if repository.commit(base) != commit:
        yield (
            f"{base} has commits that this change lacks: it is compared with, and judged by, their last common commit "
            f"{commit[:12]}."
        )
    packages = after.program().packages(changed)
    if packages:
        yield f"{', '.join(packages)} changed: both sides are rehearsed with the packages that are installed now."
