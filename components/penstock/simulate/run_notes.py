"""What a run of a command tells the process that started it, besides its report: its verdict, and what it was made of.

Commands that run others (`--all`, `--watch`, the language server) read the note; a command that a person runs makes
none.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_KEPT: Final = ("penstock", "pulumi")
"""Packages whose modules are the same in every run; those of an SDK begin with `pulumi_`."""

_CACHE: Final = "__pycache__"

_CHANGING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_DIRECTORY
"""Flags of `os.open` for what is no reading of a file."""

_senders: list[Callable[[bytes], None]] = []
_read: set[str] = set()


@dataclass(frozen=True, slots=True)
class RunNote:
    """The note of a run.

    `verdict` is what the command found; `modules` are those of Penstock and of SDKs that it imported, in their order;
    `files` those that it read and that a person may change, the program's own modules among them.
    """

    verdict: Mapping[str, Any]
    modules: Sequence[str]
    files: Sequence[str]


def expect_notes(send: Callable[[bytes], None]) -> None:
    """Send the notes of this process by `send`, and follow from now on which files it reads."""
    _senders.append(send)
    _read.clear()
    sys.addaudithook(_follow)


def is_noted() -> bool:
    """Return whether anything waits for a note of this process."""
    return bool(_senders)


def note(verdict: Mapping[str, Any]) -> None:
    """Send a verdict to what waits for it."""
    modules = [name for name in list(sys.modules) if is_kept(name)]
    files = sorted(filter(_is_own, map(_source, _read)))
    content = json.dumps({"verdict": verdict, "modules": modules, "files": files})
    for send in _senders:
        send(content.encode())


def read_note(content: bytes) -> RunNote:
    """Return the note that `note` has sent."""
    return RunNote(**json.loads(content))


def is_kept(name: str) -> bool:
    """Return whether a module is of Penstock or of an SDK, and so the same in every run."""
    package = name.partition(".")[0]
    return package in _KEPT or package.startswith("pulumi_")


def _follow(event: str, arguments: tuple[Any, ...]) -> None:
    """Take note of a file that is opened; an audit hook sees each, whoever opens it."""
    if event == "open" and isinstance(arguments[0], str) and _is_reading(*arguments[1:3]):
        _read.add(arguments[0])


def _is_reading(mode: str | None, flags: int) -> bool:
    """Return whether a file is opened to be read, by `open` or, without a mode, by `os.open`."""
    return mode in ("r", "rb") if mode is not None else not flags & _CHANGING


def _source(file: str) -> str:
    """The module that a compiled file was made of, or else the file itself."""
    path = Path(file).absolute()
    if path.parent.name == _CACHE:
        return str(path.parent.parent / f"{path.name.partition('.')[0]}.py")
    return str(path)


def _is_own(file: str) -> bool:
    libraries = (sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]), "/proc/", "/dev/", "/sys/", "/etc/")
    return "site-packages" not in file and not file.startswith(libraries)
