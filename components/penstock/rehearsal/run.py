"""Runs a Pulumi program against the simulated clouds, as the Pulumi CLI's Python host would run it."""

from __future__ import annotations

import asyncio
import runpy
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from inspect import isawaitable
from pathlib import Path
from threading import Thread
from typing import Any

import pulumi
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import engine_pb2

from penstock.errors import PenstockError, ProgramFailed
from penstock.findings import Finding
from penstock.rehearsal import quotas, rules, sdk_imports
from penstock.rehearsal.graph import Graph
from penstock.rehearsal.monitor import Monitor
from penstock.rehearsal.rules import Judgement

Program = Callable[[], object]
"""What `pulumi up` would run. Where it is async, what it returns is waited for."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """One run: what would be built, what is wrong with it, and what the cloud rules said in all."""

    graph: Graph
    findings: tuple[Finding, ...]
    judgement: Judgement

    @property
    def ok(self) -> bool:
        """Whether nothing was found that blocks."""
        return not any(finding.blocks for finding in self.findings)


def rehearse(
    program: Program,
    *,
    project: str = "project",
    stack: str = "stack",
    config: Mapping[str, str] | None = None,
    secret_keys: Sequence[str] = (),
    root: Path | None = None,
    preview: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Rehearsal:
    """Runs `program` without a cloud.

    Args:
        program: what `pulumi up` would run: a function that registers resources, plain or async.
        project: the name of the Pulumi project.
        stack: the name of the stack.
        config: the stack's configuration, with namespaces (`aws:region`); objects as JSON.
        secret_keys: the keys of `config` that hold secrets.
        root: the project's folder, which places in findings are relative to.
        preview: leave computed values unknown, as before the first `pulumi up`.
        progress: called with the URN of each resource as it is registered.

    Raises:
        ProgramFailed: the program raised; the text tells where.
        InvalidDescription: `config` declares quotas in a wrong way.
    """
    declared = quotas.declared(config or {})
    folder = (root or Path.cwd()).resolve()
    monitor = Monitor(project, stack, config=config or {}, root=str(folder), preview=preview, progress=progress)

    def run() -> None:
        settings = pulumi.runtime.Settings(
            project=project,
            stack=stack,
            monitor=monitor,
            engine=_Log(),
            dry_run=preview,
            organization="organization",
            root_directory=str(folder),
        )
        pulumi.runtime.configure(settings)
        pulumi.runtime.set_all_config(dict(config or {}), list(secret_keys))
        _run_to_the_end(program)

    try:
        _in_a_thread_of_its_own(run)
    except PenstockError:
        raise
    except SystemExit as end:
        if end.code not in (None, 0):
            raise ProgramFailed(f"the program ended itself with status {end.code}") from None
    except Exception as error:
        raise ProgramFailed(_told(error, folder)) from error
    graph = monitor.graph()
    judgement = rules.judge(graph, quotas=declared)
    return Rehearsal(graph, (*monitor.findings, *judgement.findings), judgement)


def program_at(path: Path) -> Program:
    """The program in a folder or file, run as Pulumi's Python host runs it: in its folder, with that on the path."""
    folder = path if path.is_dir() else path.parent

    def run() -> None:
        with chdir(folder), _import_path(folder), sdk_imports.on_demand():
            runpy.run_path(str(path), run_name="__main__")

    return run


@contextmanager
def _import_path(folder: Path) -> Iterator[None]:
    """Lets a program import what stands beside it, and forgets it afterwards: the next program has its own modules."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if file is not None and Path(file).parent.is_relative_to(folder) and "site-packages" not in file:
                del sys.modules[name]


def _in_a_thread_of_its_own(work: Callable[[], None]) -> None:
    """Runs to the end what sets an event loop and Pulumi's settings, both of which the caller may have of its own."""
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


def _run_to_the_end(program: Program) -> None:
    with asyncio.Runner() as runner:
        runner.get_loop().set_default_executor(_Inline())
        runner.run(pulumi.runtime.run_in_stack(lambda: _started(program)))


async def _started(program: Program) -> None:
    result = program()
    if isawaitable(result):
        await result
    # Lets the first requests start. The SDK then waits for them one after the other; when it finds none under way, it
    # waits for all values of the program at once, again for each that resolves, which takes a long chain minutes.
    await asyncio.sleep(0)


class _Inline(ThreadPoolExecutor):
    """Answers in the caller's own thread.

    The SDK hands every request to a thread, because a real engine takes its time. Ours answers at once, so that the
    hand-over would be most of the cost.
    """

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 the future hands it to whoever waits
            future.set_exception(error)
        return future


class _Log:
    """Takes what the program logs through Pulumi; warnings and errors are for the person who runs it."""

    def Log(self, request: engine_pb2.LogRequest) -> Empty:  # noqa: N802 named as Pulumi's service names it
        if request.severity >= engine_pb2.WARNING:
            sys.stderr.write(f"{request.message}\n")
        return Empty()


def _told(error: Exception, root: Path) -> str:
    """The program's own error, with the innermost line of the project that led to it."""
    said = (
        str(error)
        .replace("The Pulumi CLI does not", "A rehearsal does not")
        .replace(" Please update the Pulumi CLI.", "")
    )
    message = f"the program failed: {type(error).__name__}: {said}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(root) and ".venv" not in path.parts:
            return f"{path.relative_to(root)}:{frame.lineno}\n  {message}"
    return message
