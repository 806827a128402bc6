"""The way of a result from the process that works it out to the one that shows it.

The program runs in the first, and may write to each descriptor that is open there. The second therefore takes only what
is sealed with a key that was drawn for this run: noise on the way, a result of the program's own making, or a part of
one, is not taken for a result.
"""

from __future__ import annotations

import hmac
import os
import tempfile
from collections.abc import Callable
from typing import Final

from penstock.core.errors import Unfinished

_KEY_BYTES: Final = 32
_STATUS_BYTES: Final = 1
_SEAL_BYTES: Final = 32
_DIGEST: Final = "sha256"

Send = Callable[[int, bytes], None]
"""Writes a status and a result."""
Receive = Callable[[], tuple[int, bytes] | None]
"""Reads both: None where nothing was written. It raises Unfinished for what is not the sender's."""


def channel() -> tuple[Send, Receive]:
    """Return the two ends of a way into a child process; there is a file between them, so that neither ever waits.

    Raises:
        OSError: there is no room for temporary files.
    """
    file = tempfile.TemporaryFile()  # noqa: SIM115 both processes have it to their ends
    key, opened = os.urandom(_KEY_BYTES), os.fstat(file.fileno())

    def send(status: int, result: bytes) -> None:
        descriptor = file.fileno()
        if not os.path.samestat(os.fstat(descriptor), opened):
            return  # the program has closed the descriptor, and opened another file by its number
        content = memoryview(_sealed(key, bytes([status]) + result))
        os.ftruncate(descriptor, 0)
        written = 0
        try:
            while written < len(content):
                written += os.pwrite(descriptor, content[written:], written)
        except OSError:
            os.ftruncate(descriptor, 0)  # a part is not taken for what somebody else wrote
            raise

    def receive() -> tuple[int, bytes] | None:
        file.seek(0)
        content = file.read()
        body = content[_SEAL_BYTES:]
        if len(body) < _STATUS_BYTES or not hmac.compare_digest(content, _sealed(key, body)):
            if content:
                raise Unfinished("what the process of the command wrote is not its result: the program, or a process "
                                 "that it started, has written to descriptors that it did not open")  # fmt: skip
            return None
        return body[0], body[_STATUS_BYTES:]

    return send, receive


def _sealed(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, body, _DIGEST) + body
