"""The command `penstock init`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from penstock.core.findings import Finding
    from penstock.scaffold.repository import NewRepository


_COMMON: Final = "h100"
"""The accelerator that most clouds offer."""


def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write; created if absent.")] = Path(),
    *,
    cloud: Annotated[str | None, typer.Option(metavar="aws|gcp|azure|kubernetes", help="The cloud.")] = None,
    accelerator: Annotated[
        str | None, typer.Option(metavar="h100", help="The accelerator of the first node pool.")
    ] = None,
    ci: Annotated[
        str | None, typer.Option(metavar="github|gitlab|jenkins", help="The CI system; default: none.")
    ] = None,
    region: Annotated[
        str | None, typer.Option(metavar="us-east-1", help="The region; by default one that sells the accelerator.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="The name of the project; by default that of the folder.")] = None,
    stack: Annotated[str, typer.Option(help="The name of the first stack.")] = "dev",
) -> None:
    """Write a new repository that rehearses clean, or add a stack to a Pulumi project in Python."""
    from penstock.app.init import plan_repository

    options = {"cloud": cloud, "accelerator": accelerator, "ci": ci, "region": region, "name": name, "stack": stack}
    given = {option: value for option, value in options.items() if value is not None}
    if sys.stdin.isatty() and sys.stderr.isatty():
        _ask(given)
    repository = plan_repository(given, folder)
    repository.write()
    sys.stdout.write(_summary(repository, folder, stack))


def _ask(given: dict[str, str]) -> None:
    """Ask for what is not given."""
    from penstock.scaffold import cloud_scaffold, request, templates

    clouds = cloud_scaffold.clouds()
    systems = (request.NO_CI, *templates.ci_systems())
    if "cloud" not in given:
        given["cloud"] = _answer("Cloud", clouds, clouds[0], request.cloud_problem)
    if "accelerator" not in given and (cloud := given["cloud"]) in clouds:
        known = cloud_scaffold.accelerators(cloud)
        default = _COMMON if _COMMON in known else known[0]
        given["accelerator"] = _answer(
            "Accelerator", known, default, lambda accelerator: request.accelerator_problem(accelerator, cloud)
        )
    if "ci" not in given and len(systems) > 1:
        given["ci"] = _answer("CI system", systems, request.NO_CI, request.ci_problem)


def _answer(question: str, known: tuple[str, ...], default: str, problem: Callable[[str], Finding | None]) -> str:
    """Ask until the answer is valid."""
    typer.echo(f"{question}: {', '.join(known)}", err=True)
    while True:
        answer: str = typer.prompt(question, default=default, err=True)
        found = problem(answer.strip())
        if found is None:
            return answer.strip()
        typer.echo(f"{found.message} {found.hint}", err=True)


def _summary(repository: NewRepository, folder: Path, stack: str) -> str:
    """What was written, what was left, and the next commands."""
    from penstock.app.init import next_commands

    stack_file = repository.stack_file
    lines = [f"Wrote in {folder}:" if folder != Path() else "Wrote:"]
    lines += [f"  {path.as_posix()}" for path in repository.files]
    if repository.kept:
        lines.append(f"Left as it is: {', '.join(path.as_posix() for path in repository.kept)}")
    if repository.project is not None and Path("__main__.py") not in repository.files:
        lines.append("To build the platform, add to the program: from penstock.platform import deploy; deploy()")
    lines += _about_requirement(repository)
    if not repository.in_git:
        lines.append(
            "This is not a git repository. Run `git init`: `penstock diff` and `penstock review` compare commits."
        )
    lines += [
        "",
        "Next:",
        *(f"  {command}" for command in next_commands(repository, folder, stack)),
        "",
        f"Then replace the examples in {stack_file}, marked CHANGE, and run `pulumi up -s {stack}`.",
    ]
    return "\n".join(lines) + "\n"


def _about_requirement(repository: NewRepository) -> Iterator[str]:
    """What to do about the requirements by hand."""
    from penstock.scaffold.requirement import WHEEL

    required, wheel = repository.requirement, repository.root / WHEEL
    if required is not None and repository.project is not None:
        yield f"Add to the requirements of the project: {required.line}"
    if required is not None and required.in_vendor and not wheel.exists():
        yield (
            f"Missing: {WHEEL.as_posix()}. This Penstock was not installed from a wheel or a package index. Build the "
            f"wheel in its clone: python -m pip wheel --no-deps --wheel-dir {wheel.parent.absolute()} ."
        )
