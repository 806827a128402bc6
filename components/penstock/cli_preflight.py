"""The command `penstock preflight`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol

from penstock.cli_options import AsFormat, Env, Format, OtherStacks, Out, Stack, Timeout

if TYPE_CHECKING:
    from rich.console import Console

    from penstock.report.preflight import PreflightReport


class RunsCommand(Protocol):
    """Does the work of a command in a process of its own."""

    def __call__(  # noqa: D102 - as the protocol
        self, format_: Format, env: str, out: Path | None, timeout: float | None, program: tuple[str, str | None]
    ) -> AbstractContextManager[None]: ...


class ReportsPreflight(Protocol):
    """Writes the report of a command, and ends it."""

    def __call__(  # noqa: D102 - as the protocol
        self,
        assessment: PreflightReport,
        format_: Format,
        out: Path | None,
        show: Callable[[PreflightReport, Console], None],
    ) -> NoReturn: ...


def preflight_command(running: RunsCommand, report: ReportsPreflight) -> Callable[..., None]:
    """Return the command, which runs and reports as the others do."""

    def preflight(
        env: Env,
        stack: Stack = None,
        format_: AsFormat = Format.TEXT,
        out: Out = None,
        *,
        stack_output: OtherStacks = None,
        timeout: Timeout = None,
    ) -> None:
        """Ask the real clouds of ENV for every precondition of `pulumi up`. Reads only, with your credentials."""
        with running(format_, env, out, timeout, (env, stack)):
            from penstock.rehearsal.environment import find_environment
            from penstock.rehearsal.stack_outputs import read
            from penstock.report.preflight import preflight_of, show

            answered = preflight_of(find_environment(env, stack, stack_outputs=read(stack_output or ())))
        report(answered, format_, out, show)

    return preflight
