r"""Texts within texts: base64, compressed or not, hexadecimal, and what URLs, JSON and XML make of a text.

A wrapping may be within another, as in user data that writes files. All that is unpacked of one text is bounded in
depth and size, so that a text made to unpack without end costs as much as a long one.
"""

from __future__ import annotations

import base64
import html
import re
import zlib
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple
from urllib.parse import unquote_plus

_DEEPEST: Final = 10
_LEAST_ROOM: Final = 100_000
_MOST_ROOM: Final = 4_000_000
_TIMES: Final = 20
"""The characters that are unpacked of one text in all: scripts are compressed to a fifth."""

_LETTERS: Final = r"[A-Za-z0-9+/_-]"
_CODED: Final = re.compile(
    rf"(?<!{_LETTERS})(?:(?:{_LETTERS}{{60,76}}\r?\n[ \t]*)+{_LETTERS}{{1,76}}|{_LETTERS}{{16,}})={{0,6}}"
)
"""Base64 in one line or in the lines of MIME; hexadecimal digits and base32 are of the same letters."""
_CODED_ON_A_LINE: Final = re.compile(rf"(?<!{_LETTERS}){_LETTERS}{{16,}}={{0,6}}")
_HEXADECIMAL: Final = re.compile(r"(?:[0-9A-Fa-f]{2}){8,}")
_BASE32: Final = re.compile(r"[A-Z2-7]+={0,6}")
_TO_STANDARD: Final = str.maketrans("-_", "+/", " \t\r\n=")

_PERCENT: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_WORD: Final = re.compile(r"[^\s\"'<>]+")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([\"'\\/nrt]))")
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t"}
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|quot|apos|amp|lt|gt);")
_LINE: Final = re.compile(r"[^\n]+")

_MARK: Final = re.compile(rf"{_LETTERS}{{16}}|[%&\\]")
"""Something of whatever is looked for, which most texts do not have."""
_OTHER_MARK: Final = re.compile(r"[%&\\]")
"""Of an address, of markup, and of an escape."""
_MARK_IN_SMALL: Final = re.compile(r"[0-9a-f]{16}|[0-9+/_-]{16}|[%&\\]")
"""What to look for in texts without capitals, where only hexadecimal digits are a code: most long ones are names."""

_GZIP: Final = b"\x1f\x8b"
_ZLIB: Final = (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


class _Wrapped(NamedTuple):
    """A part of a text, by its positions, and the text that it encodes."""

    start: int
    end: int
    text: str


@dataclass(slots=True)
class _Room:
    """The characters that may still be unpacked."""

    characters: int


def _room_for(text: str) -> _Room:
    return _Room(min(_LEAST_ROOM + _TIMES * len(text), _MOST_ROOM))


@lru_cache(maxsize=16)
def unwrapped(text: str) -> tuple[str, ...]:
    """Return the texts that a text encodes, and those that these encode; several rules ask it of one script."""
    return tuple(_below(text, _room_for(text), 0)) if _may_wrap(text) else ()


def wrapping(texts: Sequence[str]) -> Iterator[str]:
    """Yield those of many texts that may encode others: all are searched as one, which is faster than each alone."""
    marked = {text for text in texts if "\n" in text or _OTHER_MARK.search(text)}
    single = [text for text in texts if text not in marked]
    ends = [*accumulate(len(text) + 1 for text in single)]
    for match in _CODED_ON_A_LINE.finditer("\n".join(single)):
        data = _decoded(match.group())
        if data is not None and _plain(data, _Room(_LEAST_ROOM)) is not None:
            marked.add(single[bisect(ends, match.start())])
    return filter(marked.__contains__, texts)


def without_wrapped(text: str, holds: Callable[[str], bool], hidden: str) -> str:
    """Return a text with a word for what encodes a text of which `holds` is true, itself or deeper."""
    if not _may_wrap(text):
        return text
    room = _room_for(text)
    for reading in _READINGS:
        found = [
            each for each in reading(text, room) if holds(each.text) or any(map(holds, _below(each.text, room, 1)))
        ]
        for each in reversed(found):
            text = f"{text[: each.start]}{hidden}{text[each.end :]}"
    return text


def _may_wrap(text: str) -> bool:
    return (_MARK_IN_SMALL if text.islower() else _MARK).search(text) is not None


def _below(text: str, room: _Room, depth: int) -> Iterator[str]:
    if depth >= _DEEPEST:
        return
    for reading in _READINGS:
        for each in reading(text, room):
            yield each.text
            yield from _below(each.text, room, depth + 1)


def _coded(text: str, room: _Room) -> Iterator[_Wrapped]:
    for match in (_CODED if "\n" in text else _CODED_ON_A_LINE).finditer(text):
        data = _decoded(match.group())
        plain = _plain(data, room) if data is not None else None
        if plain is not None:
            room.characters -= len(plain)
            yield _Wrapped(match.start(), match.end(), plain)


@lru_cache(maxsize=4096)
def _decoded(code: str) -> bytes | None:
    if _HEXADECIMAL.fullmatch(code) and _is_plain(data := bytes.fromhex(code)):
        return data
    if code.islower():
        return None  # a name: texts have capitals in base64
    if _BASE32.fullmatch(code) and len(code) % 8 == 0:
        with suppress(ValueError):
            if _is_plain(data := base64.b32decode(code)):
                return data
    code = code.translate(_TO_STANDARD)
    if len(code) % 4 == 1:
        return None
    return base64.b64decode(code + "=" * (-len(code) % 4))


def _is_plain(data: bytes) -> bool:
    return data.isascii() and _CONTROL.search(data.decode("ascii")) is None


def _plain(data: bytes, room: _Room) -> str | None:
    """The text that bytes are; None for those that are none, as most of what only looks like base64."""
    if room.characters <= 0:
        return None
    compressed = 31 if data.startswith(_GZIP) else 15 if data.startswith(_ZLIB) else None
    if compressed is not None:
        try:
            data = zlib.decompressobj(wbits=compressed).decompress(data, room.characters)
        except zlib.error:
            return None
        return data.decode(errors="replace")  # it may end within a character
    if data.count(0, 0, 64) * 3 > min(len(data), 64):
        return _decoded_as(data, "utf-16-le")  # as PowerShell takes encoded commands
    return _decoded_as(data, "utf-8")


def _decoded_as(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if _CONTROL.search(text) else text


def _in_address(text: str, room: _Room) -> Iterator[_Wrapped]:
    if _PERCENT.search(text):
        yield from _read_by(_WORD, _PERCENT, unquote_plus, text, room)


def _escaped(text: str, room: _Room) -> Iterator[_Wrapped]:
    if "\\" in text:
        yield from _read_by(_LINE, _ESCAPE, lambda part: _ESCAPE.sub(_meant, part), text, room)


def _in_markup(text: str, room: _Room) -> Iterator[_Wrapped]:
    if "&" in text:
        yield from _read_by(_LINE, _ENTITY, html.unescape, text, room)


def _read_by(
    part: re.Pattern[str], mark: re.Pattern[str], read: Callable[[str], str], text: str, room: _Room
) -> Iterator[_Wrapped]:
    for match in part.finditer(text):
        if mark.search(match.group()) and len(match.group()) <= room.characters:
            room.characters -= len(match.group())
            yield _Wrapped(match.start(), match.end(), read(match.group()))


def _meant(match: re.Match[str]) -> str:
    number = match[1] or match[2]
    return chr(int(number, 16)) if number else _ESCAPED.get(match[3], match[3])


_READINGS: Final = (_coded, _in_address, _escaped, _in_markup)
