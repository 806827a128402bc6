"""A new repository: which files it gets, and that they are written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path
from typing import Any, Final

from penstock import __version__, description
from penstock.core.distribution import DISTRIBUTION
from penstock.core.errors import InvalidDescription, NotAProject, Unwritable
from penstock.core.wording import listed
from penstock.description import document
from penstock.scaffold.cloud_scaffold import scaffold_of
from penstock.scaffold.description import parts_of
from penstock.scaffold.request import InitRequest, problem
from penstock.scaffold.requirement import WHEEL, Requirement, requirement
from penstock.scaffold.templates import PROJECT, ci_templates, rendered
from penstock.simulate.program import exists
from penstock.simulate.project import PYTHON, PulumiProject, in_another_language, project_at, project_file

_PYTHON: Final = "3.12"
_HARMLESS: Final = ("readme", "license", "licence", "copying", "notice", "venv", "env")
"""What a repository has before it has a project: beginnings of names, lower case. So do hidden files."""
_SHARED: Final = (Path(".gitignore"), Path(".github/CODEOWNERS"), WHEEL)
"""Files that a repository may have already, and keeps."""
_MOST_NAMES: Final = 3


@dataclass(frozen=True, slots=True)
class NewRepository:
    """The files to write into a folder, by their relative paths, and those of the folder that stay as they are."""

    root: Path
    cloud: str
    stack_file: Path
    files: Mapping[Path, bytes]
    kept: tuple[Path, ...]
    requirement: Requirement | None
    """What the repository requires; None if its project requires Penstock already."""
    project: PulumiProject | None
    """The existing project that they are added to."""

    @property
    def in_git(self) -> bool:
        """Whether the folder is in a git repository."""
        whole = self.root.absolute()
        return any((folder / ".git").exists() for folder in (whole, *whole.parents))

    def write(self) -> None:
        """Write the files: all of them, or none.

        Raises:
            Unwritable: one cannot be written.
        """
        done: list[Path] = []
        try:
            for path, content in self.files.items():
                file = self.root / path
                for folder in reversed([each for each in file.parents if not each.exists()]):
                    folder.mkdir()
                    done.append(folder)
                with file.open("xb") as opened:
                    done.append(file)
                    opened.write(content)
        except BaseException as error:
            _remove(done)
            if not isinstance(error, OSError):
                raise
            where = error.filename or self.root
            raise Unwritable(f"{where} cannot be written: {(error.strerror or 'unknown error').lower()}") from None


def new_repository(request: InitRequest, root: Path) -> NewRepository:
    """Return the files of a new repository in a folder, or those that an existing project in it lacks.

    Raises:
        NotAProject: the folder has other files, or a project that is not in Python.
        Unwritable: the folder has a file that would be written.
        InvalidDescription: Penstock cannot build the platform of the request.
    """
    if lexists(root) and not root.is_dir():
        raise NotAProject(f"{root} is not a folder")
    project = project_at(root) if project_file(root) is not None else None
    if project is None and (others := sorted(_others(root))):
        raise NotAProject(
            f"{root} is not empty: it has {listed(others, _MOST_NAMES)}. Name a new folder, such as "
            "`penstock init platform`, or one with a Pulumi project"
        )
    if project is not None and project.runtime != PYTHON:
        raise in_another_language(project)
    penstock = requirement(*_extras(request.cloud))
    variables = {**_variables(request), "requirement": penstock.line}
    files = rendered(PROJECT, variables)
    stack_file = Path(f"Pulumi.{request.stack}.yaml")
    _check(files[stack_file], request)
    if project is not None:
        files, stack_file = _missing(files, stack_file, project, root.resolve())
    if request.ci is not None:
        files |= rendered(ci_templates(request.ci), variables)
    new_requirement = penstock if project is None or not _requires_penstock(root) else None
    contents = {path: text.encode() for path, text in files.items()}
    if new_requirement is not None and new_requirement.wheel is not None:
        contents[WHEEL] = new_requirement.wheel
    there = [path for path in contents if lexists(root / path)]
    in_the_way = [path for path in there if path not in _SHARED]
    if in_the_way:
        again = " Choose another --stack." if stack_file in in_the_way else ""
        raise Unwritable(f"{listed(in_the_way)} exists in {root}, and is not overwritten.{again}")
    kept = there if project is None else sorted(path.relative_to(root) for path in root.iterdir() if path.is_file())
    return NewRepository(
        root,
        request.cloud,
        stack_file,
        {path: content for path, content in contents.items() if path not in there},
        tuple(kept),
        new_requirement,
        project,
    )


def _variables(request: InitRequest) -> dict[str, Any]:
    parts = parts_of(request)
    return {
        **parts,
        "project": request.project,
        "stack": request.stack,
        "cloud": request.cloud,
        "accelerator": request.accelerator,
        "region": request.region or "",
        "penstock": __version__,
        "python": _PYTHON,
    }


def _extras(cloud: str) -> tuple[str, ...]:
    """Return the extras that a repository needs: the SDKs, and what preflight asks a cloud's account with."""
    return (cloud,) if scaffold_of(cloud).region is None else (cloud, f"preflight-{cloud}")


def _requires_penstock(root: Path) -> bool:
    """Return whether the requirements of an existing project name Penstock, from an index or as a wheel."""
    file = root / "requirements.txt"
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    return DISTRIBUTION in text.lower().replace("_", "-")


def _check(text: str, request: InitRequest) -> None:
    """Refuse a platform that Penstock cannot build: the accelerator is what it depends on."""
    read = document.read_text(text, f"Pulumi.{request.stack}.yaml")
    try:
        description.parse(read.description if read is not None else {})
    except InvalidDescription as invalid:
        what = (
            f"A pool of {request.accelerator} cannot be built {f'in {request.region}' if request.region else 'there'}"
        )
        raise InvalidDescription(
            [problem("accelerator", f"{what}: {each.message}", each.hint) for each in invalid.findings]
        ) from None


def _missing(
    files: Mapping[Path, str], stack_file: Path, project: PulumiProject, root: Path
) -> tuple[dict[Path, str], Path]:
    """Return the files that an existing project lacks, and the place of its new stack file."""
    home = project.stack_folder.resolve()
    placed = home.relative_to(root) / stack_file if home.is_relative_to(root) else home / stack_file
    found = {placed: files[stack_file]}
    if not exists(project.program) and project.program.is_relative_to(root):
        found[project.program.relative_to(root) / "__main__.py"] = files[Path("__main__.py")]
    return found, placed


def _others(root: Path) -> Iterator[str]:
    """Yield the names in a folder that make it more than a place for a new repository."""
    for path in root.iterdir() if root.is_dir() else ():
        if not path.name.startswith(".") and not path.name.lower().startswith(_HARMLESS):
            yield path.name


def _remove(paths: Iterable[Path]) -> None:
    for path in reversed([*paths]):
        with suppress(OSError):
            path.rmdir() if path.is_dir() else path.unlink()
