"""The draft of a description: what a source says in the fields of a description, and where each part comes from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from penstock.conversion.note import NoteCode, note
from penstock.conversion.source import SourceFile
from penstock.core.findings import Finding
from penstock.description.positions import Path, written

_LONGEST_NAME: Final = 40


class Draft:
    """A description in the making, as plain data.

    Attributes:
        platform: The description, in the order in which it is written.
        stack: The name of the stack that the source is of; empty if it is of none.
        restored: The source has a whole description, to which nothing is added.
        notes: What a person must know of it.
    """

    def __init__(self, source: SourceFile, cloud: str) -> None:
        self.platform: dict[str, Any] = {
            "environment": "dev",
            "name": "platform",
            "tags": {},
            "cloud": {"provider": cloud},
            "network": {},
            "cluster": {},
            "node_pools": [],
            "storage": [],
            "addons": {},
        }
        self.stack = ""
        self.restored = False
        self.source = source
        self._origins: dict[Path, Path] = {}
        self._examples: dict[Path, tuple[str, str]] = {}

    @property
    def cloud(self) -> str:
        """The name of the cloud."""
        provider: str = self.platform["cloud"]["provider"]
        return provider

    @property
    def notes(self) -> list[Finding]:
        """The notes of the source, and those on fields to fill in."""
        examples = (
            note(NoteCode.FILL_IN, message, hint, path=written(path))
            for path, (message, hint) in self._examples.items()
        )
        return [*self.source.notes, *examples]

    def put(self, path: Path, value: Any, origin: Path = ()) -> None:
        """Set a field to a value, unless that is empty; `origin` is its path in the source."""
        if value is None or value in ({}, []):
            return
        holder: Any = self.platform
        for part in path[:-1]:
            holder = holder.setdefault(part, {}) if isinstance(part, str) else holder[part]
        holder[path[-1]] = value
        self._origins[path] = origin

    def add(self, block: str, name: str, origin: Path, **fields: Any) -> Path:
        """Add an item to `node_pools` or `storage`, and return its path."""
        taken = {item["name"] for item in self.platform[block]}
        item = {"name": self._name(name, origin, taken), **fields}
        self.platform[block].append(item)
        path: Path = (block, len(self.platform[block]) - 1)
        self._origins[path] = origin
        return path

    def called(self, name: str | None, origin: Path) -> None:
        """Set the name of the platform."""
        if name:
            self.put(("name",), self._name(name, origin, set()), origin)

    def origin(self, path: Path) -> Path:
        """Return the path in the source that a part of the description comes from."""
        return next((self._origins[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self._origins), ())

    def shorten(self, path: Path, longest: int) -> bool:
        """Shorten the name at a path, unless it is short already; names of a list stay distinct."""
        holder: Any = self.platform
        for part in path[:-1]:
            holder = holder[part]
        name: str = holder["name"]
        if len(name) <= longest:
            return False
        beside = self.platform[str(path[0])] if len(path) > 1 else ()
        taken = {item["name"] for item in beside}
        short, number = name[:longest].strip("-"), 2
        while short in taken:
            short, number = f"{name[: longest - 3].strip('-')}-{number}", number + 1
        holder["name"] = short
        return True

    def without_prefix(self, prefix: str) -> None:
        """Take the platform's name from the beginning of the names of pools and storage, which it is added to."""
        for block in ("node_pools", "storage"):
            items = self.platform[block]
            for item in items:
                short = item["name"].removeprefix(f"{prefix}-")
                if short[:1].isalpha() and short not in {each["name"] for each in items}:
                    item["name"] = short

    def remove(self, path: Path) -> None:
        """Remove a field or an item; later items keep their origins."""
        holder: Any = self.platform
        for part in path[:-1]:
            holder = holder[part]
        del holder[path[-1]]
        origins, examples = self._origins.items(), self._examples.items()
        self._origins = {to: origin for each, origin in origins if (to := _moved(each, path)) is not None}
        self._examples = {to: example for each, example in examples if (to := _moved(each, path)) is not None}

    def written(self) -> dict[str, Any]:
        """Return the description without empty blocks."""
        return {key: value for key, value in self.platform.items() if value not in ({}, [])}

    def fill_in(self, path: Path, message: str, hint: str = "") -> None:
        """Note that a person must fill in a field of the description."""
        self._examples[path] = message, hint

    def _name(self, name: str, origin: Path, taken: set[str]) -> str:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        plain = (plain if plain[:1].isalpha() else f"p-{plain}".strip("-"))[:_LONGEST_NAME].strip("-")
        number = 2
        chosen = plain
        while chosen in taken:
            chosen = f"{plain[: _LONGEST_NAME - 4]}-{number}"
            number += 1
        if chosen != name:
            self.source.note(NoteCode.ASSUMED, origin, f"It is called {chosen} in the description.")
        return chosen


def _moved(path: Path, gone: Path) -> Path | None:
    """Return where a path is after another one was removed; None if it went with it."""
    if path[: len(gone)] == gone:
        return None
    *above, last = gone
    if isinstance(last, int) and path[: len(above)] == tuple(above) and len(path) > len(above):
        index = path[len(above)]
        if isinstance(index, int) and index > last:
            return (*above, index - 1, *path[len(gone) :])
    return path


def taint_of(key: str, value: str | None, effect: str | None) -> Mapping[str, str]:
    """Return a taint as a description has it; effects may be written as NO_SCHEDULE."""
    words = (
        "".join(word.capitalize() for word in (effect or "NoSchedule").split("_")) if "_" in (effect or "") else effect
    )
    return {"key": key, **({"value": value} if value else {}), "effect": words or "NoSchedule"}
