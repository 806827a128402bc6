"""Pulumi's ResourceProvider service over a simulated cloud: what one plugin answers the engine."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NoReturn, TypeVar

import grpc
from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import plugin_pb2
from pulumi.runtime.proto import provider_pb2 as rpc
from pulumi.runtime.proto.provider_pb2_grpc import ResourceProviderServicer

from penstock.core.errors import PenstockError
from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate import sdks
from penstock.simulate.clouds import CreateRequest, CreateResponse, provider_decisions
from penstock.simulate.clouds.provider import SimulatedProvider
from penstock.simulate.engine import refusals
from penstock.simulate.engine.world import Happening, World
from penstock.simulate.lifecycle import Change, Operation
from penstock.simulate.monitor.requests import DYNAMIC
from penstock.simulate.sdk_types import Mismatch
from penstock.simulate.wire import from_wire, to_wire
from penstock.timeline.faults import Fault, parse_faults

Request = TypeVar("Request")
Answer = TypeVar("Answer")
_CRASH = "crash"


def _in_words(
    answer: Callable[[Servicer, Request, grpc.ServicerContext], Answer],
) -> Callable[[Servicer, Request, grpc.ServicerContext], Answer]:
    """Reports to the engine what went wrong. What is not ours to word is named by its kind: a text may quote."""

    @wraps(answer)
    def answered(self: Servicer, request: Request, context: grpc.ServicerContext) -> Answer:
        try:
            return answer(self, request, context)
        except PenstockError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001 - the engine must hear of it, and its user read it
            about = getattr(request, "urn", "") or getattr(request, "tok", "")
            problem = f"the simulated {self.package} failed at {about}: {type(error).__name__}"
        _refuse(context, grpc.StatusCode.UNKNOWN, problem)

    return answered


class Servicer(ResourceProviderServicer):
    """One provider of the engine. Its methods are named as Pulumi's service names them.

    `faults` has the cloud's words for each fault rule. With `judges`, it holds resources to the cloud's rules, as in a
    preview: later, values come from the simulated cloud itself. `engine` is the id of the engine's process, which a
    simulated crash kills.
    """

    def __init__(self, package: str, world: World, faults: Mapping[str, str], *, judges: bool, engine: int) -> None:
        self.package = package
        self._world, self._judges, self._engine = world, judges, engine
        self._faults, self._words = parse_faults(list(faults)), faults
        self._config: Mapping[str, Any] = {}
        self._provider = SimulatedProvider(package, {})

    # ------------------------------------------------------------------ the provider itself

    def GetPluginInfo(self, _: Empty, __: grpc.ServicerContext) -> plugin_pb2.PluginInfo:
        """The version is the installed SDK's, which is what programs ask for."""
        sdk = sdks.installed().get(self.package)
        return plugin_pb2.PluginInfo(version=sdk.version if sdk else "")

    def GetSchema(self, _: rpc.GetSchemaRequest, context: grpc.ServicerContext) -> rpc.GetSchemaResponse:
        """The name and the version: types are held against the SDK, which needs no schema."""
        version = self.GetPluginInfo(Empty(), context).version
        return rpc.GetSchemaResponse(schema=json.dumps({"name": self.package, "version": version}))

    def CheckConfig(self, request: rpc.CheckRequest, _: grpc.ServicerContext) -> rpc.CheckResponse:
        """Takes a provider's configuration as it is."""
        return rpc.CheckResponse(inputs=request.news)

    def DiffConfig(self, request: rpc.DiffRequest, _: grpc.ServicerContext) -> rpc.DiffResponse:
        """A provider with another configuration stays the same provider, unless it reaches another cluster."""
        old, new = from_wire(request.old_inputs), from_wire(request.news)
        if old == new:
            return rpc.DiffResponse(changes=rpc.DiffResponse.DIFF_NONE)
        changed = [key for key in sorted({*old, *new}) if old.get(key) != new.get(key)]
        another = provider_decisions.is_another(self.package, old, new)
        return rpc.DiffResponse(changes=rpc.DiffResponse.DIFF_SOME, diffs=changed, replaces=changed if another else [])

    def Configure(self, request: rpc.ConfigureRequest, _: grpc.ServicerContext) -> rpc.ConfigureResponse:
        """Keeps the configuration, and asks for secrets, unknown values and old inputs to be sent."""
        self._config = from_wire(request.args)
        self._provider = SimulatedProvider(self.package, self._config)
        return rpc.ConfigureResponse(acceptSecrets=True, supportsPreview=True)

    def Cancel(self, _: Empty, __: grpc.ServicerContext) -> Empty:
        """Nothing is ever under way for longer than an answer."""
        return Empty()

    def Attach(self, _: plugin_pb2.PluginAttach, __: grpc.ServicerContext) -> Empty:
        """The engine's address is not needed."""
        return Empty()

    def GetMapping(self, _: rpc.GetMappingRequest, __: grpc.ServicerContext) -> rpc.GetMappingResponse:
        """There is no mapping to another tool's names."""
        return rpc.GetMappingResponse()

    def GetMappings(self, _: rpc.GetMappingsRequest, __: grpc.ServicerContext) -> rpc.GetMappingsResponse:
        """There is no mapping to another tool's names."""
        return rpc.GetMappingsResponse()

    # ------------------------------------------------------------------ resources

    @_in_words
    def Check(self, request: rpc.CheckRequest, _: grpc.ServicerContext) -> rpc.CheckResponse:
        """Refuses what the SDK's types or the cloud's rules do not allow, with what would be right."""
        asked = self._asked(request.urn, request.news)
        wrong = self._provider.check(asked.type, asked.inputs)
        if self._judges:
            wrong += refusals.refused(asked)
        return rpc.CheckResponse(
            inputs=request.news,
            failures=[rpc.CheckFailure(property=each.path or "", reason=_reason(each)) for each in wrong],
        )

    @_in_words
    def Diff(self, request: rpc.DiffRequest, _: grpc.ServicerContext) -> rpc.DiffResponse:
        """Return what changes, what of that replaces the resource, each with its path."""
        if self._world.was_found(request.urn, request.id) and not request.old_inputs.fields:
            return rpc.DiffResponse(changes=rpc.DiffResponse.DIFF_NONE)  # what is imported is there as asked for
        asked = self._asked(request.urn, request.news)
        before = from_wire(request.old_inputs)
        change = self._provider.diff(
            asked.type,
            before,
            asked.inputs,
            old_outputs=from_wire(request.olds),
            ignore_changes=tuple(request.ignoreChanges),
        )
        return _diff_response(change, deletes_first=provider_decisions.deletes_first(asked.type, before, asked.inputs))

    @_in_words
    def Create(self, request: rpc.CreateRequest, _: grpc.ServicerContext) -> rpc.CreateResponse:
        """Makes a resource; in a preview, what the cloud will answer stays unknown."""
        asked = self._asked(request.urn, request.properties)
        if request.preview:
            made = self._provider.create(asked)
            return rpc.CreateResponse(properties=to_wire(_planned(asked.inputs, made.outputs)))
        if asked.type.startswith(DYNAMIC):
            raise PenstockError("a provider in the program itself makes this resource: a rehearsal does not call it")
        made = self._made(asked)
        return rpc.CreateResponse(id=made.id, properties=to_wire({**asked.inputs, **_settled(made.outputs)}))

    @_in_words
    def Read(self, request: rpc.ReadRequest, _: grpc.ServicerContext) -> rpc.ReadResponse:
        """Return what exists: what was created and not deleted; of what is looked up, the cloud's answer."""
        if self._world.is_gone(request.urn, request.id):
            return rpc.ReadResponse()
        if request.inputs.fields:
            return rpc.ReadResponse(id=request.id, properties=request.properties, inputs=request.inputs)
        self._world.record(Happening.FOUND, request.urn, request.id)
        asked = self._asked(request.urn, request.properties, id_=request.id)
        made = self._provider.read(asked)
        properties = to_wire({**asked.inputs, **_settled(made.outputs)})
        return rpc.ReadResponse(id=request.id, properties=properties, inputs=Struct())

    @_in_words
    def Update(self, request: rpc.UpdateRequest, _: grpc.ServicerContext) -> rpc.UpdateResponse:
        """Changes a resource in place: its id and what the cloud chose stay."""
        asked = self._asked(request.urn, request.news, id_=request.id)
        made = self._provider.update(asked, request.id, from_wire(request.olds), from_wire(request.old_inputs))
        if request.preview:
            return rpc.UpdateResponse(properties=to_wire({**asked.inputs, **made.outputs}))
        self._happen(Happening.UPDATED, asked, request.id, Operation.UPDATE)
        return rpc.UpdateResponse(properties=to_wire({**asked.inputs, **_settled(made.outputs)}))

    @_in_words
    def Delete(self, request: rpc.DeleteRequest, _: grpc.ServicerContext) -> Empty:
        """Removes a resource from the simulated cloud."""
        asked = self._asked(request.urn, request.old_inputs, id_=request.id)
        self._provider.delete(asked)
        self._happen(Happening.DELETED, asked, request.id, Operation.DELETE)
        return Empty()

    # ------------------------------------------------------------------ functions and components

    @_in_words
    def Invoke(self, request: rpc.InvokeRequest, _: grpc.ServicerContext) -> rpc.InvokeResponse:
        """Answers a function of the provider."""
        sdks.import_sdk(request.tok)
        response = rpc.InvokeResponse()
        answer = self._provider.invoke(request.tok, from_wire(request.args))
        getattr(response, "return").CopyFrom(to_wire(answer.results))
        return response

    def Call(self, request: rpc.CallRequest, context: grpc.ServicerContext) -> NoReturn:
        """Refuses, in words, to call a method of a component."""
        _refuse(
            context,
            grpc.StatusCode.UNIMPLEMENTED,
            f"{request.tok} is a method of a packaged component, which is not rehearsed",
        )

    def Construct(self, request: rpc.ConstructRequest, context: grpc.ServicerContext) -> NoReturn:
        """Refuses, in words, to build what only the real package can."""
        _refuse(
            context,
            grpc.StatusCode.UNIMPLEMENTED,
            f"{request.type} is a packaged component: only its own plugin can build it, so it is not rehearsed here",
        )

    # ------------------------------------------------------------------ how an answer is created

    def _asked(self, urn: str, inputs: Struct, *, id_: str = "") -> CreateRequest:
        _, _, types, name = urn.split("::", 3)
        type_ = types.rpartition("$")[2]
        sdks.import_sdk(type_)
        return CreateRequest(urn, type_, name, from_wire(inputs), self._config, id=id_)

    def _made(self, asked: CreateRequest) -> CreateResponse:
        """A resource that exists, written down before the engine hears of it.

        What a killed engine asked for exists already: whoever asks again gets that one.
        """
        made = self._provider.create(asked, instead_of=self._world.in_state(asked.urn))
        again = self._world.has(asked.urn, made.id)
        self._happen(Happening.ASKED_AGAIN if again else Happening.CREATED, asked, made.id, Operation.CREATE)
        return made

    def _happen(self, happening: Happening, asked: CreateRequest, id_: str, operation: Operation) -> None:
        """Lets something happen in the cloud, unless a fault is due; after a crash nobody hears of it.

        Raises:
            PenstockError: the cloud refuses; in its own words.
        """
        fault = self._fault(asked, operation)
        if fault is not None and fault.kind != _CRASH:
            raise PenstockError(self._words[f"{fault.kind}:{asked.urn}"])
        self._world.record(happening, asked.urn, id_)
        if fault is not None:
            self._world.record(Happening.KILLED, asked.urn, id_)
            os.kill(self._engine, signal.SIGKILL)

    def _fault(self, asked: CreateRequest, operation: Operation) -> Fault | None:
        while fault := self._faults.on(asked.type, asked.name, asked.urn, operation):
            if not fault.retried:  # else the provider asks again until it is let through
                return fault
        return None


