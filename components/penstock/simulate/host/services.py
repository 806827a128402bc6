"""Serves a program in another process what the monitor and the engine answer in this one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import iscoroutine
from typing import Any

import grpc

from penstock.core.errors import PenstockError
from penstock.simulate.host.line import ProgramLine
from penstock.simulate.host.program_sdks import ProgramSdks

Handler = Callable[[Any, "grpc.aio.ServicerContext"], Awaitable[Any]]


class Service:
    """One of Pulumi's services: its methods are those of the object that answers.

    What that refuses is kept: the program hears its text only.
    """

    def __init__(self, answering: object, line: ProgramLine, sdks: ProgramSdks) -> None:
        self._answering, self._line, self._sdks = answering, line, sdks
        self.refused: list[PenstockError] = []

    def __getattr__(self, name: str) -> Handler:
        method = getattr(self._answering, name, None)

        async def answered(request: Any, context: grpc.aio.ServicerContext) -> Any:
            status = grpc.StatusCode.UNKNOWN
            try:
                if method is not None:
                    return await self._answer(method, request)
                status, problem = grpc.StatusCode.UNIMPLEMENTED, f"a rehearsal does not have {name}"
            except PenstockError as error:
                self.refused.append(error)
                problem = str(error)
            except Exception as error:  # noqa: BLE001 the program hears of it, and its failure is reported
                problem = f"{type(error).__name__}: {error}"
            return await context.abort(status, problem)  # which raises

        return answered

    async def _answer(self, method: Callable[[Any], Any], request: Any) -> Any:
        token = getattr(request, "type", "") or getattr(request, "tok", "")
        if token:
            self._sdks.load(token)
        answer = method(request)
        if not iscoroutine(answer):
            return answer
        await self._line.let_go_on()
        return await answer
