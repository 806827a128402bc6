"""Answers of the simulated clouds for a registered resource, and how much of them the program sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.struct_pb2 import Struct

from penstock.graph.graph import Options, Resource
from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate import lifecycle, sdk_types
from penstock.simulate.clouds import CreateRequest, CreateResponse, any_provider
from penstock.simulate.clouds.identity import uuid
from penstock.simulate.clouds.provider import SimulatedProvider
from penstock.simulate.lifecycle import Operation
from penstock.simulate.monitor.prior_state import answer_again
from penstock.simulate.monitor.requests import DYNAMIC, Register
from penstock.simulate.wire import OPAQUE, settled, to_wire


def made(
    request: Register,
    urn: str,
    inputs: Mapping[str, Any],
    provider: Resource | None,
    old: Resource | None,
    *,
    preview: bool,
) -> CreateResponse:
    """What `provider` makes of a request; components and providers have none. `old` is what exists already."""
    known_id = old.id if old is not None else uuid(urn)
    if provider is None:
        return CreateResponse(known_id if request.custom else "", {})
    if preview and old is None and out_of_reach(provider):
        return CreateResponse("", {})
    asked = CreateRequest(urn, request.type, request.name, inputs, provider.inputs, id=request.importId)
    if request.remote:
        answer = any_provider.component(asked)
    elif request.type.startswith(DYNAMIC):
        answer = CreateResponse(known_id, {})
    else:
        cloud = SimulatedProvider(package(request.type), provider.inputs)
        answer = cloud.create(asked) if old is None else answer_again(cloud, asked, old, request.replaceOnChanges)
    outputs = dict(answer.outputs)
    unseen = preview and (old is None or answer.id != old.id)
    if unseen:
        outputs = {key: _before_creation(value, inputs.get(key)) for key, value in outputs.items()}
    for key in request.additionalSecretOutputs:
        output = outputs.get(key, inputs.get(key))  # a provider repeats its inputs, as the SDK does where it does not
        if output is not None and not isinstance(output, Secret):
            outputs[key] = Secret(output)
    return CreateResponse("" if unseen else answer.id, outputs, answer.documented)


def as_sent(
    type_: str, inputs: dict[str, Any], provider: Resource | None, old: Resource, options: Options
) -> dict[str, Any]:
    """Return the inputs that the engine sends for what exists: where they are ignored, as they were.

    Only an update ignores changes. What is replaced is created with all that the program gives (pulumi
    pkg/resource/deploy/step_generator.go, continueStepsFromDiff).
    """
    if provider is not None:
        change = SimulatedProvider(package(type_), provider.inputs).diff(
            type_,
            old.inputs,
            inputs,
            old_outputs=old.outputs,
            ignore_changes=options.ignore_changes,
            replace_on_changes=options.replace_on_changes,
        )
        if change.operation is Operation.REPLACE:
            return inputs
    kept: dict[str, Any] = lifecycle.kept(old.inputs, inputs, options.ignore_changes)
    return kept


def answer_properties(inputs: Struct, outputs: Mapping[str, Any], *, repeated: bool) -> Struct:
    """Return the SDK's properties, with the inputs if they are to be `repeated`.

    The SDK adds what the program gave. It cannot add what has become of that since, such as by a transform, and in a
    preview it adds nothing.
    """
    if not repeated:
        return to_wire(outputs)
    answer = settled(inputs)
    answer.MergeFrom(to_wire(outputs))
    return answer


def as_results(token: str, results: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results of a function as the SDK takes them: its classes refuse an unknown value as a result.

    A text is replaced by one that is unknown wherever it comes to; others are left out.
    """
    types = sdk_types.result_types(token)
    plain = {key: OPAQUE if types.get(key) is str else None for key in types if results.get(key) is UNKNOWN}
    return {**results, **plain}


def out_of_reach(provider: Resource | None) -> bool:
    """Return whether the engine cannot ask a provider anything in a preview: its configuration is not known yet."""
    given = provider.inputs.values() if provider is not None else ()
    return any(value is UNKNOWN or value == Secret(UNKNOWN) for value in given)


def reference(provider: Resource) -> str:
    """How a resource names its provider."""
    return f"{provider.urn}::{provider.id}"


def package(token: str) -> str:
    """The provider that a type or function belongs to: `aws` of `aws:ec2/vpc:Vpc`."""
    return token.split(":", 1)[0]


def _before_creation(output: Any, given: Any) -> Any:
    """Return what a preview knows of an output: what was given, and nothing of what the cloud will add to it."""
    if output == given:
        return given
    if isinstance(output, Mapping) and isinstance(given, Mapping):
        return {key: _before_creation(value, given.get(key)) for key, value in output.items()}
    if isinstance(output, list) and isinstance(given, list) and len(output) == len(given):
        return [_before_creation(*pair) for pair in zip(output, given, strict=True)]
    return UNKNOWN
