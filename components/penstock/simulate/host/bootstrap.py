"""Runs a Pulumi program in its own interpreter, as the Pulumi CLI's Python host does it.

Penstock starts this file by its path, with the descriptor of a socket and the one that takes the frames of a program
that is late (or -1). It has the standard library only, of Python 3.8 and later, and leaves no module of Penstock to the
program. Messages are lines of JSON. To Penstock go `hello`, `learn`, `import`, `waiting`, `passed` and `end`; from it
come `run`, `wait` and `pass`.

https://github.com/pulumi/pulumi/blob/master/sdk/python/cmd/pulumi-language-python-exec
"""

from __future__ import annotations

import asyncio
import faulthandler
import importlib.util
import inspect
import json
import logging
import os
import queue
import runpy
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 a Path is not needed
_WARNING = 2
"""The severity of a warning in what the SDK logs."""

_MOST_WAITING = 256
"""The requests that may wait for functions of the program at once; those beyond wait for their turn."""


class _Line:
    """The way to Penstock, and from it."""

    def __init__(self, descriptor: int) -> None:
        os.set_inheritable(descriptor, False)
        self._socket = socket.socket(fileno=descriptor)
        self._sending = threading.Lock()
        self._runs: queue.Queue[dict[str, Any]] = queue.Queue()
        self.requests = _Requests()
        self.loop: asyncio.AbstractEventLoop | None = None
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, kind: str, **content: Any) -> None:
        line = json.dumps({"kind": kind, **content}, default=str)
        with self._sending:
            self._socket.sendall(f"{line}\n".encode())

    def learn(self, value: Any) -> None:
        """Reports a secret before anything of it can be printed."""
        self.send("learn", value=_plain(value))

    def importing(self, module: str) -> None:
        """Reports a module of an SDK, which Penstock reads the types of."""
        self.send("import", module=module)

    def run(self) -> dict[str, Any]:
        """Waits for what to run."""
        return self._runs.get()

    def _read(self) -> None:
        with self._socket.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                message = json.loads(line)
                if message["kind"] == "run":
                    self._runs.put(message)
                elif message["kind"] == "wait":
                    self.requests.go_on()
                    self.send("waiting")
                elif self.loop is not None:
                    asyncio.run_coroutine_threadsafe(self._pass(message["turns"]), self.loop)
        os._exit(0)  # Penstock is gone

    async def _pass(self, turns: int) -> None:
        for _ in range(turns):
            await asyncio.sleep(0)
        self.send("passed")