def _refuse(context: grpc.ServicerContext, status: grpc.StatusCode, problem: str) -> NoReturn:
    context.abort(status, problem)
    raise AssertionError  # abort has raised


def _reason(mismatch: Mismatch) -> str:
    return " ".join(part for part in (f"[{mismatch.code}] {mismatch.message}.", mismatch.hint) if part)


def _diff_response(change: Change, *, deletes_first: bool) -> rpc.DiffResponse:
    if change.operation is Operation.SAME:
        return rpc.DiffResponse(changes=rpc.DiffResponse.DIFF_NONE)
    kinds = dict.fromkeys(change.updates, rpc.PropertyDiff.UPDATE) | dict.fromkeys(
        change.replaces, rpc.PropertyDiff.UPDATE_REPLACE
    )
    return rpc.DiffResponse(
        changes=rpc.DiffResponse.DIFF_SOME,
        replaces=sorted({_top(path) for path in change.replaces}),
        diffs=sorted({_top(path) for path in kinds}),
        detailedDiff={path: rpc.PropertyDiff(kind=kind, inputDiff=True) for path, kind in kinds.items()},
        hasDetailedDiff=True,
        deleteBeforeReplace=deletes_first and bool(change.replaces),
    )


def _top(path: str) -> str:
    return path.split(".", 1)[0].split("[", 1)[0]


def _settled(values: Any) -> Any:
    """The values without those that nobody can know, such as details of an error: the engine takes none of these."""
    if isinstance(values, Secret):
        return Secret(_settled(values.value))
    if isinstance(values, Mapping):
        return {key: _settled(value) for key, value in values.items() if value is not UNKNOWN}
    return [_settled(value) for value in values if value is not UNKNOWN] if isinstance(values, list) else values


def _planned(given: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    """The outputs of a preview: the inputs, and unknown whatever else the cloud will add, at any depth of objects."""
    return {**given, **{key: _foreseen(given[key], made[key]) if key in given else UNKNOWN for key in made}}


def _foreseen(given: Any, made: Any) -> Any:
    """The given value, with what the cloud will add to it left unknown."""
    if isinstance(given, Mapping):
        return _planned(given, made) if isinstance(made, Mapping) else made  # a document, which is kept as its text
    if isinstance(given, list) and isinstance(made, Mapping):
        return UNKNOWN  # names, which the cloud answers with what it knows of each
    if isinstance(given, list) and isinstance(made, list) and len(given) == len(made):
        return [_foreseen(*pair) for pair in zip(given, made, strict=True)]
    return given
