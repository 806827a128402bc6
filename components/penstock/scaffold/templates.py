"""The templates of a repository: which there are, and what they render to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, StrictUndefined

_TEMPLATES: Final = Path(__file__).parent / "templates"
_HIDDEN: Final = "dot_"
_SUFFIX: Final = ".jinja"

PROJECT: Final = _TEMPLATES / "project"
"""The templates of every repository."""


def ci_systems() -> tuple[str, ...]:
    """Return the names of the CI systems that have templates, sorted."""
    return tuple(sorted(folder.name for folder in (_TEMPLATES / "ci").glob("*") if folder.is_dir()))


def ci_templates(system: str) -> Path:
    """Return the folder of the templates of a CI system."""
    return _TEMPLATES / "ci" / system


def rendered(folder: Path, variables: Mapping[str, Any]) -> dict[Path, str]:
    """Return the files of a folder of templates, by their relative paths, sorted.

    Args:
        folder: the folder, such as `PROJECT`.
        variables: what templates may name; the package lists them.
    """
    jinja = Environment(
        variable_start_string="[[",
        variable_end_string="]]",
        block_start_string="[%",
        block_end_string="%]",
        comment_start_string="[#",
        comment_end_string="#]",
        autoescape=False,  # noqa: S701 the files are no HTML
        keep_trailing_newline=True,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    files = {}
    for template in sorted(each for each in folder.rglob("*") if each.is_file()):
        text = jinja.from_string(template.read_text(encoding="utf-8")).render(variables)
        if text.strip():
            path = jinja.from_string(template.relative_to(folder).as_posix()).render(variables)
            files[_target(path)] = text
    return files


def _target(path: str) -> Path:
    parts = Path(path.removesuffix(_SUFFIX)).parts
    return Path(*(f".{part.removeprefix(_HIDDEN)}" if part.startswith(_HIDDEN) else part for part in parts))
