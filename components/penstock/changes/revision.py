"""A stack at a revision in git: the baseline of a change, and the settings that judged it there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from penstock.changes.repository import repository_at
from penstock.core.errors import InvalidDescription, NoSuchRevision, PenstockError
from penstock.description import document, policies
from penstock.graph.graph import Graph
from penstock.preconditions import Precondition
from penstock.rules import registry
from penstock.rules.custom import load_custom_rules
from penstock.rules.rule import Rule
from penstock.rules.settings import KEY, Settings, own
from penstock.secrets.redaction import Redaction
from penstock.simulate.environment import Environment, find_environment
from penstock.simulate.project import PulumiProject, as_typed, config_of, has_project, project_at

_BINDING: Final = ("packs", "frameworks")
"""Settings that decide which others are valid."""


@dataclass(frozen=True, slots=True)
class Judges:
    """The settings and custom rules that judge a stack at a revision."""

    settings: Settings
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Baseline:
    """A stack before a change: its resources and secrets, what it needed, and what judged it.

    `judges` is None where they are not known: a state has none. `note` says why the stack is empty.
    """

    graph: Graph
    redaction: Redaction
    judges: Judges | None = None
    preconditions: tuple[Precondition, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Revision:
    """A project as it was at a revision, whose files are in a folder: the name is for people."""

    name: str
    root: Path

    def has(self, stack: str, *, or_none: bool = False) -> bool:
        """Return whether the project has the stack there; `or_none` also accepts a project without stack files."""
        if not has_project(self.root):
            return False
        stacks = project_at(self.root).stacks()
        return stack in stacks or (or_none and not stacks)

    def environment(self, stack: str, *, home: PulumiProject) -> Environment:
        """Return a stack of the project there, whose program runs with the Python of its `home`, the project now."""
        found = find_environment(str(self.root), stack)
        if not found.project.file.is_file():  # else it is named after the temporary folder
            found = replace(found, project=replace(found.project, name=home.name))
        file = str(as_typed(home.stack_file(stack)))
        return replace(found, home=home, policies=found.policies.written_in(file))


@contextmanager
def revision_at(name: str, root: Path, commit: str | None = None) -> Iterator[Revision]:
    """The project of a folder as it was at a revision, in a folder of its own that is gone afterwards.

    `commit` is taken instead of the revision of that name, where it is known already.

    Raises:
        NoSuchRevision: there is no git repository, or no such revision in it.
    """
    repository = repository_at(root)
    with repository.checkout(commit or repository.commit(name)) as folder:
        yield Revision(name, folder / root.relative_to(repository.top))


def baseline_at(revision: str, environment: Environment) -> Baseline:
    """Return the stack at another revision, as `baseline_in`.

    Raises:
        NoSuchRevision: there is no git repository or no such revision, or as `baseline_in`.
    """
    with revision_at(revision, environment.project.root) as there:
        return baseline_in(there, environment)


def baseline_in(revision: Revision, environment: Environment) -> Baseline:
    """Return the stack at another revision, by a rehearsal of its program there with its configuration there.

    A stack that the revision does not have is empty. The program there runs with the Python and the packages of this
    one. What it raises is reported as of that revision.

    Raises:
        NoSuchRevision: the program there cannot be rehearsed.
    """
    with _own_rules_kept(), _as_of(revision):
        there = environment_in(revision, environment)
        if there is None:
            empty = Graph(environment.project.name, environment.stack, {}, {})
            note = f"{revision.name} has no stack {environment.stack}: all is new."
            return Baseline(empty, Redaction({}, ()), _of_new_stack(revision, environment), note=note)
        rehearsal = there.rehearse()
        judges = Judges(there.policies, registry.custom_rules())
        return Baseline(rehearsal.graph, rehearsal.redaction, judges, rehearsal.preconditions)


def judges_in(revision: Revision, environment: Environment) -> Judges:
    """Return what judges a stack by the settings and custom rules of a revision.

    Raises:
        NoSuchRevision: the stack has no valid configuration there.
    """
    with _own_rules_kept(), _as_of(revision):
        there = environment_in(revision, environment)
        if there is None:
            return _of_new_stack(revision, environment)
        return Judges(there.policies, registry.custom_rules())


def readable_judges_in(revision: Revision, environment: Environment) -> Judges:
    """Return what judges a stack whose configuration at a revision is invalid.

    Each setting that is valid there counts; the others have their defaults. The stack's own settings and waivers never
    count, because a change could then repair its base and loosen its judge at once.
    """
    with _own_rules_kept():
        load_custom_rules(as_typed(revision.root))
        config = _readable_config(revision, environment.stack)
        described = next(filter(_are_valid, _descriptions(config, environment)), {})
        return Judges(policies.judged(_valid_settings(config, described)), registry.custom_rules())


def environment_in(revision: Revision, environment: Environment) -> Environment | None:
    """Return the same stack at another revision, whose custom rules are then registered; None if it has none."""
    none_now = environment.stack not in environment.project.stacks()
    if not revision.has(environment.stack, or_none=none_now):
        return None
    found = revision.environment(environment.stack, home=environment.project)
    return replace(found, stack_outputs=environment.stack_outputs)


def _of_new_stack(revision: Revision, environment: Environment) -> Judges:
    """What judges a stack that a revision lacks: the project's settings there, and what its own description adds.

    Its own waivers and settings do not count: they come with the change.
    """
    config: dict[str, str] = {}
    if has_project(revision.root):
        project = project_at(revision.root)
        load_custom_rules(as_typed(project.root))
        defaults = config_of(project, environment.stack).values
        config = {key: defaults[key] for key in (KEY,) if key in defaults}
    else:
        registry.use_custom_rules(())
    settings = policies.judged({**config, **_without_waivers(environment)})
    return Judges(settings, registry.custom_rules())


def _without_waivers(environment: Environment) -> dict[str, str]:
    """The configuration that is a stack's own description, without its waivers."""
    described = environment.config.values.get(document.KEY)
    if described is None:
        return {}
    description = json.loads(described)
    return {document.KEY: json.dumps({key: value for key, value in description.items() if key != "waivers"})}


