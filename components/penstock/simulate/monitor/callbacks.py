"""The functions that a program hands to the engine, called in the same process."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from google.protobuf.message import Message
from pulumi.runtime._callbacks import _CallbackServicer
from pulumi.runtime.proto.callback_pb2 import Callback


class ProgramFunctions(Protocol):
    """The functions that a program hands to the engine, wherever it runs, and the turns of its event loop."""

    async def call(self, callback: Callback, request: Message) -> Message:
        """Calls one of them."""

    async def pass_turns(self, number: int) -> None:
        """Returns after turns of the program's event loop."""


class Callbacks(_CallbackServicer):
    """The SDK's own register of such functions, without the server by which another process would reach it."""

    def __init__(self, monitor: Any) -> None:
        # The SDK's constructor would open a port; these are the fields that its methods use.
        self._callbacks = {}
        self._transforms = {}
        self._state_migrations = {}
        self._monitor = monitor
        self._target = ""

    async def call(self, callback: Callback, request: Message) -> Message:
        """Calls one of them; what it raises is the program's own error."""
        return await self._callbacks[callback.token](request.SerializeToString())

    async def pass_turns(self, number: int) -> None:
        """Returns after turns of the event loop, which is the program's own."""
        for _ in range(number):
            await asyncio.sleep(0)
