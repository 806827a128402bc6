"""Runs what sets an event loop, and Pulumi's settings, both of which the caller may have of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread


def in_a_thread_of_its_own(work: Callable[[], None]) -> None:
    """Runs to the end what sets an event loop and Pulumi's settings."""
    done: Future[None] = Future()

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 the caller gets it
            done.set_exception(error)
        else:
            done.set_result(None)

    Thread(target=run, daemon=True).start()
    done.result()
