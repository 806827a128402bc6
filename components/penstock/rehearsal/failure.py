"""Tells in words why a program failed: its own error, with the line that led to it and what would mend it."""

from __future__ import annotations

import traceback
from importlib.metadata import packages_distributions, version
from pathlib import Path


def told(error: Exception, root: Path) -> str:
    """What a person needs to know of an error in the program of the project at `root`."""
    message = _missing(error, root) if isinstance(error, ModuleNotFoundError) and error.name else _said(error)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(root) and "site-packages" not in path.parts:
            return f"{path.relative_to(root)}:{frame.lineno}\n  {message}"
    return message


def _said(error: Exception) -> str:
    said = (
        str(error)
        .replace("The Pulumi CLI does not", "A rehearsal does not")
        .replace(" Please update the Pulumi CLI.", "")
    )
    return f"the program failed: {type(error).__name__}: {said}"


def _missing(error: ModuleNotFoundError, root: Path) -> str:
    """A program's packages are seen when they are installed beside Penstock, or in the project's own environment."""
    module = error.name or ""
    package, _, rest = module.partition(".")
    installed = packages_distributions().get(package)
    if installed and rest:
        return f"the program imports {module}, which {installed[0]} {version(installed[0])} does not have"
    listed = next((name for name in ("requirements.txt", "pyproject.toml") if (root / name).is_file()), None)
    hint = (
        f"all that it needs stands in {listed}" if listed else f"such as by `pip install {package.replace('_', '-')}`"
    )
    return (
        f"the program imports {module}, which is not installed. Install it beside Penstock, or in the project's own "
        f"virtual environment with the same version of Python; {hint}."
    )
