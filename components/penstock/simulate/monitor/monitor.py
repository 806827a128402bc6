"""Stands in for the engine behind the Pulumi SDK, in process, and keeps what the SDK's own mocks drop.

The SDK calls the methods below (their names are those of Pulumi's ResourceMonitor service) with whole requests. Each
resource is answered by the simulated cloud of its provider and recorded with its dependencies, options and secrets.
Where functions of the program have a say, the answer is a coroutine, which `run` waits for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import replace
from inspect import iscoroutine
from pathlib import Path
from typing import Any, Final

from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import provider_pb2
from pulumi.runtime.proto import resource_pb2 as rpc
from pulumi.runtime.proto.callback_pb2 import Callback

from penstock.core.findings import Finding
from penstock.graph.graph import STACK_REFERENCE, STACK_TYPE, Graph, Lookup, Options, Resource, in_order
from penstock.graph.source_block import SourceBlock, take
from penstock.graph.values import UNKNOWN, Secret
from penstock.providers import provider_of
from penstock.secrets.redaction import Redaction
from penstock.simulate.clouds import CreateRequest, any_provider
from penstock.simulate.clouds.provider import SimulatedProvider
from penstock.simulate.in_program import TOKENS
from penstock.simulate.monitor import answers, checks, manifests, requests
from penstock.simulate.monitor.answers import package, reference
from penstock.simulate.monitor.callbacks import Callbacks, ProgramFunctions
from penstock.simulate.monitor.formatted_texts import FormattedTexts
from penstock.simulate.monitor.hooks import Hooks
from penstock.simulate.monitor.prior_state import PriorState
from penstock.simulate.monitor.program_notes import ProgramNotes
from penstock.simulate.monitor.providers import PREFIX, Asks, Providers
from penstock.simulate.monitor.requests import DYNAMIC, Register, Urns
from penstock.simulate.monitor.transforms import Transforms
from penstock.simulate.stack_outputs import StackOutputs, find_outputs
from penstock.simulate.wire import from_wire, to_wire

_FEATURES = (
    rpc.RESOURCE_MONITOR_FEATURE_SECRETS,
    rpc.RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES,
    rpc.RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES,
    rpc.RESOURCE_MONITOR_FEATURE_ALIAS_SPECS,
    rpc.RESOURCE_MONITOR_FEATURE_DELETED_WITH,
    rpc.RESOURCE_MONITOR_FEATURE_REPLACE_WITH,
    rpc.RESOURCE_MONITOR_FEATURE_REPLACEMENT_TRIGGER,
    rpc.RESOURCE_MONITOR_FEATURE_PARAMETERIZATION,
    rpc.RESOURCE_MONITOR_FEATURE_TRANSFORMS,
    rpc.RESOURCE_MONITOR_FEATURE_INVOKE_TRANSFORMS,
    rpc.RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS,
    rpc.RESOURCE_MONITOR_FEATURE_ERROR_HOOKS,
)

_TURNS_UNTIL_ON: Final = 50
"""Turns of the event loop until an API is on: every request that does not wait for it has overtaken it by then."""

Registered = rpc.RegisterResourceResponse
Invoked = rpc.ResourceInvokeResponse
Outputs = rpc.RegisterResourceOutputsRequest


class Monitor:
    """One run of one program.

    With `preview`, computed values stay unknown, as they do before the first `pulumi up`. `config` is the stack's, for
    providers that the program does not configure itself. `root` is the folder that places are reported relative to.
    `before` is what exists already: what did not change keeps its id and its outputs. `redaction` learns what of it all
    is secret. `stack_outputs` are those of other stacks, as far as they are supplied. `functions` are those of a
    program in another process.
    """

    def __init__(
        self,
        project: str,
        stack: str,
        functions: ProgramFunctions | None = None,
        *,
        config: Mapping[str, str],
        secret_keys: tuple[str, ...] = (),
        root: str,
        redaction: Redaction,
        preview: bool = False,
        progress: Callable[[str], None] | None = None,
        before: Graph | None = None,
        stack_outputs: StackOutputs | None = None,
    ) -> None:
        self.findings: list[Finding] = []
        self.callbacks = Callbacks(self)
        self._functions = functions or self.callbacks
        self._urns, self._preview, self._progress = Urns(project, stack), preview, progress
        self._redaction, self._stack_outputs = redaction, stack_outputs or {}
        self._texts = FormattedTexts(self.findings)
        self._notes = ProgramNotes(self.findings, Path(root), redaction, self._texts)
        self._root = f"{Path(root).as_uri().rstrip('/')}/"
        self._before = before or Graph(project, stack, {})
        self._standing = PriorState(self._before)
        self._resources: dict[str, Resource] = {}
        self._types: set[str] = set()  # and packages
        self._lookups: list[Lookup] = []
        self._source_blocks: dict[str, SourceBlock] = {}
        self._apis_on: set[str] = set()
        self._exports: Mapping[str, Any] = {}
        self._providers = Providers(self._urns, config, secret_keys, self._keep)
        self._transforms = Transforms(self._functions.call)
        self._hooks = Hooks(self._functions.call, preview=preview)
        self._components_with_hooks: dict[str, Register] = {}

    def graph(self) -> Graph:
        """The Graph of the registered resources."""
        return Graph(
            self._urns.project, self._urns.stack, in_order(self._resources), self._exports, tuple(self._lookups)
        )

    def conclude(self) -> None:
        """Add the findings that depend on the whole run."""
        self.findings += self._texts.printed()

    # ------------------------------------------------------------------ what the SDK calls

    def GetDeploymentInfo(self, _: Empty) -> rpc.DeploymentInfo:
        """Answer which features this engine has; the SDK refuses, in its own words, what it cannot."""
        return rpc.DeploymentInfo(supportedFeatures=_FEATURES)

    def SupportsFeature(self, request: rpc.SupportsFeatureRequest) -> rpc.SupportsFeatureResponse:
        """Answer whether this engine has a feature, which older SDKs ask for one by one: `aliasSpecs`."""
        name = re.sub("([A-Z])", r"_\1", request.id).upper()
        known = {rpc.ResourceMonitorFeature.Name(each) for each in _FEATURES}
        return rpc.SupportsFeatureResponse(hasSupport=f"RESOURCE_MONITOR_FEATURE_{name}" in known)

    def RegisterResource(self, request: Register) -> Registered | Coroutine[Any, Any, Registered]:
        """Records a resource and answers with its URN, its id and what the cloud computes."""
        requests.inherit(request, self._resources.get(request.parent))
        request.name = self._texts.name(request, self._urns, self._root)
        if not request.custom and (source := take(request.object)) is not None:
            self._source_blocks[self._urns.of(request.type, request.name, request.parent)] = source
        transforms = self._transforms.of(request, lambda: self._above(request.parent))
        if request.type in manifests.TYPES:
            return self._register_with_objects(request, transforms)
        if transforms or request.hooks.before_create or request.hooks.after_create:
            return self._register_with_callbacks(request, transforms)
        if _turns_an_api_on(request.type):
            return self._turned_on(request)
        return self._register(request)

    def ReadResource(self, request: rpc.ReadResourceRequest) -> rpc.ReadResourceResponse:
        """Answers for a resource that is already there, as the cloud would describe it."""
        urn = self._urns.of(request.type, request.name, request.parent)
        self._texts.properties(request.properties, "", urn, requests.place(request, self._root))
        state = from_wire(request.properties)
        provider = self._provider(request.type, request)
        asked = CreateRequest(urn, request.type, request.name, state, provider.inputs, id=request.id)
        made = SimulatedProvider(package(request.type), provider.inputs).read(asked)
        outputs = {} if self._preview else made.outputs
        elsewhere = request.type == STACK_REFERENCE
        supplied = find_outputs(request.id, self._stack_outputs) if elsewhere else None
        if elsewhere:
            secret = [key for key, value in (supplied or {}).items() if isinstance(value, Secret)]
            outputs = {} if supplied is None else {"outputs": supplied, "secretOutputNames": secret}
        self._keep(
            Resource(
                urn=urn,
                type=request.type,
                name=request.name,
                custom=True,
                id=request.id,
                inputs=state,
                outputs=outputs,
                parent=request.parent,
                provider=reference(provider),
                dependencies=tuple(sorted(request.dependencies)),
                property_dependencies={},
                options=Options(import_id=request.id),
                place=requests.place(request, self._root),
                external=True,
                documented=made.documented if supplied is None else None,
            )
        )
        return rpc.ReadResourceResponse(
            urn=urn,
            id=request.id,
            properties=answers.answer_properties(request.properties, outputs, repeated=self._preview),
            unknown=elsewhere and supplied is None,
        )

    def ExistsResource(self, _: rpc.ExistsResourceRequest) -> rpc.ExistsResourceResponse:
        """Return whether something is there already, nobody can know here."""
        return rpc.ExistsResourceResponse(unknown=True)

    def Invoke(self, request: rpc.ResourceInvokeRequest) -> Invoked | Coroutine[Any, Any, Invoked]:
        """Answers a provider's function, and what the program's side of the rehearsal asks."""
        if request.tok.startswith(TOKENS):
            return _invoked(self._notes.take(request.tok, from_wire(request.args), self._resources, self._lookups))
        return self._invoke_transformed(request) if self._transforms.concern_invokes else self._invoke(request)

    def RegisterResourceOutputs(self, request: Outputs) -> Empty | Coroutine[Any, Any, Empty]:
        """Records what a component, or the stack itself, offers."""
        resource = self._resources[request.urn]
        if resource.type == STACK_TYPE:
            self._texts.properties(request.outputs, "the output ", request.urn, None)
        outputs = from_wire(request.outputs)
        if resource.type == STACK_TYPE:
            self._exports = outputs
        self._resources[request.urn] = replace(resource, outputs={**resource.outputs, **outputs})
        registered = self._components_with_hooks.pop(request.urn, None)
        return self._completed(registered, request) if registered else Empty()

    def Call(self, request: rpc.ResourceCallRequest) -> provider_pb2.CallResponse:
        """Answers a method of a component or provider with values of the types that the SDK declares."""
        self._provider(request.tok, request)
        answer = any_provider.call(request.tok) or {"result": UNKNOWN}
        if self._preview:
            answer = dict.fromkeys(answer, UNKNOWN)
        response = provider_pb2.CallResponse()
        getattr(response, "return").CopyFrom(to_wire(answer))
        return response

    def RegisterPackage(self, request: rpc.RegisterPackageRequest) -> rpc.RegisterPackageResponse:
        """Accepts a package that is made out of a provider."""
        return rpc.RegisterPackageResponse(ref=self._providers.register_package(request))

    def RegisterStackTransform(self, callback: Callback) -> Empty:
        """Accepts a function that changes every resource to come."""
        self._transforms.register(callback)
        return Empty()

    def RegisterStackInvokeTransform(self, callback: Callback) -> Empty:
        """Accepts a function that changes every call of a provider function to come."""
        self._transforms.register_for_invokes(callback)
        return Empty()

    def RegisterResourceHook(self, request: rpc.RegisterResourceHookRequest) -> Empty:
        """Accepts a function that is called before or after a resource is created."""
        self._hooks.register(request)
        return Empty()

    def RegisterErrorHook(self, _: rpc.RegisterErrorHookRequest) -> Empty:
        """Accepts a function that is called when a resource cannot be created."""
        return Empty()

    def SignalAndWaitForShutdown(self, _: Empty) -> Empty:
        """The program has ended; nothing is left to wait for."""
        return Empty()

    # ------------------------------------------------------------------ where functions of the program have a say

    async def _register_with_callbacks(self, request: Register, transforms: list[Callback]) -> Registered:
        if transforms:
            await self._transforms.apply(transforms, request)
        urn = self._urns.of(request.type, request.name, request.parent)
        self._transforms.keep(urn, request)
        await self._hooks.before_creation(request, urn)
        changed = bool(transforms)
        turns_on = _turns_an_api_on(request.type)
        response = (
            await self._turned_on(request, changed=changed) if turns_on else self._register(request, changed=changed)
        )
        if request.custom:
            await self._hooks.after_creation(request, urn, response.id, response.object)
        elif request.hooks.after_create:
            self._components_with_hooks[urn] = request  # a component is created when its outputs are reported
        return response

    async def _register_with_objects(self, request: Register, transforms: list[Callback]) -> Registered:
        response = await self._register_with_callbacks(request, transforms)
        component = self._resources[response.urn]
        if manifests.are_read(request.type, component.inputs):
            namespace = self._provider(request.type, request).inputs.get("namespace", "default")
            for child in manifests.children(request, component.inputs, self._urns, namespace):
                registered = self.RegisterResource(child)
                if iscoroutine(registered):
                    await registered
        return response

    async def _completed(self, component: Register, outputs: Outputs) -> Empty:
        await self._hooks.after_creation(component, outputs.urn, "", outputs.outputs)
        return Empty()

    async def _invoke_transformed(self, request: rpc.ResourceInvokeRequest) -> Invoked:
        await self._transforms.apply_to_invoke(request)
        return self._invoke(request)

    def _above(self, urn: str) -> Iterator[str]:
        while urn:
            yield urn
            urn = self._resources[urn].parent

    async def _turned_on(self, request: Register, *, changed: bool = False) -> Registered:
        """Registers what turns an API on, and answers late: what does not wait for the API runs before it is on."""
        response = self._register(request, changed=changed)
        await self._functions.pass_turns(_TURNS_UNTIL_ON)
        self._apis_on.add(response.urn)
        return response

    # ------------------------------------------------------------------ how an answer is created

    def _register(self, request: Register, *, changed: bool = False) -> Registered:
        """Record a resource; `changed` where its inputs may no longer be those that the program gave."""
        urn = self._urns.of(request.type, request.name, request.parent)
        place = requests.place(request, self._root)
        self._texts.properties(request.object, "", urn, place)
        inputs = from_wire(request.object)
        provider = None
        if request.type.startswith(PREFIX):
            inputs |= self._providers.inputs_of(request)
        elif request.custom or request.remote:
            provider = self._provider(request.type, request)
        self.findings += checks.registration_findings(
            request, urn, inputs, place, twice=urn in self._resources, types=self._types
        )
        self._types |= {request.type, package(request.type)}
        options = requests.options(request, self._urns)
        old = self._standing.find(urn, request.parent, options.aliases)
        if old is not None and options.ignore_changes:
            inputs = answers.as_sent(request.type, inputs, provider, old, options)
            request.object.CopyFrom(to_wire(inputs))
            changed = True
        made = answers.made(request, urn, inputs, provider, old, preview=self._preview)
        self._keep(
            Resource(
                urn=urn,
                type=request.type,
                name=request.name,
                custom=request.custom,
                id=made.id,
                inputs=inputs,
                outputs=made.outputs,
                parent=request.parent,
                provider=reference(provider) if provider else request.provider,
                dependencies=tuple(sorted(request.dependencies)),
                property_dependencies={
                    key: tuple(sorted(on.urns)) for key, on in request.propertyDependencies.items() if on.urns
                },
                options=options,
                place=place,
                existed=old is not None,
                documented=made.documented if provider is not None else None,
                source_block=self._source_blocks.get(urn),
            )
        )
        nothing = self._preview and old is None and answers.out_of_reach(provider)
        repeated = changed or (self._preview and not request.remote)
        unknown = request.type.startswith(DYNAMIC) and old is None
        return Registered(
            urn=urn,
            id="" if unknown else made.id,
            object=Struct() if nothing else answers.answer_properties(request.object, made.outputs, repeated=repeated),
            unknown=request.type.startswith(DYNAMIC),
        )

    def _invoke(self, request: rpc.ResourceInvokeRequest) -> Invoked:
        self._texts.properties(request.args, f"the argument of {request.tok} ", None, None)
        arguments = from_wire(request.args)
        provider = self._provider(request.tok, request)
        if request.tok == "pulumi:pulumi:getResource":
            found = self._resources[arguments["urn"]]
            answer: Mapping[str, Any] = {"urn": found.urn, "id": found.id, "state": {**found.inputs, **found.outputs}}
        else:
            simulated_answer = SimulatedProvider(package(request.tok), provider.inputs).invoke(request.tok, arguments)
            known = _known_before(request.tok, arguments, self._before)
            answer = {**simulated_answer.results, **known}
            if request.tok in checks.RENDERED:
                answer = {"result": UNKNOWN}
            documented = simulated_answer.documented | known.keys()
            self._lookups.append(
                Lookup(request.tok, arguments, provider.urn, answer, frozenset(self._apis_on), documented)
            )
        return _invoked(answers.as_results(request.tok, answer))

    def _provider(self, token: str, request: Asks) -> Resource:
        """The provider that answers: the one that the request names, or the default one."""
        if request.provider:
            return self._resources[request.provider.rpartition("::")[0]]
        return self._providers.default(token, request)

    def _keep(self, resource: Resource) -> None:
        self._resources[resource.urn] = resource
        self._redaction.learn(resource)
        if self._progress is not None:
            self._progress(resource.urn)


def _known_before(token: str, arguments: Mapping[str, Any], before: Graph) -> Mapping[str, Any]:
    """What is known of a function's answer from what exists before the run; mostly nothing."""
    owner = provider_of(token)
    answer = owner.load("standing") if owner is not None else None
    known: Mapping[str, Any] = answer(token, arguments, before) if answer is not None else {}
    return known


def _invoked(answer: Mapping[str, Any]) -> Invoked:
    response = Invoked()
    getattr(response, "return").CopyFrom(to_wire(answer))
    return response


def _turns_an_api_on(type_: str) -> bool:
    provider = provider_of(type_)
    return provider is not None and type_ == provider.api_switch
