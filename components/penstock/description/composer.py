"""Composes the text of a stack file into plain data, and remembers the position of each part.

PyYAML's C parser turns the text into events, which is ten times as fast as composing nodes in Python. The rest is done
here, event by event: values follow YAML 1.2 (as Pulumi reads them: `no` is text), a repeated key is an error, and
aliases are counted at their full size before anything walks through them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from penstock.core.wording import quoted
from penstock.core.yaml_text import LOADER
from penstock.description.codes import Code
from penstock.description.positions import DEEPEST, Path, Place

MOST_VALUES = 20_000
"""Aliases at their full size. A description of a hundred pools has about two thousand values."""

_NOTHING = ("", "~", "null", "Null", "NULL")
_TRUTHS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_MERGE = "<<"


class Trouble(Exception):
    """The text cannot become data."""

    def __init__(self, code: Code, message: str, place: Place | None, hint: str = "", path: Path = ()) -> None:
        super().__init__(message)
        self.code, self.message, self.place, self.hint, self.path = code, message, place, hint, path


@dataclass(slots=True)
class Composition:
    """The data of one document, the place of each key and list item, and what is wrong without being in the way."""

    data: Any = None
    places: dict[Path, Place] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)


@dataclass(slots=True)
class _Open:
    """A list or block whose end has not come yet."""

    values: list[Any] | dict[str, Any]
    path: Path
    anchor: str | None
    values_before: int
    key: str | None = None


class _Composer:
    def __init__(self) -> None:
        self.composition = Composition()
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.values = 0
        self.documents = 0

    def take(self, event: Any) -> None:
        place = Place(event.start_mark.line + 1, event.start_mark.column + 1)
        match event:
            case yaml.DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    raise Trouble(Code.NOT_YAML, "A second document starts here; a stack file holds one.", place)
            case yaml.ScalarEvent():
                self._scalar(event, place)
            case yaml.AliasEvent():
                self._alias(event.anchor or "", place)
            case yaml.MappingStartEvent():
                self._start({}, event.anchor, place)
            case yaml.SequenceStartEvent():
                self._start([], event.anchor, place)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._end(place)

    def _scalar(self, event: yaml.ScalarEvent, place: Place) -> None:
        if self._expects_key():
            self._key(event.value, place)
            return
        self._count(1, place)
        value = _value(event.value) if event.implicit[0] else event.value
        self._put(value, place)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, 1)

    def _key(self, key: str, place: Place) -> None:
        block = self.open[-1]
        path = (*block.path, key)
        if key in block.values:
            first = self.composition.places[path].line
            message = f"{quoted(key)} is repeated in this block, first in line {first}."
            self.composition.troubles.append(Trouble(Code.DUPLICATE_KEY, message, place, "Keep one of them.", path))
        else:
            self.composition.places[path] = place
        block.key = key

    def _alias(self, anchor: str, place: Place) -> None:
        if self._expects_key():
            raise Trouble(Code.NOT_YAML, "An alias is not a key.", place)
        if any(block.anchor == anchor for block in self.open):
            raise Trouble(Code.TOO_COMPLEX, "The alias here contains itself.", place)
        if anchor not in self.anchors:
            # The name is not repeated: it may be a password that begins with an asterisk.
            message = "The alias here refers to an anchor that does not exist."
            raise Trouble(Code.NOT_YAML, message, place, "Put a text that begins with * in quotes.")
        value, size = self.anchors[anchor]
        self._count(size, place)
        self._put(value, place)

    def _start(self, values: list[Any] | dict[str, Any], anchor: str | None, place: Place) -> None:
        if self._expects_key():
            raise Trouble(Code.NOT_YAML, "A list or block is not a key.", place)
        if len(self.open) >= DEEPEST:
            raise Trouble(Code.TOO_COMPLEX, f"Blocks and lists are nested more than {DEEPEST} levels deep.", place)
        before = self.values
        self._count(1, place)
        self.open.append(_Open(values, self._put(values, place), anchor, before))

    def _end(self, place: Place) -> None:
        closed = self.open.pop()
        if isinstance(closed.values, dict) and _MERGE in closed.values:
            self._merge(closed.values, place)
        if closed.anchor is not None:
            self.anchors[closed.anchor] = (closed.values, self.values - closed.values_before)

    def _merge(self, block: dict[str, Any], place: Place) -> None:
        merged = block.pop(_MERGE)
        for other in merged if isinstance(merged, list) else [merged]:
            if not isinstance(other, dict):
                raise Trouble(Code.NOT_YAML, "<< takes an alias of a block, or a list of them.", place)
            for key, value in other.items():
                block.setdefault(key, value)

    def _put(self, value: Any, place: Place) -> Path:
        """Put a value where the open list or block expects it; its path."""
        if not self.open:
            self.composition.data = value
            return ()
        inside = self.open[-1]
        if isinstance(inside.values, list):
            path = (*inside.path, len(inside.values))
            inside.values.append(value)
            self.composition.places[path] = place
            return path
        key, inside.key = inside.key or "", None
        inside.values[key] = value
        return (*inside.path, key)

    def _expects_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1].values, dict) and self.open[-1].key is None

    def _count(self, values: int, place: Place) -> None:
        self.values += values
        if self.values > MOST_VALUES:
            message = f"With its aliases resolved, the file holds more than {MOST_VALUES} values."
            raise Trouble(Code.TOO_COMPLEX, message, place, "Aliases of aliases multiply; write the values out.")


def compose(text: str) -> Composition:
    """The data of the one YAML document in a text.

    Raises:
        Trouble: the text is not YAML, holds several documents, or more than a person could have meant.
    """
    composer = _Composer()
    try:
        for event in yaml.parse(text, Loader=LOADER):
            composer.take(event)
    except yaml.reader.ReaderError as error:
        message = f"The character U+{error.character:04X} is not allowed in YAML."
        raise Trouble(Code.NOT_YAML, message, _place_of(chr(error.character), text)) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = Place(mark.line + 1, mark.column + 1) if mark is not None else None
        raise Trouble(Code.NOT_YAML, f"The file is not YAML: {error.problem}.", place, _hint(error, text)) from None
    return composer.composition


def _hint(error: yaml.MarkedYAMLError, text: str) -> str:
    mark, problem = error.problem_mark, error.problem or ""
    line = text.splitlines()[mark.line] if mark is not None and mark.line < text.count("\n") else ""
    if "\t" in text:
        return "Indent with spaces, not tabs."
    if "${" in line:
        return "A stack file expands no `${...}`: write the value itself."
    if "expected key" in problem or "mapping values" in problem or "block" in (error.context or ""):
        return "Check the indentation: the fields of a block begin in the same column. Quote text that contains `: `."
    return ""


def _place_of(character: str, text: str) -> Place:
    before = text[: text.index(character)]
    return Place(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


def _value(text: str) -> Any:
    """A plain scalar by the core schema of YAML 1.2."""
    if text in _NOTHING:
        return None
    if text in _TRUTHS:
        return _TRUTHS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text.replace(".", "", 1) if text[-1].isalpha() else text) if _NUMBER.fullmatch(text) else text
