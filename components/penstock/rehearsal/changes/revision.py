"""A project as it is at a revision in git: what a change is compared with."""

from __future__ import annotations

import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from penstock.errors import NoSuchRevision, NotAProject, PenstockError
from penstock.rehearsal.environment import Environment, find_environment
from penstock.rehearsal.run import Rehearsal
from penstock.rehearsal.temporary import temporary_folder


def rehearsal_at(revision: str, environment: Environment) -> Rehearsal:
    """Return the rehearsal of the stack at another revision: of its program there, with its configuration there.

    Raises:
        NoSuchRevision: as `environment_at`, or the program there cannot be rehearsed.
    """
    with environment_at(revision, environment) as there:
        return there.rehearse()


@contextmanager
def environment_at(revision: str, environment: Environment) -> Iterator[Environment]:
    """The same stack at another revision, in a folder of its own that is gone afterwards.

    The program there runs with the Python and the packages of this one. What it raises is reported as of that revision.

    Raises:
        NoSuchRevision: there is no git repository, or no such revision in it, or no such stack in that.
    """
    root = environment.project.root
    top = Path(_git(root, "rev-parse", "--show-toplevel").decode().strip())
    _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", revision=revision)
    with temporary_folder() as folder:
        with tarfile.open(fileobj=BytesIO(_git(top, "archive", "--format=tar", revision))) as archive:
            archive.extractall(folder, [each for each in archive if _stays_inside(each, folder)], filter="data")
        there = Path(folder).resolve() / root.relative_to(top)
        try:
            there_now = _stack_at(there, environment.stack, revision)
            yield replace(there_now, stack_outputs=environment.stack_outputs, home=environment.project)
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


def _stack_at(root: Path, stack: str, revision: str) -> Environment:
    try:
        found = find_environment(str(root), stack) if root.is_dir() else None
    except NotAProject as error:
        raise NoSuchRevision(f"at {revision}: {str(error).replace(str(root), 'the folder of the project')}") from None
    if found is None or found.project.root != root:
        raise NoSuchRevision(f"at {revision} there is no such project yet")
    return found


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
