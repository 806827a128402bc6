"""A stack file: the description in it, and the line and column of each of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding
from penstock.core.wording import did_you_mean
from penstock.description import secrets
from penstock.description.codes import Code
from penstock.description.composer import Composition, Trouble, compose
from penstock.description.positions import Path, Place
from penstock.description.problems import Problem, finding

KEY = "penstock:platform"
"""The key of the stack's configuration that holds the description."""

MOST_BYTES = 1 << 20

_ROOT: Path = ("config", KEY)
_EXAMPLE = f"A stack file begins with `config:`, below it `{KEY}:`, below that `environment`, `cloud` and the rest."


@dataclass(frozen=True, slots=True)
class Document:
    """A stack file that could be read; `description` is plain data that nobody has judged yet."""

    file: str
    description: dict[str, Any]
    places: dict[Path, Place]

    def place(self, path: Path) -> Place | None:
        """Return the position of a path of the description, or of the nearest block above it that is in the file."""
        full = (*_ROOT, *path)
        return next((self.places[full[:end]] for end in range(len(full), 0, -1) if full[:end] in self.places), None)


def read(path: FilePath) -> Document:
    """Read a stack file.

    Raises:
        InvalidDescription: the file is unreadable, not YAML, too large or too complex, repeats a key, or holds no
            description.
    """
    composition = _composed(path)
    try:
        description = _description(composition)
    except Trouble as trouble:
        raise _refusal(path, [trouble]) from None
    return Document(str(path), description, composition.places)


def read_text(text: str, file: str) -> Document | None:
    """Read the text of a stack file, as an editor has it; None where it has no description.

    Raises:
        InvalidDescription: as `read`.
    """
    path = FilePath(file)
    composition = _composed_text(path, lambda: text)
    block = composition.data.get(_ROOT[0]) if isinstance(composition.data, dict) else None
    if not isinstance(block, dict) or KEY not in block:
        return None
    try:
        return Document(file, _description(composition), composition.places)
    except Trouble as trouble:
        raise _refusal(path, [trouble]) from None


def values(path: FilePath) -> Any:
    """Return the content of any YAML file, such as `Pulumi.yaml`, as plain data.

    Raises:
        InvalidDescription: the file is unreadable, not YAML, too large or too complex, or repeats a key.
    """
    return _composed(path).data


def places(path: FilePath) -> dict[Path, Place]:
    """Return the position of each part of any YAML file, by its keys and indexes; raises as `values` does."""
    return _composed(path).places


def no_configuration(path: FilePath) -> InvalidDescription:
    """The refusal of a stack file whose `config:` is missing or is not a block."""
    composition = _composed(path)
    place = composition.places.get(("config",))
    message = "`config:` is not a block of keys and values." if place else "There is no `config:` here."
    hint = f"`config:` holds keys such as `aws:region`, and `{KEY}` for a platform."
    return _refusal(path, [Trouble(Code.NO_DESCRIPTION, message, place or Place(1, 1), hint)])


def _composed(path: FilePath) -> Composition:
    return _composed_text(path, lambda: _text(path))


def _composed_text(path: FilePath, text: Callable[[], str]) -> Composition:
    try:
        composition = compose(text())
    except Trouble as trouble:
        raise _refusal(path, [trouble]) from None
    if composition.troubles:
        raise _refusal(path, composition.troubles)
    return composition


def _refusal(path: FilePath, troubles: Iterable[Trouble]) -> InvalidDescription:
    return InvalidDescription([_finding(trouble, str(path)) for trouble in troubles])


def _text(path: FilePath) -> str:
    try:
        if path.is_dir():
            hint = "Name a stack file in it, such as Pulumi.dev.yaml."
            raise Trouble(Code.UNREADABLE, "This is a directory.", None, hint)
        if path.exists() and not path.is_file():
            raise Trouble(Code.UNREADABLE, "The path is not a regular file.", None)
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        message = f"The file cannot be read: {(error.strerror or 'unknown error').lower()}."
        raise Trouble(Code.UNREADABLE, message, None, _neighbours(path)) from None
    if len(content) > MOST_BYTES:
        hint = "Data belongs into a bucket, not into the stack file."
        raise Trouble(Code.TOO_LARGE, "The file is larger than 1 MiB.", None, hint)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        place = Place(before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1)
        raise Trouble(Code.NOT_TEXT, "The file is not text in UTF-8.", place, "Save it as UTF-8.") from None


def _neighbours(path: FilePath) -> str:
    if not path.parent.is_dir():
        return ""
    near = sorted(file.name for file in path.parent.glob("Pulumi.*.yaml") if file.name != path.name)
    return did_you_mean(path.name, near)


def _description(composition: Composition) -> dict[str, Any]:
    data = composition.data
    if data is None:
        raise Trouble(Code.NO_DESCRIPTION, "The file is empty.", Place(1, 1), _EXAMPLE)
    for key in _ROOT:
        if not isinstance(data, dict) or key not in data:
            place = composition.places.get(("config",), Place(1, 1))
            raise Trouble(Code.NO_DESCRIPTION, f"There is no `{key}:` here.", place, _EXAMPLE)
        data = data[key]
    if not isinstance(data, dict):
        raise Trouble(Code.NO_DESCRIPTION, f"`{KEY}:` has no description.", composition.places[_ROOT], _EXAMPLE)
    return data


def _finding(trouble: Trouble, file: str) -> Finding:
    # The text was never searched for secrets, and a repeated key is quoted.
    below = trouble.path[len(_ROOT) :] if trouble.path[: len(_ROOT)] == _ROOT else trouble.path
    path = tuple(part if isinstance(part, int) else secrets.hidden(part) for part in below)
    return finding(trouble.code, Problem(path, secrets.hidden(trouble.message), trouble.hint), file, trouble.place)
