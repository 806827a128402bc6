"""Runs a program in this process, from its first line until no value of it is waited for."""

from __future__ import annotations

import asyncio
from inspect import isawaitable

import pulumi

from penstock.core.errors import InvalidDescription, PenstockError, ProgramFailed
from penstock.secrets.redaction import Redaction
from penstock.secrets.streams import redacted_streams
from penstock.simulate import failure, supervision
from penstock.simulate.embedded_engine import EmbeddedEngine
from penstock.simulate.in_program import rehearsed
from penstock.simulate.inline import Inline
from penstock.simulate.marked_values import learning
from penstock.simulate.monitor.monitor import Monitor
from penstock.simulate.own_thread import in_a_thread_of_its_own
from penstock.simulate.program import Program, ProgramRun
from penstock.simulate.sdk_hooks import turned_off
from penstock.simulate.sdk_shortcuts import shortcuts


def run_in_process(program: Program, run: ProgramRun, monitor: Monitor, redaction: Redaction) -> None:
    """Run a program to its end.

    Raises:
        ProgramFailed: the program raised; the text shows where.
    """

    def work() -> None:
        settings = pulumi.runtime.Settings(**run.settings(), monitor=monitor, engine=EmbeddedEngine(redaction))
        settings.callbacks = monitor.callbacks
        pulumi.runtime.configure(settings)
        pulumi.runtime.set_all_config(dict(run.config), list(run.secret_keys))
        configured = (pulumi.runtime.config, "get_config_env", lambda _: dict)  # none but that of the run
        with (
            learning(pulumi.Output, redaction.learn_value),
            redacted_streams(redaction.of, process_ends=supervision.is_supervised()),
            rehearsed((*shortcuts(turned_off()), configured)),
        ):
            try:
                _run_to_the_end(program)
            except KeyboardInterrupt as error:  # raised by the program: Ctrl-C interrupts the main thread
                raise failure.program_failed(error, run.root, redaction) from None

    failed: ProgramFailed | InvalidDescription | None = None
    try:
        in_a_thread_of_its_own(work)
    except ProgramFailed as error:
        error.noted = tuple(monitor.findings)
        raise
    except (PenstockError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 whatever the program raises
        if not isinstance(error, SystemExit) or error.code not in (None, 0):
            failed = failure.program_failed(error, run.root, redaction)
    if isinstance(failed, ProgramFailed):
        failed.noted = tuple(monitor.findings)
    if failed is not None:
        raise failed


def _run_to_the_end(program: Program) -> None:
    runner = asyncio.Runner()
    loop = runner.get_loop()
    loop.set_default_executor(Inline())
    # Where a resource fails, each of its outputs carries the error. It is reported once, not for every output.
    loop.set_exception_handler(lambda _, __: None)
    try:
        runner.run(pulumi.runtime.run_in_stack(lambda: _started(program)))
    except Exception:
        runner.close()
        raise
    except BaseException:
        loop.close()  # such as of sys.exit in a function of an output: the others wait for it, and it for nobody
        raise
    runner.close()


async def _started(program: Program) -> None:
    result = program()
    if isawaitable(result):
        await result
    # Lets the first requests start. The SDK then waits for them one after the other; when it finds none under way, it
    # waits for all values of the program at once, again for each that resolves, which takes a long chain minutes.
    await asyncio.sleep(0)
