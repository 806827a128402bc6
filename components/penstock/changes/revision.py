"""A project at a revision in git: the baseline of a change."""

from __future__ import annotations

import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from penstock.core.errors import NoSuchRevision, PenstockError
from penstock.graph.graph import Graph
from penstock.rules import registry
from penstock.rules.rule import Rule
from penstock.rules.settings import Settings
from penstock.secrets.redaction import Redaction
from penstock.simulate.environment import Environment, find_environment
from penstock.simulate.project import has_project, project_at
from penstock.simulate.temporary import temporary_folder


@dataclass(frozen=True, slots=True)
class Baseline:
    """A stack before a change: its resources and secrets, and the settings and custom rules that judged it.

    `settings` is None where they are not known: a state has none. `note` says why the stack is empty.
    """

    graph: Graph
    redaction: Redaction
    settings: Settings | None = None
    rules: tuple[Rule, ...] = ()
    note: str = ""


def baseline_at(revision: str, environment: Environment) -> Baseline:
    """Return the stack at another revision, by a rehearsal of its program there with its configuration there.

    A stack that the revision does not have is empty, and the default settings judge it.

    Raises:
        NoSuchRevision: as `environment_at`, or the program there cannot be rehearsed.
    """
    own = registry.custom_rules()
    try:
        with environment_at(revision, environment) as there:
            if there is None:
                settings = Settings(environment=environment.policies.environment)
                empty = Graph(environment.project.name, environment.stack, {}, {})
                return Baseline(
                    empty, Redaction({}, ()), settings, note=f"{revision} has no stack {environment.stack}: all is new."
                )
            rehearsal = there.rehearse()
            return Baseline(rehearsal.graph, rehearsal.redaction, there.policies, registry.custom_rules())
    finally:
        registry.use_custom_rules(own)


@contextmanager
def environment_at(revision: str, environment: Environment) -> Iterator[Environment | None]:
    """The same stack at another revision, in a folder of its own that is gone afterwards; None if it has none.

    The program there runs with the Python and the packages of this one. What it raises is reported as of that revision.

    Raises:
        NoSuchRevision: there is no git repository, or no such revision in it.
    """
    root = environment.project.root
    top = Path(_git(root, "rev-parse", "--show-toplevel").decode().strip())
    _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", revision=revision)
    with temporary_folder() as folder:
        with tarfile.open(fileobj=BytesIO(_git(top, "archive", "--format=tar", revision))) as archive:
            archive.extractall(folder, [each for each in archive if _stays_inside(each, folder)], filter="data")
        there = Path(folder).resolve() / root.relative_to(top)
        try:
            stack = environment.stack
            found = find_environment(str(there), stack) if _has_stack(there, environment) else None
            if found is not None and not found.project.file.is_file():  # else named after the temporary folder
                found = replace(found, project=replace(found.project, name=environment.project.name))
            yield found and replace(found, stack_outputs=environment.stack_outputs, home=environment.project)
        except NoSuchRevision:
            raise
        except PenstockError as error:
            raise NoSuchRevision(f"at {revision}: {str(error).replace(f'{there}/', '')}") from error


def _stays_inside(member: tarfile.TarInfo, folder: str) -> bool:
    """Return whether a file of the revision is no link that leads out: what such a link leads to has no revision."""
    try:
        tarfile.data_filter(member, folder)
    except (tarfile.AbsoluteLinkError, tarfile.LinkOutsideDestinationError):
        return False
    return True


def _has_stack(root: Path, environment: Environment) -> bool:
    """Return whether the revision has the project and the stack; one that has no file now needs none there."""
    if not has_project(root):
        return False
    stacks = project_at(root).stacks()
    return environment.stack in stacks or (not stacks and environment.stack not in environment.project.stacks())


def _git(folder: Path, *arguments: str, revision: str | None = None) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=True)  # noqa: S603, S607
    except FileNotFoundError:
        raise NoSuchRevision("git is needed to compare with a revision, and is not installed") from None
    except subprocess.CalledProcessError as failed:
        if revision is not None:
            raise NoSuchRevision(f"git knows no revision {revision!r}") from None
        said = failed.stderr.decode(errors="replace").strip().splitlines()
        raise NoSuchRevision(f"git in {folder.name}: {said[-1] if said else 'failed'}") from None
    return done.stdout
