"""An engine as far as a policy pack can tell: starts the real pack as the CLI does, and asks it about Graphs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import analyzer_pb2 as rpc
from pulumi.runtime.proto.analyzer_pb2_grpc import AnalyzerStub

from penstock.graph.graph import DEFAULT_OPTIONS, STACK_TYPE, Graph, Resource
from penstock.pack import servicer
from penstock.rules.settings import KEY
from penstock.simulate.wire import to_wire

PACK = Path(servicer.__file__).with_name("policy_pack")

_LEVELS = {"advisory": rpc.ADVISORY, "mandatory": rpc.MANDATORY, "disabled": rpc.DISABLED, "remediate": rpc.REMEDIATE}


@contextmanager
def started(pack: Path = PACK, **variables: str) -> Iterator[Engine]:
    """The pack in a process of its own, which ends as it would end beside the CLI."""
    command = [sys.executable, "-u", "-m", "pulumi.policy", "127.0.0.1:1", str(pack)]
    with subprocess.Popen(
        command, cwd=pack, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            port = int(process.stdout.readline())
            with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
                yield Engine(AnalyzerStub(channel))
        finally:
            process.terminate()
            assert process.stdout.read() == ""  # the first line is all that the CLI expects there


@dataclass(frozen=True)
class Engine:
    """The engine's side of the protocol."""

    pack: AnalyzerStub

    def stack(self, config: Mapping[str, str] | None = None, **policies: Any) -> None:
        """Tells the stack's configuration; `policies` is what a stack file holds below `penstock:policies`."""
        reported = {**(config or {}), **({KEY: json.dumps(policies)} if policies else {})}
        self.pack.ConfigureStack(rpc.AnalyzerStackConfigureRequest(stack="stack", project="project", config=reported))

    def configure(self, **given: Any) -> None:
        """Tells what `--policy-pack-config` holds, laid over what the pack declares, as the engine does."""
        config = {
            policy.name: rpc.PolicyConfig(enforcementLevel=policy.enforcementLevel) for policy in self.info().policies
        }
        if "all" in given:
            for each in config.values():
                each.enforcementLevel = _LEVELS[given["all"]]
        for name, value in given.items():
            properties = {"enforcementLevel": value} if isinstance(value, str) else dict(value)
            reported = config.setdefault(name.replace("_", "-"), rpc.PolicyConfig())
            if "enforcementLevel" in properties:
                reported.enforcementLevel = _LEVELS[properties.pop("enforcementLevel")]
            reported.properties.CopyFrom(to_wire(properties))
        self.pack.Configure(rpc.ConfigureAnalyzerRequest(policyConfig=config))

    def info(self) -> rpc.AnalyzerInfo:
        """What the pack says of itself."""
        info: rpc.AnalyzerInfo = self.pack.GetAnalyzerInfo(Empty())
        return info

    def registered(self, graph: Graph) -> list[rpc.AnalyzeDiagnostic]:
        """What the pack says while a program registers the resources of a Graph."""
        answers = [self.pack.Analyze(request(each, graph)) for each in graph if not each.external]
        return [diagnostic for answer in answers for diagnostic in answer.diagnostics]

    def finished(self, graph: Graph) -> list[rpc.AnalyzeDiagnostic]:
        """What the pack says once everything is registered."""
        return list(self.pack.AnalyzeStack(stack_request(graph)).diagnostics)


def with_providers(graph: Graph) -> Graph:
    """A Graph with the default providers that the engine adds: what is made by none is a component to it."""
    found: dict[str, Resource] = {}
    for resource in graph:
        type_ = f"pulumi:providers:{resource.type.partition(':')[0]}"
        if resource.custom and not resource.provider and not resource.type.startswith("pulumi:providers:"):
            urn = f"urn:pulumi:{graph.stack}::{graph.project}::{type_}::default"
            bare = replace(resource, type=type_, inputs={}, outputs={}, dependencies=(), property_dependencies={})
            found[urn] = replace(bare, urn=urn, name="default", options=DEFAULT_OPTIONS)
            found[resource.urn] = replace(resource, provider=f"{urn}::id")
        else:
            found[resource.urn] = resource
    return replace(graph, resources=found)


def request(resource: Resource, graph: Graph) -> rpc.AnalyzeRequest:
    """A resource as the engine tells of it when it is registered."""
    return rpc.AnalyzeRequest(
        type=resource.type,
        urn=resource.urn,
        name=resource.name,
        properties=to_wire(resource.inputs),
        options=_options(resource),
        provider=_provider(resource, graph),
    )


def stack_request(graph: Graph) -> rpc.AnalyzeStackRequest:
    """Everything in a stack as the engine tells of it at the end."""
    return rpc.AnalyzeStackRequest(resources=[_with_outputs(each, graph) for each in graph])


def _with_outputs(resource: Resource, graph: Graph) -> rpc.AnalyzerResource:
    known: Mapping[str, Any] = {"id": resource.id} if resource.id else {}
    if resource.type == STACK_TYPE:
        known = graph.exports
    return rpc.AnalyzerResource(
        type=resource.type,
        urn=resource.urn,
        name=resource.name,
        properties=to_wire({**(resource.inputs if resource.custom else {}), **resource.outputs, **known}),
        options=_options(resource),
        provider=_provider(resource, graph),
        parent=resource.parent,
        dependencies=resource.dependencies,
        propertyDependencies={
            key: rpc.AnalyzerPropertyDependencies(urns=urns) for key, urns in resource.property_dependencies.items()
        },
    )


def _options(resource: Resource) -> rpc.AnalyzerResourceOptions:
    given = resource.options
    return rpc.AnalyzerResourceOptions(
        protect=given.protect,
        ignoreChanges=given.ignore_changes,
        deleteBeforeReplace=given.delete_before_replace or False,
        deleteBeforeReplaceDefined=given.delete_before_replace is not None,
        additionalSecretOutputs=given.additional_secret_outputs,
        aliases=given.aliases,
        parent=resource.parent,
    )


def _provider(resource: Resource, graph: Graph) -> rpc.AnalyzerProviderResource | None:
    """The engine tells of the default provider, too; a Graph that has none leaves open what it would be like."""
    found = graph.resources.get(resource.provider_urn)
    if found is None:
        return None
    return rpc.AnalyzerProviderResource(
        type=found.type, urn=found.urn, name=found.name, properties=to_wire(found.inputs)
    )
