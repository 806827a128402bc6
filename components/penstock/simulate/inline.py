"""Answers requests of the Pulumi SDK at once, in the thread that asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from inspect import iscoroutine
from typing import Any


class Inline(ThreadPoolExecutor):
    """Stands in for the threads of an event loop.

    The SDK hands every request to a thread, because a real engine takes its time. Ours answers at once, so that the
    hand-over would be most of the cost. An answer that functions of the program have a say in is a coroutine: the event
    loop runs it, as it runs those functions.
    """

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Calls the function; what comes back is done, unless the answer is a coroutine."""
        future: Future[Any] = Future()
        try:
            answer = function(*args, **kwargs)
        except BaseException as error:  # noqa: BLE001 the future hands it to whoever waits
            future.set_exception(error)
            return future
        # The SDK pairs the answer to the call of a provider's function with an error.
        if iscoroutine(answer) or (isinstance(answer, tuple) and any(map(iscoroutine, answer))):
            coming = asyncio.ensure_future(_awaited(answer))
            coming.add_done_callback(lambda come: _hand_over(come, future))
        else:
            future.set_result(answer)
        return future


async def _awaited(answer: Any) -> Any:
    if isinstance(answer, tuple):
        return tuple([await part if iscoroutine(part) else part for part in answer])
    return await answer


def _hand_over(come: asyncio.Future[Any], future: Future[Any]) -> None:
    error = come.exception()
    if error is None:
        future.set_result(come.result())
    else:
        future.set_exception(error)