def _readable_config(revision: Revision, stack: str) -> Mapping[str, str]:
    """The configuration of a stack at a revision; empty if its files cannot be read."""
    with suppress(PenstockError):
        return config_of(project_at(revision.root), stack).values
    return {}


def _descriptions(config: Mapping[str, str], environment: Environment) -> Iterator[dict[str, str]]:
    """Yield the description there, and that of the stack, which can only add to the default settings."""
    if document.KEY in config:
        yield {document.KEY: config[document.KEY]}
    yield _without_waivers(environment)


def _valid_settings(config: Mapping[str, str], described: Mapping[str, str]) -> dict[str, str]:
    """The configuration with each setting that is valid beside the description and those before it."""
    block, found = own(config), dict(described)
    valid: dict[str, object] = {}
    for key in sorted(block, key=lambda key: key not in _BINDING) if isinstance(block, Mapping) else ():
        candidate = {**described, KEY: json.dumps({**valid, key: block[key]})}
        if _are_valid(candidate):
            valid[key], found = block[key], candidate
    return found


def _are_valid(config: Mapping[str, str]) -> bool:
    try:
        policies.judged(config)
    except InvalidDescription:
        return False
    return True


@contextmanager
def _own_rules_kept() -> Iterator[None]:
    own = registry.custom_rules()
    try:
        yield
    finally:
        registry.use_custom_rules(own)


@contextmanager
def _as_of(revision: Revision) -> Iterator[None]:
    """Report every error as one of the revision, without the folder that its files are in."""
    try:
        yield
    except PenstockError as error:
        raise NoSuchRevision(f"at {revision.name}: {str(error).replace(f'{revision.root}/', '')}") from error
