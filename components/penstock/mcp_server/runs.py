"""Runs of commands for an assistant: one after the other, each in a process of its own that a warm process forks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

from penstock.core.errors import Unfinished
from penstock.simulate.warm import FinishedRun, WarmProcess

_NO_RESULT: Final = 2
_MOST_MESSAGES: Final = 2000


class RefusedRun(Exception):
    """A run without a result: its findings say why."""

    def __init__(self, findings: list[dict[str, Any]]) -> None:
        super().__init__(findings)
        self.findings = findings


class CommandRuns:
    """Runs commands in a warm process, and reads what they write in JSON."""

    def __init__(self, warm: WarmProcess) -> None:
        self._warm = warm
        self._one_by_one = asyncio.Lock()
        self._prepared: set[tuple[str, str]] = set()

    async def run_stack(self, command: str, folder: str, stack: str, **options: Any) -> Mapping[str, Any]:
        """Run a command on a stack as `run` does; before the first one, the warm process fills its caches for it.

        Raises:
            RefusedRun: as `run`.
            Unfinished: as `run`.
        """
        if (folder, stack) not in self._prepared:
            self._prepared.add((folder, stack))
            self._warm.prepare(folder, stack)
        return await self.run(command, env=folder, stack=stack, **options)

    async def run(self, command: str, **options: Any) -> Mapping[str, Any]:
        """Run a command to its end, and return its report; a request that is cancelled ends the run.

        Raises:
            RefusedRun: it has no result.
            Unfinished: it was killed, or the warm process is gone.
        """
        async with self._one_by_one:
            number = self._warm.begin(command, json.dumps(options))
            try:
                run = await self._ended(number)
            except asyncio.CancelledError:
                self._warm.abandon()
                raise
        report = _report(run)
        if run.status == _NO_RESULT:
            raise RefusedRun(report.get("findings", []))
        return report

    async def _ended(self, number: int) -> FinishedRun:
        loop = asyncio.get_running_loop()
        while True:
            ready = asyncio.Event()
            loop.add_reader(self._warm.fileno(), ready.set)
            try:
                await ready.wait()
            finally:
                loop.remove_reader(self._warm.fileno())
            run = self._warm.finished()
            if run.number == number:
                return run


def _report(run: FinishedRun) -> Mapping[str, Any]:
    try:
        report: Mapping[str, Any] = json.loads(run.result)
        if isinstance(report.get("json"), str):  # of commands that hand over reports in several formats
            report = json.loads(report["json"])
    except ValueError:
        messages = run.messages.strip()[-_MOST_MESSAGES:]
        raise Unfinished(messages or f"the command ended with status {run.status} and no report") from None
    return report
