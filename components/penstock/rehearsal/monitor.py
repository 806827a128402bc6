"""Stands in for the engine behind the Pulumi SDK, in process, and keeps what the SDK's own mocks drop.

The SDK calls the methods below (their names are those of Pulumi's ResourceMonitor service) with whole requests. Each
resource is answered by the simulated cloud of its provider and recorded with its dependencies, options and secrets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import resource_pb2 as rpc
from pulumi.runtime.proto.alias_pb2 import Alias

from penstock.errors import ProgramFailed
from penstock.findings import Finding, Severity, Source
from penstock.rehearsal import sdk_types
from penstock.rehearsal.clouds import Asked, Made, simulated
from penstock.rehearsal.clouds.identity import uuid
from penstock.rehearsal.graph import DEFAULT_OPTIONS, STACK_TYPE, Graph, Options, Place, Resource, Timeouts, in_order
from penstock.rehearsal.sdk_types import Mismatch
from penstock.rehearsal.values import UNKNOWN, Secret, from_wire, to_wire

_STACK_REFERENCE = "pulumi:pulumi:StackReference"

_FEATURES = (
    rpc.RESOURCE_MONITOR_FEATURE_SECRETS,
    rpc.RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES,
    rpc.RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES,
    rpc.RESOURCE_MONITOR_FEATURE_ALIAS_SPECS,
    rpc.RESOURCE_MONITOR_FEATURE_DELETED_WITH,
    rpc.RESOURCE_MONITOR_FEATURE_REPLACE_WITH,
    rpc.RESOURCE_MONITOR_FEATURE_REPLACEMENT_TRIGGER,
    rpc.RESOURCE_MONITOR_FEATURE_PARAMETERIZATION,
)


class Monitor:
    """One run of one program.

    With `preview`, computed values stay unknown, as they do before the first `pulumi up`. `config` is the stack's, for
    providers that the program does not configure itself. `root` is the folder that places are told relative to.
    """

    def __init__(
        self,
        project: str,
        stack: str,
        *,
        config: Mapping[str, str],
        root: str,
        preview: bool = False,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self.findings: list[Finding] = []
        self._project, self._stack, self._preview = project, stack, preview
        self._config, self._progress = config, progress
        self._root = f"file://{root.rstrip('/')}/"
        self._resources: dict[str, Resource] = {}
        self._exports: Mapping[str, Any] = {}

    def graph(self) -> Graph:
        """What has been registered."""
        return Graph(self._project, self._stack, in_order(self._resources), self._exports)

    # ------------------------------------------------------------------ what the SDK calls

    def GetDeploymentInfo(self, _: Empty) -> rpc.DeploymentInfo:
        """What this engine can do; the SDK refuses, in its own words, what it cannot."""
        return rpc.DeploymentInfo(supportedFeatures=_FEATURES)

    def RegisterResource(self, request: rpc.RegisterResourceRequest) -> rpc.RegisterResourceResponse:
        """Records a resource and answers with its URN, its id and what the cloud computes."""
        urn = self._urn(request.type, request.name, request.parent)
        inputs = from_wire(request.object)
        place = self._place(request)
        self._check(urn, request.type, inputs, place, custom=request.custom)
        made = self._made(request, urn, inputs)
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
                provider=request.provider,
                dependencies=tuple(sorted(request.dependencies)),
                property_dependencies={
                    key: tuple(sorted(on.urns)) for key, on in request.propertyDependencies.items() if on.urns
                },
                options=self._options(request),
                place=place,
            )
        )
        return rpc.RegisterResourceResponse(urn=urn, id=made.id, object=self._answer(request.object, made.outputs))

    def ReadResource(self, request: rpc.ReadResourceRequest) -> rpc.ReadResourceResponse:
        """Answers for a resource that is already there, as the cloud would describe it."""
        urn = self._urn(request.type, request.name, request.parent)
        state = from_wire(request.properties)
        made = simulated(_package(request.type)).create(
            Asked(urn, request.type, request.name, state, self._provider(request.type, request.provider), id=request.id)
        )
        elsewhere = request.type == _STACK_REFERENCE
        outputs = {} if self._preview or elsewhere else made.outputs
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
                provider=request.provider,
                dependencies=tuple(sorted(request.dependencies)),
                property_dependencies={},
                options=Options(import_id=request.id),
                place=self._place(request),
                external=True,
            )
        )
        return rpc.ReadResourceResponse(
            urn=urn,
            id=request.id,
            properties=self._answer(request.properties, outputs),
            unknown=elsewhere,  # what another stack offers is not known here
        )

    def Invoke(self, request: rpc.ResourceInvokeRequest) -> rpc.ResourceInvokeResponse:
        """Answers a provider's function."""
        arguments = from_wire(request.args)
        if request.tok == "pulumi:pulumi:getResource":
            found = self._resources[arguments["urn"]]
            answer: Mapping[str, Any] = {"urn": found.urn, "id": found.id, "state": {**found.inputs, **found.outputs}}
        else:
            cloud = simulated(_package(request.tok))
            answer = cloud.invoke(request.tok, arguments, self._provider(request.tok, request.provider))
        response = rpc.ResourceInvokeResponse()
        getattr(response, "return").CopyFrom(to_wire(answer))
        return response

    def RegisterResourceOutputs(self, request: rpc.RegisterResourceOutputsRequest) -> Empty:
        """Records what a component, or the stack itself, offers."""
        resource = self._resources[request.urn]
        outputs = from_wire(request.outputs)
        if resource.type == STACK_TYPE:
            self._exports = outputs
        self._resources[request.urn] = replace(resource, outputs={**resource.outputs, **outputs})
        return Empty()

    def Call(self, request: rpc.ResourceCallRequest) -> NoReturn:
        """Refuses, in words, to call a method of a component that another process serves."""
        raise ProgramFailed(f"the program calls {request.tok}; methods of packaged components are not rehearsed yet")

    def RegisterPackage(self, request: rpc.RegisterPackageRequest) -> rpc.RegisterPackageResponse:
        """Accepts a package; its name is all that is needed here."""
        return rpc.RegisterPackageResponse(ref=request.name)

    def SignalAndWaitForShutdown(self, _: Empty) -> Empty:
        """The program has ended; nothing is left to wait for."""
        return Empty()

    # ------------------------------------------------------------------ how an answer is made

    def _urn(self, type_: str, name: str, parent: str, stack: str = "", project: str = "") -> str:
        above = parent.split("::", 3)[2] if parent else STACK_TYPE
        qualified = type_ if above == STACK_TYPE else f"{above}${type_}"
        return f"urn:pulumi:{stack or self._stack}::{project or self._project}::{qualified}::{name}"

    def _made(self, request: rpc.RegisterResourceRequest, urn: str, inputs: Mapping[str, Any]) -> Made:
        if not request.custom:
            return Made("", {})
        if request.type.startswith("pulumi:providers:"):
            return Made(uuid(urn), {})
        provider = self._provider(request.type, request.provider)
        asked = Asked(urn, request.type, request.name, inputs, provider, id=request.importId)
        made = simulated(_package(request.type)).create(asked)
        outputs = dict(made.outputs)
        if self._preview:
            outputs = {key: _before_creation(value, inputs.get(key)) for key, value in outputs.items()}
        for key in request.additionalSecretOutputs:
            if key in outputs:
                outputs[key] = Secret(outputs[key])
        return Made("" if self._preview else made.id, outputs)

    def _answer(self, inputs: Struct, outputs: Mapping[str, Any]) -> Struct:
        """What goes back: the SDK adds the inputs itself, but in a preview it takes only what the engine repeats."""
        if not self._preview:
            return to_wire(outputs)
        answer = Struct()
        answer.CopyFrom(inputs)
        answer.MergeFrom(to_wire(outputs))
        return answer

    def _provider(self, token: str, reference: str) -> Mapping[str, Any]:
        """The configuration of the provider that answers: its own inputs, or the stack's for the default provider."""
        if reference:
            return self._resources[reference.rpartition("::")[0]].inputs
        prefix = f"{_package(token)}:"
        return {key.removeprefix(prefix): value for key, value in self._config.items() if key.startswith(prefix)}

    def _check(self, urn: str, type_: str, inputs: Mapping[str, Any], place: Place | None, *, custom: bool) -> None:
        wrong = list(sdk_types.mismatches(type_, inputs)) if custom and not type_.startswith("pulumi:") else []
        if urn in self._resources:
            wrong.append(
                Mismatch("URN-001", None, "two resources have this type, name and parent", "Rename one of them.")
            )
        self.findings.extend(
            Finding(
                code=each.code,
                severity=Severity.ERROR,
                source=Source.CLOUD,
                message=each.message,
                hint=each.hint,
                urn=urn,
                path=each.path,
                file=place.file if place else None,
                line=place.line if place else None,
            )
            for each in wrong
        )

    def _options(self, request: rpc.RegisterResourceRequest) -> Options:
        options = Options(
            protect=request.protect,
            retain_on_delete=request.retainOnDelete,
            delete_before_replace=request.deleteBeforeReplace,
            ignore_changes=tuple(request.ignoreChanges),
            replace_on_changes=tuple(request.replaceOnChanges),
            additional_secret_outputs=tuple(request.additionalSecretOutputs),
            aliases=tuple(self._alias(alias, request) for alias in request.aliases),
            deleted_with=request.deletedWith,
            import_id=request.importId,
            version=request.version,
            timeouts=Timeouts(
                request.customTimeouts.create, request.customTimeouts.update, request.customTimeouts.delete
            ),
        )
        return DEFAULT_OPTIONS if options == DEFAULT_OPTIONS else options

    def _alias(self, alias: Alias, request: rpc.RegisterResourceRequest) -> str:
        """The URN that an alias means: what it does not name is the resource's own."""
        if alias.urn:
            return alias.urn
        spec = alias.spec
        parent = "" if spec.noParent else spec.parentUrn or request.parent
        return self._urn(spec.type or request.type, spec.name or request.name, parent, spec.stack, spec.project)

    def _place(self, request: rpc.RegisterResourceRequest | rpc.ReadResourceRequest) -> Place | None:
        """The innermost line of the project that led to this resource."""
        if request.type == STACK_TYPE:
            return None
        for frame in request.stackTrace.frames:
            if frame.pc.uri.startswith(self._root):
                file = frame.pc.uri[len(self._root) :]
                if not file.startswith((".venv/", "venv/")):
                    return Place(file, frame.pc.line)
        return None

    def _keep(self, resource: Resource) -> None:
        self._resources[resource.urn] = resource
        if self._progress is not None:
            self._progress(resource.urn)


def _before_creation(output: Any, given: Any) -> Any:
    """What a preview knows of an output: what was given, and nothing of what the cloud will add to it."""
    if output == given:
        return given
    if isinstance(output, Mapping) and isinstance(given, Mapping):
        return {key: _before_creation(value, given.get(key)) for key, value in output.items()}
    return UNKNOWN


def _package(token: str) -> str:
    return token.split(":", 1)[0]
