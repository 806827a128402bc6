"""Describes why a program failed: its own error, with the line that led to it and what would fix it."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from penstock.errors import ProgramFailed
from penstock.rehearsal.redaction import Redaction
from penstock.resources.graph import SourceLocation
from penstock.spec.block import SpecBlock

_OURS: Final = Path(__file__).parent


def program_failed(error: BaseException, root: Path, redaction: Redaction) -> ProgramFailed:
    """Return an error of the program of the project at `root` as a person needs it: its line and text, no secrets.

    Its cause is the program's own error, but where that would show what is left out here, such as in pytest's report.
    """
    failed = _failed(error, root, redaction)
    whole = "".join(traceback.format_exception(error))
    failed.__cause__ = error if redaction.of(whole) == whole else None
    return failed


def _failed(error: BaseException, root: Path, redaction: Redaction) -> ProgramFailed:
    if isinstance(error, SystemExit):
        ended = f"with status {error.code}" if isinstance(error.code, int) else f"and says: {error.code}"
        return ProgramFailed(redaction.of(f"the program ended itself {ended}"))
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_relative_to(root):
        file = str(Path(error.filename).relative_to(root))
        return ProgramFailed(redaction.of(f"the program is not valid Python: {error.msg}"), file, error.lineno)
    message = _missing(error, root) if isinstance(error, ModuleNotFoundError) and error.name else _said(error)
    message = redaction.of(message)
    stack = reversed(traceback.extract_tb(error.__traceback__))
    place = innermost(((frame.filename, frame.lineno or 0) for frame in stack), root)
    return ProgramFailed(message, place.file, place.line) if place is not None else ProgramFailed(message)


def innermost(frames: Iterable[tuple[str, int]], root: Path) -> SourceLocation | None:
    """The first of the frames (files and lines, the innermost first) that is of the project at `root`."""
    for file, line in frames:
        path = Path(file)
        # In a clone of Penstock, its own functions lie below the root, too.
        if path.is_relative_to(root) and "site-packages" not in path.parts and not path.is_relative_to(_OURS):
            return SourceLocation(str(path.relative_to(root)), line)
    return None


def _said(error: BaseException) -> str:
    if isinstance(error, BaseExceptionGroup):
        return "\n  ".join(_said(each) for each in error.exceptions)
    if isinstance(error, ValidationError) and (model := _spec_of(error)):
        from penstock.spec import type_mismatches  # only a mistake needs it

        return f"the program failed: {type_mismatches.described(error, model)}"
    said = (
        _text_of(error)
        .replace("The Pulumi CLI does not", "A rehearsal does not")
        .replace(" Please update the Pulumi CLI.", "")
    )
    return f"the program failed: {type(error).__name__}: {said}"


def _text_of(error: BaseException) -> str:
    """The text of an error; a class of the program's own may fail to make one."""
    try:
        return str(error)
    except Exception as another:  # noqa: BLE001 whatever the program does
        return f"(without a text: {type(another).__name__} in its __str__)"


def _spec_of(error: ValidationError) -> type[SpecBlock] | None:
    """The block of a description that the program built with wrong arguments; None for models of the program."""
    waiting = [SpecBlock]
    while waiting:
        block = waiting.pop()
        if block.__name__ == error.title:
            return block
        waiting += block.__subclasses__()
    return None


def _missing(error: ModuleNotFoundError, root: Path) -> str:
    """A program's packages are seen when they are installed beside Penstock, or in the project's own environment."""
    module = error.name or ""
    package, _, rest = module.partition(".")
    installed = packages_distributions().get(package)
    if installed and rest:
        return f"the program imports {module}, which {installed[0]} {version(installed[0])} does not have"
    listed = next((name for name in ("requirements.txt", "pyproject.toml") if (root / name).is_file()), None)
    hint = (
        f"{listed} lists all that the program needs"
        if listed
        else f"such as by `pip install {package.replace('_', '-')}`"
    )
    return (
        f"the program imports {module}, which is not installed. Install it beside Penstock, or in the project's own "
        f"virtual environment with the same version of Python; {hint}."
    )
