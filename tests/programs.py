"""Small programs as data, and their Graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from penstock.graph.graph import DEFAULT_OPTIONS, STACK_TYPE, Graph, Options, Resource
from penstock.graph.values import UNKNOWN

Program = Mapping[str, tuple[str, Mapping[str, Any]]]
"""Resources by name: the type token and the inputs of each. A `Ref` among the inputs is another's id or output."""

IT = "it"
"""The resource that a case is about."""


@dataclass(frozen=True)
class Ref:
    """A property of another resource of the program; its id unless another is named."""

    name: str
    output: str = "id"


def graph_of(
    program: Program, *, preview: bool = False, called: str = IT, options: Mapping[str, Options] | None = None
) -> Graph:
    """The Graph of a program, its references resolved; each resource has an id, an ARN and a name of its own."""
    resources: dict[str, Resource] = {}
    for name, (type_, inputs) in program.items():
        sources: dict[str, set[str]] = {}
        resolved = {
            key: _resolved(value, program, sources.setdefault(key, set()), preview=preview)
            for key, value in inputs.items()
        }
        urn = urn_of(name, program)
        resources[urn] = Resource(
            urn=urn,
            type=type_,
            name=called if name == IT else name,
            custom=not type_.startswith(("penstock:", STACK_TYPE)),
            id="" if preview else f"{name}-id",
            inputs=resolved,
            outputs={} if preview else {"arn": f"arn:{name}", "name": resolved.get("name", f"{name}-name")},
            parent="",
            provider=_provider(type_, program),
            dependencies=tuple(sorted(set().union(*sources.values()))),
            property_dependencies={key: tuple(sorted(urns)) for key, urns in sources.items() if urns},
            options=(options or {}).get(name, DEFAULT_OPTIONS),
            place=None,
        )
    return Graph("project", "stack", resources)


def _resolved(value: Any, program: Program, sources: set[str], *, preview: bool) -> Any:
    if isinstance(value, Ref):
        sources.add(urn_of(value.name, program))
        if preview:
            return UNKNOWN
        inputs = program[value.name][1]
        metadata = inputs.get("metadata")
        known = {
            "arn": f"arn:{value.name}",
            "name": inputs.get("name", f"{value.name}-name"),
            "metadata.name": metadata.get("name") if isinstance(metadata, Mapping) else metadata,
        }
        return known.get(value.output, f"{value.name}-{value.output}")
    if isinstance(value, Mapping):
        return {key: _resolved(item, program, sources, preview=preview) for key, item in value.items()}
    if isinstance(value, list):
        return [_resolved(item, program, sources, preview=preview) for item in value]
    return value


def _provider(type_: str, program: Program) -> str:
    """The program's own provider of a type's package, if it has one."""
    own = f"pulumi:providers:{type_.partition(':')[0]}"
    return next((f"{urn_of(name, program)}::id" for name, (other, _) in program.items() if other == own), "")


def urn_of(name: str, program: Program) -> str:
    """The URN of a resource of a program."""
    return f"urn:pulumi:stack::project::{program[name][0]}::{name}"
