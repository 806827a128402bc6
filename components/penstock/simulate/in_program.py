"""What stands between a program and its SDK: questions that only a rehearsal can answer, and functions that fail.

It needs the standard library and `pulumi` only: a program may run in an interpreter of its own. What it has to report
goes to the monitor, as calls of functions that no provider has (`TOKENS`).

- `is_dry_run()` is true for a program, though its values are computed as by `pulumi up`: what it does by itself when
  it is run for real (calls of a cloud's API, files, waiting) is not for a rehearsal. The SDK's own code goes on by the
  true answer.
- A function of an output may take apart a value that no cloud has given. If it fails then, that says nothing of the
  program: its output is unknown, and the program goes on.
- The SDK reads no environment variable: with `AWS_REGION` or `KUBECONFIG` of a machine, the verdict would depend on the
  machine. What the program itself reads is its own business.
- A script that runs the Pulumi CLI is refused: it would provision for real.
- The outputs of other stacks are noted by the names that the program asks for.
- The text of an Output or a resource itself, such as in an f-string, is noted with its line.
- An Output that the program compares with a plain value, or tests as a boolean, is noted.
- An encrypted value of the configuration that cannot be read here is one of the kind that the program asks for.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, wraps
from inspect import isawaitable
from typing import Any

import pulumi
from pulumi.output import UNKNOWN, Unknown
from pulumi.runtime import config, settings
from pulumi.runtime.proto import resource_pb2 as rpc
from pulumi.runtime.rpc import UNKNOWN as UNKNOWN_TEXT

TOKENS = "penstock:rehearsal:"
"""How the tokens begin by which a program's side speaks to the monitor."""

DRY_RUN = f"{TOKENS}askedForDryRun"
FAILED = f"{TOKENS}outputFailed"
STACK_OUTPUT = f"{TOKENS}askedForStackOutput"
FORMATTED = f"{TOKENS}formatted"
COMPARED = f"{TOKENS}compared"

REHEARSAL = "PENSTOCK_REHEARSAL"
"""The environment variable by which components find that they are rehearsed."""

ENCRYPTED = "encrypted-by-pulumi"
"""The value that stands for an encrypted one (`penstock.graph.values`)."""

_READS_VALUES = "deserialize_property"
"""The SDK's function that reads what the engine answers. Only in a dry run does it keep what is unknown as such."""

_TEST = "__bool__"
"""The one function that the SDK's class does not have: without it, each Output is true."""

_KINDS = {"_get_bool": bool, "_get_int": int, "_get_float": float, "_get_object": dict}
_ORIGINS, _REFERENCE = "_penstock_origins", "_penstock_reference"
_OUTPUTS = pulumi.Output.__module__

_rehearsed: ContextVar[bool] = ContextVar("rehearsed", default=False)
"""Modules that outlive a program may have imported its `is_dry_run`."""
_around: ContextVar[list[Any] | None] = ContextVar("around", default=None)
"""Where the value comes from that the running function of an output has been given."""


@contextmanager
def rehearsed(more: Iterable[tuple[Any, str, Callable[[Any], Any]]]) -> Iterator[None]:
    """Let what runs inside, on this thread, meet the SDK as a rehearsed program does, with `more` of it exchanged."""
    token = _rehearsed.set(True)
    doors = [each for each in (*_doors(), *more) if hasattr(*each[:2]) or each[1] == _TEST]
    before = [(owner, name, vars(owner).get(name)) for owner, name, _ in doors]
    for owner, name, changing in doors:
        former = vars(owner).get(name, getattr(owner, name, None))
        is_static = isinstance(former, (staticmethod, classmethod))
        changed = changing(former.__func__ if is_static else former)
        setattr(owner, name, staticmethod(changed) if is_static else changed)
    os.environ[REHEARSAL] = "true"
    try:
        yield
    finally:
        os.environ.pop(REHEARSAL, None)
        for owner, name, former in before:
            if former is None:
                delattr(owner, name)
            else:
                setattr(owner, name, former)
        _rehearsed.reset(token)


