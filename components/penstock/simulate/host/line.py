"""Messages between Penstock and the process of a program, and what that prints, in the order of their sending."""

from __future__ import annotations

import asyncio
import codecs
import json
import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Thread
from typing import Any, Final

from penstock.secrets.redaction import Redaction
from penstock.simulate import supervision
from penstock.simulate.host.process import HostProcess

_AT_ONCE: Final = 1 << 16

Raised = dict[str, Any]
"""The description of what a program raised (`raised.description_of`)."""


class ProgramLine:
    """The way to the process of a program, of an event loop that is running."""

    def __init__(self, process: HostProcess, redaction: Redaction) -> None:
        self._process, self._redaction = process, redaction
        self._loop = asyncio.get_running_loop()
        self._is_open = True
        self._begun = b""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._passing: deque[asyncio.Future[None]] = deque()
        self.path: asyncio.Future[Sequence[str]] = self._loop.create_future()
        """Where the program's interpreter looks for modules."""
        self.end: asyncio.Future[Raised | None] = self._loop.create_future()
        """What the program raised; None where it ran to its end. Unfinished where its process ended before that."""
        self.follow: Callable[[str], None] = lambda _: None
        """Takes the name of each module of an SDK that the program is about to import."""
        os.set_blocking(process.output, False)
        self._loop.add_reader(process.line, self._receive)
        self._loop.add_reader(process.output, self._show)
        Thread(target=self._watch, daemon=True).start()

    def send(self, kind: str, **content: Any) -> None:
        """Sends a message."""
        self._process.line.sendall(f"{json.dumps({'kind': kind, **content})}\n".encode())

    async def let_go_on(self) -> None:
        """Lets the program go on while it waits for an answer; returns once it does."""
        await self._answered("wait", self._waiting)

    async def pass_turns(self, number: int) -> None:
        """Returns after turns of the program's event loop."""
        await self._answered("pass", self._passing, turns=number)

    def close(self) -> None:
        """Stops to listen, once all is shown that was printed."""
        self._show()
        self._is_open = False
        self._loop.remove_reader(self._process.line)
        self._loop.remove_reader(self._process.output)
        self._process.close()

    async def _answered(self, kind: str, answers: deque[asyncio.Future[None]], **content: Any) -> None:
        answer = self._loop.create_future()
        answers.append(answer)
        self.send(kind, **content)
        await answer

    def _receive(self) -> None:
        while True:
            try:
                data = self._process.line.recv(_AT_ONCE, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self._loop.remove_reader(self._process.line)
                return
            *lines, self._begun = (self._begun + data).split(b"\n")
            for line in lines:
                self._take(json.loads(line))

    def _take(self, message: dict[str, Any]) -> None:
        kind = message["kind"]
        if kind == "learn":
            self._redaction.learn_value(message["value"])
        elif kind == "import":
            self.follow(message["module"])
        elif kind == "hello":
            self.path.set_result(message["path"])
        elif kind == "end":
            if not self.end.done():
                self.end.set_result(message["error"])
        else:
            {"waiting": self._waiting, "passed": self._passing}[kind].popleft().set_result(None)

    def _show(self) -> None:
        """Shows what was printed. A secret that the program has reported before that is known by then."""
        while True:
            try:
                data = os.read(self._process.output, _AT_ONCE)
            except BlockingIOError:
                return
            if not data:
                self._loop.remove_reader(self._process.output)
                return
            self._receive()
            sys.stderr.write(self._decoder.decode(data))

    def _watch(self) -> None:
        status = self._process.wait()
        with suppress(RuntimeError):  # the loop is over: the program has ended before its process was
            self._loop.call_soon_threadsafe(self._ended, status)

    def _ended(self, status: int) -> None:
        if not self._is_open:
            return
        self._receive()
        waited_for: asyncio.Future[Any] = self.end if self.path.done() else self.path
        if not waited_for.done():
            waited_for.set_exception(supervision.ended_early(status))
