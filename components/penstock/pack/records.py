"""The resources that the engine sends to a policy pack, as the records that rules read.

A pack receives the inputs of each resource as it is registered (`AnalyzeRequest`), then all outputs,
with what is made from what (`AnalyzeStackRequest`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as rpc

from penstock.catalog.former_types import by_present_names
from penstock.graph.graph import STACK_TYPE, Graph, Options, Resource, Timeouts, in_order
from penstock.graph.values import UNKNOWN
from penstock.simulate.wire import from_wire

_PROVIDERS: Final = "pulumi:providers:"


def properties(struct: Struct) -> dict[str, Any]:
    """Properties as plain Python. What has no form that we know is as good as unknown: a rule must not trip over it."""
    try:
        return from_wire(struct)
    except Exception:  # noqa: BLE001 whatever a provider sends, a deployment must not stop for it
        return dict.fromkeys(struct.fields, UNKNOWN)


def site(request: rpc.AnalyzeRequest, inputs: Mapping[str, Any]) -> Graph:
    """A Graph of one resource as it is registered, with its provider: what rules on a single resource may look at."""
    resource = _resource(request, inputs, outputs={}, dependencies=(), made_from={})
    found = {resource.urn: resource}
    if request.HasField("provider"):
        found[request.provider.urn] = _provider(request.provider)
    return _graph(found)


def graph(request: rpc.AnalyzeStackRequest, inputs: Mapping[str, Mapping[str, Any]]) -> Graph:
    """The Graph of a whole stack.

    `inputs` are those with which its resources were registered, by URN. What was not registered is not the program's:
    it only looks that up, or leaves it alone this time.
    """
    found: dict[str, Resource] = {}
    for each in request.resources:
        outputs = properties(each.properties)
        given = inputs.get(each.urn)
        made_from = {key: tuple(sources.urns) for key, sources in each.propertyDependencies.items()}
        found[each.urn] = _resource(
            each,
            outputs if given is None else given,
            outputs=outputs,
            dependencies=each.dependencies,
            made_from=made_from,
            external=given is None and each.type != STACK_TYPE,
        )
        if each.HasField("provider") and each.provider.urn not in found:
            found[each.provider.urn] = _provider(each.provider)
    return _graph(in_order(found))


def _resource(
    sent: rpc.AnalyzeRequest | rpc.AnalyzerResource,
    inputs: Mapping[str, Any],
    *,
    outputs: Mapping[str, Any],
    dependencies: Iterable[str],
    made_from: Mapping[str, tuple[str, ...]],
    external: bool = False,
) -> Resource:
    given_id = outputs.get("id")
    return Resource(
        urn=sent.urn,
        type=sent.type,
        name=sent.name,
        custom=sent.HasField("provider") or sent.type.startswith(_PROVIDERS),
        id=given_id if isinstance(given_id, str) else "",
        inputs=inputs,
        outputs=outputs,
        parent=sent.options.parent,
        provider=f"{sent.provider.urn}::id" if sent.HasField("provider") else "",
        dependencies=tuple(dependencies),
        property_dependencies=made_from,
        options=_options(sent.options),
        place=None,
        external=external,
    )


def _provider(sent: rpc.AnalyzerProviderResource) -> Resource:
    """A provider, of which a resource's request shows only what configures it."""
    return Resource(
        urn=sent.urn,
        type=sent.type,
        name=sent.name,
        custom=True,
        id="",
        inputs=properties(sent.properties),
        outputs={},
        parent="",
        provider="",
        dependencies=(),
        property_dependencies={},
        options=Options(),
        place=None,
        external=True,
    )


def _options(sent: rpc.AnalyzerResourceOptions) -> Options:
    """The options that the engine shows; `retainOnDelete` is not among them."""
    return Options(
        protect=sent.protect,
        delete_before_replace=sent.deleteBeforeReplace if sent.deleteBeforeReplaceDefined else None,
        ignore_changes=tuple(sent.ignoreChanges),
        additional_secret_outputs=tuple(sent.additionalSecretOutputs),
        aliases=tuple(sent.aliases),
        timeouts=Timeouts(
            create=_duration(sent.customTimeouts.create),
            update=_duration(sent.customTimeouts.update),
            delete=_duration(sent.customTimeouts.delete),
        ),
    )


def _duration(seconds: float) -> str:
    return f"{seconds:g}s" if seconds else ""


def _graph(resources: Mapping[str, Resource]) -> Graph:
    """The stack and the project are those that each URN shows: `urn:pulumi:STACK::PROJECT::…`."""
    first = next(iter(resources), "urn:pulumi:stack::project::")
    stack, project = first.removeprefix("urn:pulumi:").split("::")[:2]
    exports = next((each.outputs for each in resources.values() if each.type == STACK_TYPE), {})
    return by_present_names(Graph(project, stack, resources, exports))
