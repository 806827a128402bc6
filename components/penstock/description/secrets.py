"""Takes secrets out of a description before anything else looks at it, so that no message can repeat one.

The forms are those that the issuers document (`secrets.forms`); a value under a key such as `password` counts
whatever its form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.description.codes import Code
from penstock.description.positions import DEEPEST, Path
from penstock.description.problems import Coded, Problem
from penstock.secrets import forms
from penstock.secrets.forms import HIDDEN

_HINT = (
    "Name the secret under addons.secrets.names and put its value into the store. "
    "One that was committed has been read: replace it."
)


def hidden(text: str) -> str:
    """The text without what looks like a secret."""
    for each in forms.possible(text):
        text = each.form.sub(HIDDEN, text)
    return text


def removed(data: Any) -> tuple[Any, list[Coded]]:
    """A copy of plain data without secrets, and a problem for each that was there, in clear or encrypted by Pulumi."""
    problems: list[Coded] = []
    return _copy(data, (), problems), problems


def _copy(value: Any, path: Path, problems: list[Coded]) -> Any:
    if len(path) > DEEPEST:
        message = f"Blocks and lists are nested more than {DEEPEST} levels deep."
        problems.append((Code.TOO_COMPLEX, Problem(path[:1], message)))
        return {}
    if isinstance(value, Mapping):
        if list(value) == ["secure"] and isinstance(value["secure"], str):
            problem = Problem(path, "No field of the description takes an encrypted value.", _HINT)
            problems.append((Code.SECRET, problem))
            return HIDDEN
        return {key: _entry(key, item, path, problems) for key, item in _safe_keys(value, path, problems).items()}
    if isinstance(value, list | tuple):
        return [_copy(item, (*path, index), problems) for index, item in enumerate(value)]
    if isinstance(value, str) and (kind := forms.kind_of_secret(value)):
        problems.append((Code.SECRET, Problem(path, f"The value looks like {kind}.", _HINT)))
        return HIDDEN
    return value


def _entry(key: str, value: Any, path: Path, problems: list[Coded]) -> Any:
    if forms.names_a_secret(key) and _is_plain(value):
        message = f"The value of {key!r} looks like a secret in clear."
        problems.append((Code.SECRET, Problem((*path, key), message, _HINT)))
        return HIDDEN
    return _copy(value, (*path, key), problems)


def _safe_keys(block: Mapping[Any, Any], path: Path, problems: list[Coded]) -> dict[str, Any]:
    safe = {}
    for key, value in block.items():
        name = str(key)
        if kind := forms.kind_of_secret(name):
            name = HIDDEN
            problems.append((Code.SECRET, Problem((*path, name), f"A key here looks like {kind}.", _HINT)))
        safe[name] = value
    return safe


def _is_plain(value: Any) -> bool:
    if isinstance(value, str):
        return bool(value) and value.lower() not in ("true", "false") and not forms.is_reference(value)
    return isinstance(value, int | float) and not isinstance(value, bool)