class _Requests(ThreadPoolExecutor):
    """Hands requests of the SDK to Penstock one after the other, so that each run makes them in the same order.

    Penstock answers at once, and the program waits for it; but not where a function of the program has a say in the
    answer.
    """

    def __init__(self) -> None:
        super().__init__(max_workers=_MOST_WAITING)
        self._under_way = 0
        self._counting = threading.Lock()
        self._go = threading.Event()

    def submit(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Future[Any]:  # type: ignore[override]
        if self._under_way >= _MOST_WAITING - 1:
            return super().submit(function, *args, **kwargs)
        go = self._go = threading.Event()
        with self._counting:
            self._under_way += 1
        future = super().submit(function, *args, **kwargs)
        future.add_done_callback(lambda _: self._done(go))
        go.wait()
        return future

    def go_on(self) -> None:
        """Lets the program go on before the request that it waits for is answered."""
        self._go.set()

    def _done(self, go: threading.Event) -> None:
        with self._counting:
            self._under_way -= 1
        go.set()


class _Turn:
    """Lets the first requests start, where the SDK waits for it: it then waits for them one after the other."""

    def __await__(self) -> Iterator[None]:
        yield


def _plain(value: Any) -> Any:
    """A value without what is no text, number, list or object: Penstock looks for secrets in those."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value if isinstance(value, (str, int, float)) else None


def _beside(name: str) -> Any:
    """A module that is beside the folder of this file, which no import of the program finds."""
    path = os.path.join(os.path.dirname(_HERE), f"{name}.py")  # noqa: PTH118, PTH120
    spec = importlib.util.spec_from_file_location(f"_{name}_of_penstock", path)
    assert spec is not None  # noqa: S101 it is a file with a loader
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _configure(pulumi: Any, run: dict[str, Any]) -> None:
    os.environ["PULUMI_CONFIG"] = json.dumps(run["config"])
    os.environ["PULUMI_CONFIG_SECRET_KEYS"] = json.dumps(run["secret_keys"])
    set_all = getattr(pulumi.runtime, "set_all_config", None)
    if set_all is None:
        for key, value in run["config"].items():
            pulumi.runtime.set_config(key, value)
    else:  # SDKs before version 3 take no keys of secrets
        set_all(*(run["config"], run["secret_keys"])[: len(inspect.signature(set_all).parameters)])
    known = inspect.signature(pulumi.runtime.Settings.__init__).parameters
    settings = {key: value for key, value in run["settings"].items() if key in known}
    configured = pulumi.runtime.Settings(**settings)
    pulumi.runtime.configure(configured)
    _leave_out_notes(configured.engine)


def _leave_out_notes(engine: Any) -> None:
    """Sends warnings and errors only: Penstock shows no more, and the SDK makes three notes of each resource."""
    log = engine.Log

    def log_problem(request: Any, *args: Any, **kwargs: Any) -> Any:
        return log(request, *args, **kwargs) if request.severity >= _WARNING else None

    engine.Log = log_problem


def _run_to_the_end(pulumi: Any, run: dict[str, Any], line: _Line) -> None:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.set_default_executor(line.requests)
    # Where a resource fails, each of its outputs carries the error. It is reported once, not for every output.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    loop.set_exception_handler(lambda _, __: None)
    line.loop = loop

    def program() -> Any:
        runpy.run_path(run["program"], run_name="__main__")
        return _Turn()

    loop.run_until_complete(pulumi.runtime.run_in_stack(program))


def _work(line: _Line, raised: Any) -> dict[str, Any] | None:
    """Runs the program; returns the description of what it raised."""
    try:
        import pulumi
        import pulumi.runtime
    except Exception as error:  # noqa: BLE001 whatever it is, it is reported
        return {"no_sdk": True, **raised.description_of(error)}
    run = line.run()
    sys.argv = [run["entry"]]
    os.chdir(run["folder"])
    sys.path[:0] = [run["folder"], *run["packages"]]
    try:
        _configure(pulumi, run)
        sdks, values, program = _beside("sdk_imports"), _beside("marked_values"), _beside("in_program")
        shortcuts = _beside("sdk_shortcuts").shortcuts(run["hooks_off"])
        imports = nullcontext() if "imports" in run["hooks_off"] else sdks.on_demand(line.importing)
        with imports, values.learning(pulumi.Output, line.learn), program.rehearsed(shortcuts):
            _run_to_the_end(pulumi, run, line)
    except BaseException as error:  # noqa: BLE001 whatever the program raises
        return raised.description_of(error)  # type: ignore[no-any-return]
    return None


def main() -> None:
    """Runs the program that Penstock names, and reports its end."""
    descriptor, frames = map(int, sys.argv[1:])
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != _HERE]  # noqa: PTH100
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace", line_buffering=True)  # type: ignore[union-attr]
    if frames >= 0:
        os.set_inheritable(frames, False)
        faulthandler.register(signal.SIGUSR1, file=frames, all_threads=True)
    line = _Line(descriptor)
    line.send("hello", path=sys.path, prefix=sys.prefix, python=list(sys.version_info[:2]))
    error = _work(line, _beside("raised"))
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # the program has closed it
            continue
    line.send("end", error=error)
    threading.Event().wait()  # Penstock ends this process, whatever threads the program left running


if __name__ == "__main__":
    main()
