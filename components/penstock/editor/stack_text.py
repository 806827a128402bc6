"""The text of a stack file as a person types it: where in the description the cursor is, also where it is not YAML yet.

The place of a cursor is found by putting a word there and reading the text with it: first as a value, then as a key,
each in the whole text, and then in the part before the cursor, for what follows may be unfinished itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import yaml

from penstock.description.document import KEY

_MARK: Final = "cursor0cursor"
_WORD: Final = re.compile(r"[\w./-]*")
_BEFORE: Final = re.compile(r"[\w./-]*$")
_BRACKETS: Final = {"{": "}", "[": "]"}
_VALUE: Final = re.compile(
    r"""\s*:\s+("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\{[^{}]*\}|\[[^\[\]]*\]|[^,{}\[\]#\n]*[^,{}\[\]#\s])"""
)
_SCALAR: Final = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,{}\[\]#\s][^,{}\[\]#\n]*?)(?=\s*(?:[,}\]#]|$))""", re.MULTILINE
)
_KEY: Final = re.compile(r"""("[^"]*"|'[^']*'|[^\s,{}\[\]#][^,{}\[\]#\n]*?)(?=\s*:(?:\s|$))""", re.MULTILINE)
_ALONE: Final = re.compile(r"\s*(?:-\s+)*")

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A part of one line; line and characters count from 0."""

    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CursorPlace:
    """A place in the description. `path` is that of a value, or of the block that a key is typed in.

    `data` is all of the description as far as it can be read, `word` the part of the line that a person is typing;
    `is_alone` where it is the first of its line, so that it may become a key though it reads as a value yet.
    """

    path: Path
    is_key: bool
    data: Any
    word: TextSpan
    is_alone: bool


def cursor_place(text: str, line: int, character: int) -> CursorPlace | None:
    """Return the place of a cursor in the description; None where it is elsewhere, or the text cannot be read."""
    lines = text.split("\n")
    if not 0 <= line < len(lines):
        return None
    here = lines[line]
    before = _BEFORE.search(here[:character])
    after = _WORD.match(here[character:])
    word = TextSpan(line, character - len(before[0] if before else ""), character + len(after[0] if after else ""))
    for variant, is_key in _variants(lines, word):
        found = _found(variant)
        if found is not None:
            path, data, in_key = found
            is_alone = _ALONE.fullmatch(here[: word.start]) is not None
            return CursorPlace(path, in_key or is_key, data, word, is_alone)
    return None


def span_of_key(text: str, line: int, column: int) -> TextSpan:
    """Return the part of a line that a key or an item takes; `line` and `column` count from 1."""
    here = _line(text, line)
    match = _KEY.match(here, column - 1) or _SCALAR.match(here, column - 1)
    return TextSpan(line - 1, column - 1, match.end(1) if match else max(len(here.rstrip()), column))


def span_of_value(text: str, line: int, column: int) -> TextSpan | None:
    """Return the part of a line that the value of a key takes, or an item; None where it takes several lines."""
    here = _line(text, line)
    key = _KEY.match(here, column - 1)
    value = _VALUE.match(here, key.end(1)) if key else _SCALAR.match(here, column - 1)
    return TextSpan(line - 1, value.start(1), value.end(1)) if value else None


def text_in(text: str, span: TextSpan) -> str:
    """Return the text of a span."""
    return _line(text, span.line + 1)[span.start : span.end]


def _line(text: str, line: int) -> str:
    lines = text.split("\n")
    return lines[line - 1] if 0 < line <= len(lines) else ""


def _variants(lines: Sequence[str], word: TextSpan) -> Iterator[tuple[str, bool]]:
    """Yield the text with the mark in the place of the word: as a value, and as a key; then without what follows."""
    here = lines[word.line]
    for rest in (lines[word.line + 1 :], None):
        for mark, is_key in ((_MARK, False), (f"{_MARK}:", True)):
            tail = here[word.end :] if rest is not None else ""
            if is_key and tail.lstrip().startswith(":"):
                continue
            changed = [*lines[: word.line], f"{here[: word.start]}{mark}{tail}", *(rest or ())]
            text = "\n".join(changed)
            yield (text if rest is not None else text + _closing(text)), is_key


def _closing(text: str) -> str:
    """The brackets that are open at the end of a text."""
    opened: list[str] = []
    quote = ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in _BRACKETS:
            opened.append(_BRACKETS[character])
        elif opened and character == opened[-1]:
            opened.pop()
        elif character == "#" and not opened:
            continue
    return "".join(reversed(opened))


def _found(text: str) -> tuple[Path, Any, bool] | None:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return None
    platform = _below(_below(root, "config"), KEY)
    if platform is None:
        return None
    found = _marked(platform, ())
    return (*found[:1], _plain(platform), found[1]) if found is not None else None


def _below(node: yaml.Node | None, key: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for name, value in node.value if getattr(name, "value", None) == key), None)


def _marked(node: yaml.Node, path: Path) -> tuple[Path, bool] | None:
    """The path of the mark, and whether it is a key; then the path is that of its block."""
    if isinstance(node, yaml.ScalarNode):
        return (path, False) if _is_marked(node) else None
    if isinstance(node, yaml.SequenceNode):
        pairs: list[tuple[str | int, yaml.Node]] = list(enumerate(node.value))
    else:
        if any(map(_is_marked, (key for key, _ in node.value))):
            return path, True
        pairs = [(str(getattr(key, "value", "")), value) for key, value in node.value]
    return next((found for key, value in pairs if (found := _marked(value, (*path, key))) is not None), None)


def _plain(node: yaml.Node) -> Any:
    """The data of a node, without the mark."""
    if isinstance(node, yaml.MappingNode):
        return {str(getattr(key, "value", "")): _plain(value) for key, value in node.value if not _is_marked(key)}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(each) for each in node.value]
    return None if _is_marked(node) else node.value


def _is_marked(node: yaml.Node) -> bool:
    """Return whether a text has the mark in its first line: a further one is a key that is not finished."""
    return isinstance(node, yaml.ScalarNode) and _MARK in node.value and not re.search(r"\s", node.value)
