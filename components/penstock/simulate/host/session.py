"""Runs a program in a process of its own interpreter, over the same monitor as one that runs in process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

import grpc
from pulumi.runtime.proto.engine_pb2_grpc import add_EngineServicer_to_server
from pulumi.runtime.proto.resource_pb2_grpc import add_ResourceMonitorServicer_to_server

from penstock.core.errors import PenstockError, ProgramFailed, Unfinished, UnusablePython
from penstock.secrets.redaction import Redaction
from penstock.secrets.streams import redacted_streams
from penstock.simulate import failure, supervision
from penstock.simulate.embedded_engine import EmbeddedEngine
from penstock.simulate.failure import Packages
from penstock.simulate.host.functions import LIMITS, RemoteFunctions
from penstock.simulate.host.line import ProgramLine, Raised
from penstock.simulate.host.process import HostProcess
from penstock.simulate.host.program_sdks import ProgramSdks
from penstock.simulate.host.services import Service
from penstock.simulate.interpreter import Interpreter
from penstock.simulate.monitor.callbacks import ProgramFunctions
from penstock.simulate.monitor.monitor import Monitor
from penstock.simulate.own_thread import in_a_thread_of_its_own
from penstock.simulate.program import ProgramFile, ProgramRun
from penstock.simulate.sdk_hooks import turned_off
from penstock.simulate.temporary import temporary_folder

_LONGEST_SOCKET: Final = 100
"""The length that the path of a socket may have on every system."""


MonitorFor = Callable[[ProgramFunctions], Monitor]
"""Makes the monitor of a run, which calls functions of the program."""


def run_hosted(
    process: HostProcess, program: ProgramFile, run: ProgramRun, monitor_for: MonitorFor, redaction: Redaction
) -> Monitor:
    """Run a program to its end in a process that waits for it; return the monitor.

    Raises:
        ProgramFailed: the program raised; the text shows where.
        UnusablePython: Pulumi cannot be imported there.
        Unfinished: the process ended before the program had.
    """
    done: list[Monitor] = []
    try:
        in_a_thread_of_its_own(lambda: done.append(asyncio.run(_served(process, program, run, monitor_for, redaction))))
    except KeyboardInterrupt:
        process.show_frames()
        raise
    finally:
        process.end()
    return done[0]


async def _served(
    process: HostProcess, program: ProgramFile, run: ProgramRun, monitor_for: MonitorFor, redaction: Redaction
) -> Monitor:
    streams = redacted_streams(redaction.of, process_ends=supervision.is_supervised())
    with streams, temporary_folder() as folder:
        line = ProgramLine(process, redaction)
        server = grpc.aio.server(options=LIMITS)
        try:
            path = await _path_of(line, process.interpreter)
            sdks, monitor = ProgramSdks(path), monitor_for(RemoteFunctions(line, run.root))
            service = Service(monitor, line, sdks)
            engine: Any = Service(EmbeddedEngine(redaction), line, sdks)
            add_ResourceMonitorServicer_to_server(cast(Any, service), server)
            add_EngineServicer_to_server(engine, server)
            line.send("run", **_message(program, run, _listening(server, folder)))
            line.follow = sdks.follow
            with sdks.in_use():
                await server.start()
                raised = await line.end
        finally:
            line.close()
            await server.stop(None)
    if raised is not None and raised.get("status", 1) not in (None, 0):
        error = _error_of(raised, process.interpreter, service.refused)
        packages = Packages(path, process.interpreter.executable)
        error = error or failure.program_failed_elsewhere(raised, run.root, redaction, packages)
        if isinstance(error, ProgramFailed):
            error.noted = tuple(monitor.findings)
        raise error
    monitor.findings += sdks.findings
    return monitor


async def _path_of(line: ProgramLine, interpreter: Interpreter) -> Sequence[str]:
    try:
        return await line.path
    except Unfinished:
        raise UnusablePython(f"{interpreter.executable} does not start. Create its environment anew") from None


def _listening(server: grpc.aio.Server, folder: str) -> str:
    """Open a way that other users of the machine do not have, where its path is not too long for a socket."""
    path = f"{folder}/engine"
    if len(path.encode()) <= _LONGEST_SOCKET:
        server.add_insecure_port(f"unix:{path}")
        return f"unix:{path}"
    return f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"


def _message(program: ProgramFile, run: ProgramRun, address: str) -> dict[str, Any]:
    """What the process is to run; the monitor and the engine are at one address."""
    return {
        "program": str(program.path),
        "entry": program.entry,
        "folder": str(program.folder),
        "packages": [str(each) for each in program.packages],
        "config": dict(run.config),
        "secret_keys": list(run.secret_keys),
        "settings": {**run.settings(), "monitor": address, "engine": address},
        "hooks_off": sorted(turned_off()),
    }


def _error_of(raised: Raised, interpreter: Interpreter, refused: Iterable[PenstockError]) -> PenstockError | None:
    """The error behind what a program raised: of its environment, or of what was refused; None if it is its own."""
    if raised.get("no_sdk"):
        said = "cannot import the Pulumi SDK: {type}: {text}".format_map(raised)
        why = "has no Pulumi SDK" if raised.get("missing") == "pulumi" else said
        what = f"Install what the program needs there, such as by `{interpreter.executable} -m pip install pulumi`"
        return UnusablePython(f"{interpreter.executable} {why}. {what}")
    return next((error for error in refused if str(error) in raised["text"]), None)
