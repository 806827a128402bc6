"""Where the Graph of the real engine's state and that of an embedded rehearsal differ: nowhere, if both are right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.core.findings import Finding, Severity, Source
from penstock.graph.graph import Graph, Resource
from penstock.graph.values import Secret

_ATTRIBUTES = ("type", "name", "custom", "external", "parent", "provider_urn", "place")
_OPTIONS = (  # those that an engine's state keeps
    "protect",
    "retain_on_delete",
    "ignore_changes",
    "replace_on_changes",
    "additional_secret_outputs",
    "deleted_with",
)
_PROVIDER = "pulumi:providers:"


def differences(engine: Graph, embedded: Graph) -> Iterator[Finding]:
    """A finding for each resource and property that one of the two has otherwise. Values are never reported.

    The ids of providers, which the engine draws at random, and the order of dependencies mean nothing.
    """
    for urn in sorted({*engine.resources, *embedded.resources}):
        if urn not in embedded.resources:
            yield _finding("the engine has this resource, and the rehearsal has not", engine[urn])
        elif urn not in engine.resources:
            yield _finding("the rehearsal has this resource, and the engine has not", embedded[urn])
        else:
            yield from _of_resource(engine[urn], embedded[urn])
    for path in _paths(engine.exports, embedded.exports, ""):
        yield _finding("the engine and the rehearsal disagree on an output of the stack", None, path)


def _of_resource(engine: Resource, embedded: Resource) -> Iterator[Finding]:
    ids = () if engine.type.startswith(_PROVIDER) else ("id",)
    for attribute in (*_ATTRIBUTES, *ids):
        if getattr(engine, attribute) != getattr(embedded, attribute):
            yield _finding(f"the engine and the rehearsal disagree on the {attribute} of this resource", embedded)
    for option in _OPTIONS:
        if getattr(engine.options, option) != getattr(embedded.options, option):
            yield _finding(f"the engine and the rehearsal disagree on the option {option} of this resource", embedded)
    if set(engine.dependencies) != set(embedded.dependencies):
        yield _finding("the engine and the rehearsal disagree on what this resource depends on", embedded)
    mine, theirs = (_sets(each.property_dependencies) for each in (engine, embedded))
    for path in sorted(key for key in {*mine, *theirs} if mine.get(key) != theirs.get(key)):
        yield _finding("the engine and the rehearsal disagree on what this property depends on", embedded, path)
    if embedded.options.import_id and not embedded.external:
        return  # the state holds what the cloud reports of an imported resource, not what the program asks for
    for what, one, other in (
        ("input", engine.inputs, embedded.inputs),
        ("output", _all_outputs(engine), _all_outputs(embedded)),
    ):
        for path in _paths(one, other, ""):
            yield _finding(f"the engine and the rehearsal disagree on this {what}", embedded, path)


def _all_outputs(resource: Resource) -> Mapping[str, Any]:
    """The inputs too: an engine's state repeats those of a resource among its outputs."""
    return {**resource.inputs, **resource.outputs} if resource.custom else resource.outputs


def _sets(dependencies: Mapping[str, tuple[str, ...]]) -> dict[str, set[str]]:
    return {key: set(urns) for key, urns in dependencies.items() if urns}


def _paths(one: Any, other: Any, path: str) -> Iterator[str]:
    """The paths at which two values differ."""
    if isinstance(one, Secret) and isinstance(other, Secret):
        yield from _paths(one.value, other.value, path)
    elif isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in sorted({*one, *other}):
            inner = f"{path}.{key}" if path else key
            if key in one and key in other:
                yield from _paths(one[key], other[key], inner)
            else:
                yield inner
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for index, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            yield from _paths(mine, theirs, f"{path}[{index}]")
    elif one != other or isinstance(one, bool) != isinstance(other, bool):
        yield path


def _finding(message: str, resource: Resource | None, path: str | None = None) -> Finding:
    place = resource.place if resource is not None else None
    return Finding(
        code="ENGINE-001",
        severity=Severity.ERROR,
        source=Source.PROGRAM,
        message=message,
        hint="One of the two is wrong: please report it with the program.",
        urn=resource.urn if resource is not None else None,
        path=path,
        file=place.file if place else None,
        line=place.line if place else None,
    )
