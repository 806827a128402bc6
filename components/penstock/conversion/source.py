"""The configuration of another tool, with a record of what was read: what remains is reported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from penstock.conversion.note import NoteCode, note
from penstock.core.findings import Finding
from penstock.core.wording import listed, quoted
from penstock.description import secrets
from penstock.description.positions import Path, Place, written
from penstock.secrets import forms

_DEEPEST_DEFAULT: Final = 10
_REFERENCE: Final = re.compile(r"\b(?:vars?|local|module|data|each|count)\.[A-Za-z0-9_.\-\[\]]*[A-Za-z0-9_\]]")
"""References inside an expression, which may be shown: literals inside one may be secret."""

NO_FIELD: Final = "The description has no field for it."


class Reason(NamedTuple):
    """Why a field is not translated, and what to do instead."""

    message: str
    hint: str = ""


class _Dynamic(Exception):
    """A value that only the other tool can evaluate."""


@dataclass(frozen=True, slots=True)
class Expressions:
    """The expressions of a format.

    Attributes:
        dynamic: Matches the beginning of an expression inside a text.
        reference: Matches one that only names a variable, which is its first group.
        defaults: The values of variables that are known, by reference.
    """

    dynamic: re.Pattern[str]
    reference: re.Pattern[str] | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)


class SourceFile:
    """The data of a file, the place of each part, and notes on what was not translated.

    Args:
        file: the path as typed.
        data: plain data, such as that of a YAML file.
        places: the position of each part of the data.
        expressions: how the format writes values that are not literal.
        reasons: why fields are not translated, by the name of the field.
    """

    def __init__(
        self,
        file: str,
        data: Mapping[str, Any],
        places: Mapping[Path, Place],
        expressions: Expressions,
        reasons: Mapping[str, Reason],
    ) -> None:
        self.file = file
        self.data = data
        self._places = places
        self._expressions = expressions
        self._reasons = reasons
        self._read: set[Path] = set()
        self._entered: set[Path] = {()}
        self._assumed: set[str] = set()
        self.notes: list[Finding] = []

    @property
    def root(self) -> Fields:
        """The whole file as a block."""
        return Fields(self, (), self.data)

    def line(self, path: Path) -> int | None:
        """Return the line of a path, or of the nearest block above it."""
        found = (self._places[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self._places)
        return next((place.line for place in found), None)

    def note(self, code: NoteCode, path: Path, message: str, hint: str = "") -> None:
        """Add a note on a field."""
        shown = secrets.hidden(written(path))
        self.notes.append(note(code, message, hint, path=shown or None, file=self.file, line=self.line(path)))

    def read(self, path: Path) -> None:
        """Record that a field, with all below it, was read."""
        self._read.add(path)
        self.enter(path[:-1])

    def enter(self, path: Path) -> None:
        """Record that a block was entered: its fields are reported one by one."""
        while path not in self._entered:
            self._entered.add(path)
            path = path[:-1]

    def resolved(self, path: Path, value: Any) -> Any:
        """Return a value without expressions; None, with a note, if only the other tool can evaluate it."""
        if isinstance(value, str):
            try:
                return self._evaluated(path, value, 0)
            except _Dynamic:
                references = listed(dict.fromkeys(_REFERENCE.findall(value)), 3)
                message = f"The value depends on {references}." if references else "The value is an expression."
                hint = "It has no known default. Set the value in the description."
                self.note(NoteCode.NOT_TRANSLATED, path, message, hint)
                return None
        if isinstance(value, list):
            items = (self.resolved((*path, index), item) for index, item in enumerate(value))
            return [item for item, raw in zip(items, value, strict=True) if item is not None or raw is None]
        if isinstance(value, Mapping):
            return {key: self.resolved((*path, key), item) for key, item in value.items()}
        return value

    def unread(self) -> None:
        """Add a note on each field that nothing has read."""
        for path in self._unread((), self.data):
            reason = self._reasons.get(str(path[-1]), Reason(NO_FIELD, "If you need it, set it in your own program."))
            self.note(NoteCode.NOT_TRANSLATED, path, *reason)

    def _unread(self, path: Path, value: Any) -> Iterator[Path]:
        if path in self._read or value is None:
            return
        inside: Sequence[tuple[str | int, Any]] = ()
        if isinstance(value, Mapping):
            inside = list(value.items())
        elif isinstance(value, list):
            inside = list(enumerate(value))
        if path in self._entered:
            for key, item in inside:
                yield from self._unread((*path, key), item)
        else:
            yield path

    def _evaluated(self, path: Path, text: str, depth: int) -> Any:
        form = self._expressions.reference
        if not self._expressions.dynamic.search(text):
            return text
        if form is None or depth > _DEEPEST_DEFAULT:
            raise _Dynamic
        whole = form.fullmatch(text)
        if whole is not None:
            return self._default(path, whole[1], depth)
        replaced = form.sub(lambda found: str(self._default(path, found[1], depth)), text)
        if self._expressions.dynamic.search(replaced):
            raise _Dynamic
        return replaced

    def _default(self, path: Path, reference: str, depth: int) -> Any:
        value = self._expressions.defaults.get(reference)
        if value is None:
            raise _Dynamic
        if isinstance(value, str):
            value = self._evaluated(path, value, depth + 1)
        if reference not in self._assumed:
            self._assumed.add(reference)
            plain = isinstance(value, str | int | float) and not forms.names_a_secret(reference)
            shown = quoted(value) if plain and not forms.kind_of_secret(str(value)) else "its default"
            message = f"{reference} is taken as {shown}."
            self.note(NoteCode.ASSUMED, path, message, "Change the description if it is set elsewhere.")
        return value


class Fields:
    """A block of a source. Reading a field records it; a missing one may come from a block of defaults."""

    def __init__(self, source: SourceFile, path: Path, data: Mapping[str, Any], defaults: Fields | None = None) -> None:
        self.source = source
        self.path = path
        self._data = data
        self._defaults = defaults
        source.enter(path)

    def __contains__(self, key: str) -> bool:
        return self._data.get(key) is not None or (self._defaults is not None and key in self._defaults)

    def names(self) -> tuple[str, ...]:
        """Return the names of the fields of the block itself."""
        return tuple(self._data)

    def value(self, *keys: str) -> Any:
        """Return the value of the first of some fields that is given, without expressions; None without one."""
        holder, key = self._holder(keys)
        path = (*holder.path, key)
        self.source.read(path)
        return self.source.resolved(path, holder.raw(key))

    def raw(self, key: str) -> Any:
        """Return what a field has, without recording it: which form it is in."""
        return self._data.get(key)

    def text(self, *keys: str) -> str | None:
        """Return a text; a number counts as one."""
        value = self.value(*keys)
        return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None

    def number(self, *keys: str) -> int | None:
        """Return a whole number, also one that is written as text."""
        value = self.value(*keys)
        if isinstance(value, bool) or value is None:
            return None
        try:
            return int(value)
        except (TypeError, ValueError):
            self.untranslated(keys[-1], "The value must be a whole number.", "Set it in the description.")
            return None

    def flag(self, *keys: str) -> bool | None:
        """Return a truth value, also one that is written as text."""
        value = self.value(*keys)
        return value if isinstance(value, bool) else {"true": True, "false": False}.get(str(value).lower())

    def texts(self, *keys: str) -> list[str]:
        """Return a list of texts; a single text is a list of one."""
        value = self.value(*keys)
        items = value if isinstance(value, list) else [] if value is None else [value]
        return [str(item) for item in items if isinstance(item, str | int)]

    def labels(self, *keys: str) -> dict[str, str]:
        """Return texts by key, such as labels and tags, without what looks like a secret."""
        holder, key = self._holder(keys)
        value = self.value(key)
        found = {}
        for name, each in value.items() if isinstance(value, Mapping) else ():
            text = str(each).lower() if isinstance(each, bool) else str(each)
            if forms.names_a_secret(name) or forms.kind_of_secret(text):
                hint = "Put its value into the secret store, and name it under addons.secrets.names."
                message = "It looks like a secret, and is not copied."
                holder.source.note(NoteCode.SECRET, (*holder.path, key, name), message, hint)
            elif each is not None:
                found[name] = text
        return found

    def block(self, *keys: str) -> Fields:
        """Return a block, which may be empty."""
        holder, key = self._holder(keys)
        value = holder.raw(key)
        path = (*holder.path, key)
        return Fields(self.source, path, value if isinstance(value, Mapping) and value else self._plain(path, value))

    def blocks(self, *keys: str) -> list[Fields]:
        """Return the blocks of a list; a single block is a list of one."""
        holder, key = self._holder(keys)
        value, path = holder.raw(key), (*holder.path, key)
        if isinstance(value, Mapping):
            return [Fields(self.source, path, value)]
        items = value if isinstance(value, list) else []
        if not items:
            self._plain(path, value)
        self.source.enter(path)
        return [Fields(self.source, (*path, index), each) for index, each in enumerate(items) if isinstance(each, dict)]

    def entries(self, *keys: str, defaults: Fields | None = None) -> list[tuple[str, Fields]]:
        """Return the blocks of a mapping by name."""
        block = self.block(*keys)
        found = []
        for name in block.names():
            value = block.raw(name)
            path = (*block.path, name)
            if isinstance(value, Mapping):
                found.append((name, Fields(self.source, path, value, defaults)))
            elif value is not None:
                self._plain(path, value)
        return found

    def origin(self, *keys: str) -> Path:
        """Return the path of the first of some fields that is given."""
        holder, key = self._holder(keys)
        return (*holder.path, key)

    def untranslated(self, key: str, message: str, hint: str = "") -> None:
        """Report a field that has no counterpart."""
        holder, _ = self._holder((key,))
        self.source.read((*holder.path, key))
        self.source.note(NoteCode.NOT_TRANSLATED, (*holder.path, key), message, hint)

    def built_in(self, *keys: str) -> None:
        """Record fields for what Penstock does by itself."""
        for key in keys:
            if key in self._data:
                self.source.read((*self.path, key))

    def _holder(self, keys: Sequence[str]) -> tuple[Fields, str]:
        for holder in (self, self._defaults):
            for key in keys:
                if holder is not None and holder.raw(key) is not None:
                    return holder, key
        return self, keys[0]

    def _plain(self, path: Path, value: Any) -> Mapping[str, Any]:
        """Record a value that should be a block: an expression is reported, and so is anything else but nothing."""
        self.source.read(path)
        if value and self.source.resolved(path, value) is not None:
            self.source.note(NoteCode.NOT_TRANSLATED, path, "The value must be a block.", "Set it in the description.")
        return {}
