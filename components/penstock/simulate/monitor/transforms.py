"""Transforms: functions of the program that change a resource, or a call of a provider function, before it is created.

A resource passes through its own transforms, then through those of its parents from the nearest on, then through those
of the stack (https://www.pulumi.com/docs/iac/concepts/resources/options/transforms/).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from google.protobuf.message import Message
from pulumi.runtime.proto import resource_pb2 as rpc
from pulumi.runtime.proto.callback_pb2 import Callback

from penstock.simulate.monitor.requests import Register
from penstock.simulate.wire import output_dependencies, to_output

Call = Callable[[Callback, Message], Awaitable[Message]]
"""How a function of the program is called."""

_SAME = (
    ("protect", "protect"),
    ("retain_on_delete", "retainOnDelete"),
    ("ignore_changes", "ignoreChanges"),
    ("replace_on_changes", "replaceOnChanges"),
    ("additional_secret_outputs", "additionalSecretOutputs"),
    ("deleted_with", "deletedWith"),
    ("replace_with", "replace_with"),
    ("replacement_trigger", "replacement_trigger"),
    ("version", "version"),
    ("plugin_download_url", "pluginDownloadURL"),
    ("provider", "provider"),
    ("providers", "providers"),
    ("custom_timeouts", "customTimeouts"),
    ("aliases", "aliases"),
    ("hooks", "hooks"),
    ("import", "importId"),
    ("hide_diff", "hideDiffs"),
)
"""What an option is called as a transform sees it, and in the request for the resource."""


class Transforms:
    """The transforms of one run."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._of_stack: list[Callback] = []
        self._of_invokes: list[Callback] = []
        self._of_resources: dict[str, Sequence[Callback]] = {}

    def register(self, callback: Callback) -> None:
        """Adds one for all resources to come."""
        self._of_stack.append(callback)

    def register_for_invokes(self, callback: Callback) -> None:
        """Adds one for all calls of provider functions to come."""
        self._of_invokes.append(callback)

    @property
    def concern_invokes(self) -> bool:
        """True if there is one for calls of provider functions."""
        return bool(self._of_invokes)

    def of(self, request: Register, above: Callable[[], Iterable[str]]) -> list[Callback]:
        """Those that a resource passes through; `above` holds the URNs of its parents, the nearest first."""
        inherited = [each for urn in above() for each in self._of_resources.get(urn, ())] if self._of_resources else []
        return [*request.transforms, *inherited, *self._of_stack]

    def keep(self, urn: str, request: Register) -> None:
        """Remembers the transforms of a resource for its children."""
        if request.transforms:
            self._of_resources[urn] = tuple(request.transforms)

    async def apply(self, transforms: Iterable[Callback], request: Register) -> None:
        """Passes a resource through transforms. Its request then says what they made of it."""
        if request.transforms:  # as in the engine, a resource's own transforms see what its properties depend on
            for key, on in request.propertyDependencies.items():
                if on.urns and key in request.object.fields:
                    to_output(request.object.fields[key], on.urns)
        chosen = _options(request)
        for transform in transforms:
            question = rpc.TransformRequest(
                type=request.type,
                name=request.name,
                custom=request.custom,
                parent=request.parent,
                properties=request.object,
                options=chosen,
            )
            answer = cast(rpc.TransformResponse, await self._call(transform, question))
            if answer.HasField("properties"):
                request.object.CopyFrom(answer.properties)
            if answer.HasField("options"):
                chosen = answer.options
        _set_options(request, chosen)
        _set_dependencies(request, chosen.depends_on)

    async def apply_to_invoke(self, request: rpc.ResourceInvokeRequest) -> None:
        """Passes a call of a provider function through the transforms for such calls."""
        chosen = rpc.TransformInvokeOptions(
            provider=request.provider, version=request.version, plugin_download_url=request.pluginDownloadURL
        )
        for transform in self._of_invokes:
            question = rpc.TransformInvokeRequest(token=request.tok, args=request.args, options=chosen)
            answer = cast(rpc.TransformInvokeResponse, await self._call(transform, question))
            if answer.HasField("args"):
                request.args.CopyFrom(answer.args)
            if answer.HasField("options"):
                chosen = answer.options
        request.provider, request.version = chosen.provider, chosen.version
        request.pluginDownloadURL = chosen.plugin_download_url


def _options(request: Register) -> rpc.TransformResourceOptions:
    chosen = rpc.TransformResourceOptions(depends_on=request.dependencies)
    for name, field in _SAME:
        _copy(request, field, chosen, name)
    if request.deleteBeforeReplaceDefined:
        chosen.delete_before_replace = request.deleteBeforeReplace
    return chosen


def _set_options(request: Register, chosen: rpc.TransformResourceOptions) -> None:
    for name, field in _SAME:
        request.ClearField(cast(Any, field))
        _copy(chosen, name, request, field)
    request.deleteBeforeReplaceDefined = chosen.HasField("delete_before_replace")
    request.deleteBeforeReplace = chosen.delete_before_replace


def _copy(source: Message, name: str, target: Message, field: str) -> None:
    value = getattr(source, name)
    if isinstance(value, Message):
        if source.HasField(name):
            getattr(target, field).CopyFrom(value)
    elif isinstance(value, Mapping):
        getattr(target, field).update(value)
    elif isinstance(value, str | bool):
        is_set = source.HasField(name) if source.DESCRIPTOR.fields_by_name[name].has_presence else value
        if is_set:
            setattr(target, field, value)
    else:
        getattr(target, field).extend(value)


def _set_dependencies(request: Register, depends_on: Iterable[str]) -> None:
    """Works out anew what the resource waits for: a transform may add properties, and outputs of other resources.

    As in the engine, a property that has passed transforms of its own resource depends on what it says itself.
    """
    waits = {*request.dependencies, *depends_on}
    before = {} if request.transforms else {key: tuple(on.urns) for key, on in request.propertyDependencies.items()}
    now = {key: {*before.get(key, ()), *output_dependencies(value)} for key, value in request.object.fields.items()}
    request.propertyDependencies.clear()
    for key, on in now.items():
        request.propertyDependencies[key].urns.extend(sorted(on))
    request.dependencies[:] = sorted(waits.union(*now.values()))
