"""Functions of a program in another process, which the SDK there serves: transforms and hooks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf.message import Message
from pulumi.runtime.proto import resource_pb2
from pulumi.runtime.proto.callback_pb2 import Callback, CallbackInvokeRequest
from pulumi.runtime.proto.callback_pb2_grpc import CallbacksStub

from penstock.core.errors import ProgramFailed
from penstock.simulate.host.line import ProgramLine

LIMITS: Final = (("grpc.max_receive_message_length", 1 << 29), ("grpc.max_send_message_length", 1 << 29))
_FRAME: Final = re.compile(r'^ *File "(?P<file>.+)", line (?P<line>\d+), in .*\n(?: {4}.*\n?)*', re.MULTILINE)


class RemoteFunctions:
    """Calls functions of the program, and knows the turns of its event loop."""

    def __init__(self, line: ProgramLine, root: Path) -> None:
        self._line, self._root = line, root
        self._stubs: dict[str, Any] = {}

    async def call(self, callback: Callback, request: Message) -> Message:
        """Calls one of them.

        Raises:
            ProgramFailed: it raised.
        """
        if callback.target not in self._stubs:
            # A proxy that the environment names is for what is not on this machine.
            options = (*LIMITS, ("grpc.enable_http_proxy", 0))
            self._stubs[callback.target] = CallbacksStub(grpc.aio.insecure_channel(callback.target, options=options))
        question = CallbackInvokeRequest(token=callback.token, request=request.SerializeToString())
        try:
            answer = await self._stubs[callback.target].Invoke(question)
        except grpc.RpcError as error:
            raise self._failed(str(error.details()).removeprefix(f"Invoke callback {callback.token} error: ")) from None
        kind = getattr(resource_pb2, type(request).__name__.replace("Request", "Response"))
        return kind.FromString(answer.response)  # type: ignore[no-any-return]

    async def pass_turns(self, number: int) -> None:
        """Returns after turns of the program's event loop."""
        await self._line.pass_turns(number)

    def _failed(self, said: str) -> ProgramFailed:
        message = f"a function of the program failed: {_FRAME.sub('', said).strip().removesuffix(':')}"
        for frame in reversed(list(_FRAME.finditer(said))):
            path = Path(frame["file"])
            if path.is_relative_to(self._root) and "site-packages" not in path.parts:
                return ProgramFailed(message, str(path.relative_to(self._root)), int(frame["line"]))
        return ProgramFailed(message)
