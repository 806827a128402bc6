"""A new repository: planned, written, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from penstock.providers import provider_named
from penstock.scaffold.repository import NewRepository, new_repository
from penstock.scaffold.request import request_of
from penstock.simulate.project import project_name


def plan_repository(options: Mapping[str, str], folder: Path) -> NewRepository:
    """Return the files of a new repository, or those that are added to an existing project.

    Args:
        options: the choices, as `penstock.scaffold.request.request_of` takes them.
        folder: where to write.

    Raises:
        InvalidDescription: options are wrong; carries every problem.
        NotAProject: the folder has other files, or a project that is not in Python.
        Unwritable: the folder has a file that would be written.
    """
    return new_repository(request_of(options, project=project_name(folder.resolve())), folder)


def next_commands(repository: NewRepository, folder: Path, stack: str) -> Sequence[str]:
    """Return what to run next."""
    providers = filter(None, map(provider_named, ("kubernetes", repository.cloud)))
    needed = ("pytest", *(provider.sdk for provider in providers))
    is_complete = all(find_spec(module) is not None for module in needed)
    cd = [f"cd {folder}"] if folder.resolve() != Path.cwd() else []
    install = [] if is_complete or repository.project is not None else ["pip install -r requirements.txt"]
    tests = ["python -m pytest"] if repository.project is None else []
    return [*cd, *install, f"penstock rehearse {stack}", *tests]
