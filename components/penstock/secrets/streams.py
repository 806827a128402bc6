"""The streams of a program: they have no secret in them, whichever of the ways to print it takes.

Where the process is the program's alone, its threads may print after its end, and it may take the streams that Python
keeps under other names. There the streams stay in place, under all names. Elsewhere, as in a test, those from before
come back.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TextIO, cast

_LONGEST_LINE: Final = 1 << 16

Redact = Callable[[str], str]
"""Returns a text without its secrets."""


@contextmanager
def redacted_streams(redact: Redact, *, process_ends: bool) -> Iterator[None]:
    """Redact everything that a program prints while it runs.

    Args:
        redact: returns a text without its secrets.
        process_ends: whether the process ends with the program. Its streams then stay redacted, under every name.
    """
    before = sys.stdout, sys.stderr
    out, err = RedactedStream(sys.stdout, redact), RedactedStream(sys.stderr, redact)
    sys.stdout, sys.stderr = cast(TextIO, out), cast(TextIO, err)
    if process_ends:
        python: Any = sys
        python.__stdout__, python.__stderr__ = sys.stdout, sys.stderr
    try:
        yield
    finally:
        for stream in (out, err):
            stream.finish()
        if not process_ends:
            sys.stdout, sys.stderr = before


class RedactedStream:
    """A stream of text without the secrets of a run; all else is the stream's own.

    It writes whole lines: a program may print a secret one character after the other.
    """

    def __init__(self, stream: TextIO, redact: Redact) -> None:
        self._stream, self._redact = stream, redact
        self._begun = ""

    def write(self, text: str) -> int:
        """Take a text, write the lines that it ends without their secrets, and return its length as it was given."""
        if not isinstance(text, str):
            return self._stream.write(text)  # which refuses it
        lines, end, begun = f"{self._begun}{text}".rpartition("\n")
        self._begun = begun
        if end:
            self._stream.write(self._redact(lines + end))
        if len(begun) > _LONGEST_LINE:
            self.finish()
        return len(text)

    def finish(self) -> None:
        """Write the line that has no end yet."""
        begun, self._begun = self._begun, ""
        if begun:
            self._stream.write(self._redact(begun))

    def writelines(self, lines: Sequence[str]) -> None:
        """Write each line without its secrets."""
        for line in lines:
            self.write(line)

    def close(self) -> None:
        """Write what is left. The stream itself is the command's, which has more to say."""
        self.finish()

    @property
    def buffer(self) -> _Bytes:
        """The stream for bytes: they are text here, whose secrets are looked for."""
        return _Bytes(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Bytes:
    """A stream of bytes that is a stream of text."""

    def __init__(self, stream: RedactedStream) -> None:
        self._stream = stream

    def write(self, data: bytes) -> int:
        self._stream.write(bytes(data).decode(errors="replace"))
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