def _doors() -> Iterator[tuple[Any, str, Callable[[Any], Any]]]:
    """The functions of the SDK that are exchanged while a program runs, of those that its version has."""
    yield pulumi.Output, "apply", _guarded_apply
    yield pulumi.Output, "all", _remembering_all
    yield pulumi.Output, "__getitem__", _noting_key
    yield pulumi.Output, "__str__", _noting_text
    yield pulumi.Output, "__repr__", _noting_object
    yield pulumi.Output, "__eq__", _noting_comparison
    yield pulumi.Output, _TEST, _noting_test
    yield pulumi.Resource, "__repr__", _noting_object
    yield Unknown, "__str__", _unknown_text
    yield pulumi.StackReference, "__init__", _marking_outputs
    yield pulumi.StackReference, "get_output", _noting
    yield pulumi.StackReference, "require_output", _noting
    yield pulumi.StackReference, "get_output_details", _detailing
    for name, kind in _KINDS.items():
        yield pulumi.Config, name, partial(_standing_in, kind)
    yield os, "getenv", _unset_for_sdks
    yield config, "get_config_env_key", lambda _: lambda _: ""
    yield pulumi.runtime, "is_dry_run", _dry_run_of
    yield settings, "is_dry_run", _dry_run_of
    automation = getattr(pulumi, "automation", None)  # SDKs before version 3 have none
    if commands := getattr(automation, "_cmd", None):
        yield commands, "_run_pulumi_cmd", _refused
    if command := getattr(automation, "PulumiCommand", None):
        yield command, "__init__", _refused
        yield command, "install", _refused


