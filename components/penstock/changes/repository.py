"""The git repository of a project: its revisions, the files that a change touches, and copies of earlier revisions."""

from __future__ import annotations

import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from penstock.core.errors import NoSuchRevision
from penstock.simulate.temporary import temporary_folder


@dataclass(frozen=True, slots=True)
class Repository:
    """A git repository with a work tree; `top` is its folder. Files are paths from there."""

    top: Path

    def commit(self, revision: str) -> str:
        """Return the commit that a revision names, as its hash.

        Raises:
            NoSuchRevision: git knows no such revision.
        """
        commit = f"{revision}^{{commit}}"
        try:
            return _git(self.top, "rev-parse", "--verify", "--quiet", "--end-of-options", commit).decode().strip()
        except NoSuchRevision:
            raise NoSuchRevision(f"git knows no revision {revision!r}{self._if_shallow()}") from None

    def merge_base(self, revision: str) -> str:
        """Return the commit at which the work tree has left a revision, as its hash.

        Raises:
            NoSuchRevision: git knows no such revision, or none of its commits is known to be shared.
        """
        commit = self.commit(revision)
        try:
            return _git(self.top, "merge-base", commit, "HEAD").decode().strip()
        except NoSuchRevision:
            raise NoSuchRevision(f"HEAD and {revision} share no commit{self._if_shallow()}") from None

    def changed_files(self, commit: str) -> tuple[str, ...]:
        """The files of the work tree that differ from those of a commit; new ones count unless git ignores them."""
        tracked = _git(self.top, "diff", "--name-only", "--no-renames", "-z", commit, "--")
        return tuple(sorted({*_names(tracked), *_names(_git(self.top, *_UNTRACKED))}))

    def files(self) -> tuple[str, ...]:
        """The files of the work tree, without those that git ignores."""
        listed = {*_names(_git(self.top, "ls-files", "-z")), *_names(_git(self.top, *_UNTRACKED))}
        return tuple(sorted(name for name in listed if (self.top / name).is_file()))

    @property
    def head(self) -> str:
        """The commit of the work tree as its hash, with `-dirty` if a file of it was edited since."""
        commit = self.commit("HEAD")
        return f"{commit}-dirty" if _git(self.top, "diff", "--name-only", commit, "--") else commit

    @contextmanager
    def checkout(self, revision: str) -> Iterator[Path]:
        """The files of a revision in a folder of their own, which is gone afterwards."""
        with temporary_folder() as folder:
            with tarfile.open(fileobj=BytesIO(_git(self.top, "archive", "--format=tar", revision))) as archive:
                archive.extractall(folder, [each for each in archive if _stays_inside(each, folder)], filter="data")
            yield Path(folder).resolve()

    def _if_shallow(self) -> str:
        if _git(self.top, "rev-parse", "--is-shallow-repository").decode().strip() != "true":
            return ""
        return (
            ": this clone is shallow and lacks earlier commits. Run `git fetch --unshallow`, or set `fetch-depth: 0` "
            "in the checkout step of a GitHub workflow and `GIT_DEPTH: 0` in GitLab CI"
        )


_UNTRACKED = ("ls-files", "--others", "--exclude-standard", "-z")


def repository_at(folder: Path) -> Repository:
    """Return the repository that a folder belongs to.

    Raises:
        NoSuchRevision: there is none, or no git.
    """
    return Repository(Path(_git(folder, "rev-parse", "--show-toplevel").decode().strip()))


def _stays_inside(member: tarfile.TarInfo, folder: str) -> bool:
    """Return whether a file of the revision is no link that leads out: what such a link leads to has no revision."""
    try:
        tarfile.data_filter(member, folder)
    except (tarfile.AbsoluteLinkError, tarfile.LinkOutsideDestinationError):
        return False
    return True


def _names(output: bytes) -> Iterator[str]:
    """The names in a list that ends each with a zero byte; one that is no UTF-8 is as Python decodes file names."""
    yield from (name for name in output.decode(errors="surrogateescape").split("\0") if name)


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=True)  # noqa: S603, S607
    except FileNotFoundError:
        raise NoSuchRevision("git is needed to compare with a revision, and is not installed") from None
    except subprocess.CalledProcessError as failed:
        said = failed.stderr.decode(errors="replace").strip().splitlines()
        raise NoSuchRevision(f"git in {folder.name}: {said[-1] if said else 'failed'}") from None
    return done.stdout
