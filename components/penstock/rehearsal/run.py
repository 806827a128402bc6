"""Runs a Pulumi program against the simulated clouds, from its first line until no value of it is waited for."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from inspect import isawaitable
from pathlib import Path
from threading import Thread
from typing import Final

import pulumi
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import engine_pb2

from penstock.errors import PenstockError, ProgramFailed
from penstock.findings import Finding, Severity
from penstock.preconditions import Precondition, preconditions_of
from penstock.rehearsal import failure, quotas
from penstock.rehearsal.in_program import rehearsed
from penstock.rehearsal.inline import Inline
from penstock.rehearsal.monitor.monitor import Monitor
from penstock.rehearsal.program import Program
from penstock.rehearsal.redaction import Redaction, watched
from penstock.rehearsal.stack_outputs import StackOutputs
from penstock.rehearsal.stack_outputs import declared as declared_outputs
from penstock.resources.graph import Graph
from penstock.resources.provenance import ValueProvenance
from penstock.rules.judge import Report, judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings

_OF_TYPES: Final = "TYPE-"
"""The beginning of the codes of findings on values of a wrong type."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """One run: what would be built, what is wrong with it, the report of the provider rules, and what must be there.

    `redaction` knows the run's secrets, so that no report shows one.
    """

    graph: Graph
    findings: tuple[Finding, ...]
    judgement: Report
    preconditions: tuple[Precondition, ...] = ()
    redaction: Redaction = field(default_factory=lambda: Redaction({}, ()), repr=False, compare=False)
    quotas: Mapping[str, float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """True if nothing was found that blocks."""
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
    before: Graph | None = None,
    settings: Settings | None = None,
    placed: Callable[[Graph], Graph] | None = None,
    stack_outputs: StackOutputs | None = None,
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
        before: what exists already, of an earlier run or of a state; what did not change stays as it is there.
        settings: which provider rules are lowered, disabled or waived.
        placed: gives the resources other places than the lines of the program that create them.
        stack_outputs: the outputs of other stacks, by their names; those in `config` hold beneath them.

    Raises:
        ProgramFailed: the program raised; the text shows where.
        InvalidDescription: `config` declares quotas in a wrong way.
        UnusableStackOutputs: `config` has outputs of other stacks in a wrong form.
    """
    declared = quotas.declared(config or {})
    folder = (root or Path.cwd()).resolve()
    redaction = Redaction(config or {}, secret_keys)
    monitor = Monitor(
        project,
        stack,
        redaction=redaction,
        config=config or {},
        secret_keys=tuple(secret_keys),
        root=str(folder),
        preview=preview,
        progress=progress,
        before=before,
        stack_outputs={**declared_outputs(config or {}, secret_keys), **(stack_outputs or {})},
    )

    def run() -> None:
        settings = pulumi.runtime.Settings(
            project=project,
            stack=stack,
            monitor=monitor,
            engine=_Engine(redaction),
            dry_run=preview,
            organization="organization",
            root_directory=str(folder),
        )
        settings.callbacks = monitor.callbacks
        pulumi.runtime.configure(settings)
        pulumi.runtime.set_all_config(dict(config or {}), list(secret_keys))
        with watched(redaction), rehearsed():
            try:
                _run_to_the_end(program)
            except KeyboardInterrupt as error:  # raised by the program: Ctrl-C interrupts the main thread
                raise failure.program_failed(error, folder, redaction) from None

    failed: ProgramFailed | None = None
    try:
        _in_a_thread_of_its_own(run)
    except ProgramFailed as error:
        error.noted = tuple(monitor.findings)
        raise
    except (PenstockError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 whatever the program raises
        if not isinstance(error, SystemExit) or error.code not in (None, 0):
            failed = failure.program_failed(error, folder, redaction)
    if failed is not None:
        failed.noted = tuple(monitor.findings)
        raise failed
    graph = placed(monitor.graph()) if placed is not None else monitor.graph()
    judgement = judge(graph, settings or Settings(), RuleKind.PROVIDER, quotas=declared, before=before)
    needed = preconditions_of(graph, declared)
    found = (*_on_known_values(monitor.findings, graph), *judgement.findings)
    return Rehearsal(graph, found, judgement, needed, redaction, declared)


def _on_known_values(findings: Sequence[Finding], graph: Graph) -> Iterator[Finding]:
    """Findings on types, of which those on an invented value are only noted: the real one may be of the right type."""
    provenance = ValueProvenance(graph)
    for finding in findings:
        of_type = finding.code.startswith(_OF_TYPES) and finding.urn and finding.path
        invention = provenance.invention(finding.urn or "", finding.path or "") if of_type else None
        if invention is None:
            yield finding
        else:
            message = f"{finding.message}; the simulation invented the value, {invention}, so that this is undetermined"
            yield replace(finding, severity=Severity.INFO, message=message, hint="")


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


class _Engine:
    """The engine's service for a program; its methods are named as those of Pulumi's service."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction

    def Log(self, request: engine_pb2.LogRequest) -> Empty:  # noqa: N802
        """Takes what the program logs; warnings and errors are for the person who runs it."""
        if request.severity >= engine_pb2.WARNING:
            sys.stderr.write(f"{self._redaction.of(request.message)}\n")
        return Empty()

    def RequirePulumiVersion(  # noqa: N802
        self, _: engine_pb2.RequirePulumiVersionRequest
    ) -> engine_pb2.RequirePulumiVersionResponse:
        """Lets every version pass: no Pulumi CLI is there, whose version it could be."""
        return engine_pb2.RequirePulumiVersionResponse()