def _unset_for_sdks(getenv: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(getenv)
    def unset_for_sdks(key: str, default: Any = None) -> Any:
        package, _, module = sys._getframe(1).f_globals.get("__name__", "").partition(".")  # noqa: SLF001 who asks
        is_sdk = package == "pulumi" or (package.startswith("pulumi_") and module == "_utilities")
        return default if is_sdk else getenv(key, default)

    return unset_for_sdks


def _dry_run_of(truth: Callable[[], bool]) -> Callable[[], bool]:
    @wraps(truth)
    def is_dry_run() -> bool:
        asks = sys._getframe(1)  # noqa: SLF001 who asks decides the answer
        if _rehearsed.get() and asks.f_code.co_name == _READS_VALUES:
            return True
        package = asks.f_globals.get("__name__", "").partition(".")[0]
        if not _rehearsed.get() or package == "pulumi":
            return truth()
        if not truth() and package != "penstock":
            _ask(DRY_RUN, frames=_frames(traceback.extract_stack(asks)))
        return True

    return is_dry_run


def _unknown_text(_: Callable[[Any], str]) -> Callable[[Any], str]:
    """Make a text that holds an unknown value, such as a plain result of a function, one that is unknown itself."""
    return lambda _: UNKNOWN_TEXT


# ---------------------------------------------------------------------- functions of outputs


def _guarded_apply(apply: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(apply)
    def guarded_apply(self: Any, func: Callable[[Any], Any], run_with_unknowns: bool = False) -> Any:  # noqa: FBT001,FBT002
        origins = [self]
        if (around := _around.get()) is not None:
            origins.append(around)
        # What is not the program's own code, as `int` or `output["key"]`, fails without a line of it.
        own = hasattr(func, "__code__") and func.__module__ != _OUTPUTS
        place = [] if own else _line_of_program()

        def guarded(value: Any) -> Any:
            token = _around.set(origins)
            try:
                result = func(value)
            except Exception as error:  # noqa: BLE001 whatever the program raises
                return _unknown_or_raised(error, origins, place)
            finally:
                _around.reset(token)
            if isinstance(result, pulumi.Output):
                origins.append(result)
            elif isawaitable(result):
                return _guarded_awaitable(result, origins)
            return result

        found = apply(self, guarded, run_with_unknowns)
        vars(found)[_ORIGINS] = origins
        return found

    return guarded_apply


async def _guarded_awaitable(result: Awaitable[Any], origins: list[Any]) -> Any:
    token = _around.set(origins)
    try:
        return await result
    except Exception as error:  # noqa: BLE001 whatever the program raises
        return _unknown_or_raised(error, origins)
    finally:
        _around.reset(token)


def _remembering_all(all_: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(all_)
    def remembering_all(*args: Any, **kwargs: Any) -> Any:
        found = all_(*args, **kwargs)
        vars(found)[_ORIGINS] = [*_outputs_in(args), *_outputs_in(kwargs)]
        return found

    return remembering_all


def _outputs_in(value: Any) -> Iterator[Any]:
    if isinstance(value, pulumi.Output):
        yield value
    elif isinstance(value, (dict, Mapping)):
        for item in value.values():
            yield from _outputs_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _outputs_in(item)
    elif hasattr(type(value), "_pulumi_input_type"):
        yield from _outputs_in(vars(value))


def _line_of_program() -> list[dict[str, Any]]:
    frame: Any = sys._getframe(2)  # noqa: SLF001
    while frame is not None and frame.f_globals.get("__name__") in (__name__, _OUTPUTS):
        frame = frame.f_back
    return [{"file": frame.f_code.co_filename, "line": frame.f_lineno}] if frame is not None else []


def _unknown_or_raised(error: Exception, origins: list[Any], place: Sequence[Mapping[str, Any]] = ()) -> Any:
    """Return the unknown value where the monitor finds a made-up one among what the function was given.

    A missing configuration is the program's own, whatever was given.
    """
    if isinstance(error, pulumi.RunError):
        raise error
    answer = _ask(
        FAILED,
        error=f"{type(error).__name__}: {error}",
        frames=[*_frames(traceback.extract_tb(error.__traceback__)), *place],
        sources=[_described(source) for source in _sources(origins) if _is_resolved(source)],
    )
    if answer["excused"]:
        return UNKNOWN
    raise error


def _sources(origins: list[Any]) -> Iterator[Any]:
    """The outputs at the beginning of a chain, such as the properties of resources."""
    waiting, seen = [origins], set()
    while waiting:
        for origin in waiting.pop():
            if id(origin) in seen:
                continue
            seen.add(id(origin))
            above = origin if isinstance(origin, list) else vars(origin).get(_ORIGINS)
            if above is None:
                yield origin
            else:
                waiting.append(above)


def _described(source: Any) -> dict[str, Any]:
    resources, value = _resolved(source)
    return {
        "of": [
            {"urn": _resolved(resource.urn)[1], "property": _name_in(resource, source)}
            for resource in resources
            if "urn" in vars(resource)
        ],
        "leaves": list(_leaves(value)),
    }


def _is_resolved(output: Any) -> bool:
    own = vars(output)
    futures = [own[name] for name in ("_data", "_resources", "_future") if name in own]
    return all(future.done() and not future.cancelled() and future.exception() is None for future in futures)


def _resolved(output: Any) -> tuple[Sequence[Any], Any]:
    """The resources and the value of an output that has been waited for. Older SDKs keep them apart."""
    own = vars(output)
    if "_data" in own:
        data = own["_data"].result()
        return list(data.resources), data.value
    return list(own["_resources"].result()), own["_future"].result()


def _name_in(resource: Any, source: Any) -> str:
    return next((name for name, value in vars(resource).items() if value is source), "")


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (dict, Mapping)):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    elif hasattr(type(value), "_pulumi_output_type"):  # the result of a function of a provider
        yield from _leaves(vars(value))
    else:
        yield value if isinstance(value, (str, bool, int, float, type(None))) else str(value)


# ---------------------------------------------------------------------- outputs in place of their values


def _noting_text(text_of: Callable[[Any], str]) -> Callable[[Any], str]:
    """Number the text of an Output, without the SDK's warning: the monitor reports where the text arrives."""

    @wraps(text_of)
    def noting_text(self: Any) -> str:
        if not _rehearsed.get():
            return text_of(self)
        return f"Calling __str__ on an Output[T] is not supported ({_numbered(sys._getframe(1), is_output=True)})."  # noqa: SLF001

    return noting_text


def _noting_object(text_of: Callable[[Any], str]) -> Callable[[Any], str]:
    @wraps(text_of)
    def noting_object(self: Any) -> str:
        if not _rehearsed.get():
            return text_of(self)
        kind = type(self)
        return f"<{kind.__module__}.{kind.__qualname__} object at 0x0 ({_numbered(sys._getframe(1), is_output=False)})>"  # noqa: SLF001

    return noting_object


def _numbered(frame: Any, *, is_output: bool) -> str:
    answer = _ask(FORMATTED, frames=_frames(traceback.extract_stack(frame)), is_output=is_output)
    return f"text no. {int(answer['number'])}"


def _noting_comparison(_: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def noting_comparison(self: Any, other: Any) -> Any:
        asks = sys._getframe(1)  # noqa: SLF001
        if isinstance(other, (str, int, float)) and _is_of_program(asks):
            _ask(COMPARED, frames=_frames(traceback.extract_stack(asks)), other=str(other))
        return True if self is other else NotImplemented

    return noting_comparison


def _noting_test(_: Any) -> Callable[[Any], bool]:
    """Note the test of a boolean: it is the same for true and false. Others may ask if an Output is given at all."""

    def noting_test(self: Any) -> bool:
        asks = sys._getframe(1)  # noqa: SLF001
        if _is_of_program(asks):
            frames = _frames(traceback.extract_stack(asks))
            self.apply(lambda value: _ask(COMPARED, frames=frames) if isinstance(value, bool) else None)
        return True

    return noting_test


def _is_of_program(frame: Any) -> bool:
    return _rehearsed.get() and not frame.f_globals.get("__name__", "").startswith("pulumi")


# ---------------------------------------------------------------------- outputs of other stacks


def _noting(get: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(get)
    def noting(self: Any, name: Any) -> Any:
        frames = _frames(traceback.extract_stack(sys._getframe(1)))  # noqa: SLF001 the line that asks
        pulumi.Output.all(self.urn, name).apply(lambda asked: _note(asked[0], asked[1], frames))
        return get(self, name)

    return noting


def _marking_outputs(make: Callable[..., None]) -> Callable[..., None]:
    @wraps(make)
    def marking_outputs(self: Any, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        vars(self.outputs)[_REFERENCE] = self

    return marking_outputs


def _noting_key(get: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(get)
    def noting_key(self: Any, key: Any) -> Any:
        if (reference := vars(self).get(_REFERENCE)) is not None:
            reference.urn.apply(partial(_note, name=key, frames=_frames(traceback.extract_stack(sys._getframe(1)))))  # noqa: SLF001
        return get(self, key)

    return noting_key


def _detailing(get: Callable[..., Any]) -> Callable[..., Any]:
    noting = _noting(get)

    @wraps(get)
    async def detailing(self: Any, name: str) -> Any:
        details = await noting(self, name)
        if not await self.outputs.is_known():
            details.value = self.outputs[name]  # None would stop the program, as the stack had no such output
        return details

    return detailing


def _note(urn: str, name: str, frames: list[dict[str, Any]]) -> None:
    _ask(STACK_OUTPUT, urn=urn, output=name, frames=frames)


# ---------------------------------------------------------------------- configuration


def _standing_in(kind: Callable[[], Any], read: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(read)
    def standing_in(self: Any, key: str, *others: Any) -> Any:
        return kind() if self._get(key) == ENCRYPTED else read(self, key, *others)

    return standing_in


# ---------------------------------------------------------------------- scripts that run Pulumi


def _refused(_: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse to run the Pulumi CLI, which would provision for real."""

    def refused(*_: Any, **__: Any) -> Any:
        raise pulumi.RunError(
            "the program is an automation script: it runs the Pulumi CLI by itself (pulumi.automation), which a "
            "rehearsal does not. Rehearse what it deploys: the folder of its program, or, in a test, its function "
            "by penstock.testing.rehearse"
        )

    return refused


# ---------------------------------------------------------------------- to the monitor


def _frames(stack: traceback.StackSummary) -> list[dict[str, Any]]:
    """The innermost frame first."""
    return [{"file": frame.filename, "line": frame.lineno or 0} for frame in reversed(stack)]


def _ask(token: str, **arguments: Any) -> dict[str, Any]:
    request = rpc.ResourceInvokeRequest(tok=token)
    request.args.update(arguments)
    monitor: Any = settings.get_monitor()
    return dict(getattr(monitor.Invoke(request), "return"))
