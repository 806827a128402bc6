"""Valid Graphs, broken one field at a time: what a mistyped field does to a program, and whether anything notices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from penstock.graph.graph import Graph, Resource
from penstock.graph.values import Secret, Unknown
from penstock.rules.judge import judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings
from penstock.simulate import sdk_types

Path = tuple[str | int, ...]

FREE_TEXT = frozenset(
    {"description", "name", "namePrefix", "tags", "tagsAll", "comment", "labels", "resourceLabels", "annotations"}
)
"""Inputs that mean nothing to a cloud: whatever stands there is as right as before."""


_EVERYWHERE = {
    "aws": ("aws:ec2/vpc:Vpc", "aws:ec2/subnet:Subnet", "aws:ec2/securityGroup:SecurityGroup", "aws:kms/key:Key"),
    "gcp": (
        "gcp:compute/network:Network",
        "gcp:compute/subnetwork:Subnetwork",
        "gcp:compute/resourcePolicy:ResourcePolicy",
        "gcp:kms/cryptoKey:CryptoKey",
        "gcp:storage/bucket:Bucket",
    ),
}
"""What a mistyped field holds in place of another resource of the same cloud."""


@dataclass(frozen=True, repr=False)
class Mutation:
    """One field of one resource with another value; `kind` is how it was broken."""

    kind: str
    urn: str
    path: Path
    graph: Graph

    @property
    def family(self) -> str:
        """The service of the resource: `aws:eks`."""
        package, module, *_ = self.graph[self.urn].type.split(":")
        return f"{package}:{module.split('/')[0]}"

    def __repr__(self) -> str:
        return f"{self.kind} {self.urn.rsplit('::', 2)[-2]}::{self.urn.rsplit('::', 1)[-1]} {self.path}"


def mutations(graph: Graph) -> Iterator[Mutation]:
    """Every way to break one field of a Graph."""
    for resource in graph:
        if resource.custom and not resource.type.startswith("pulumi:"):
            for path, value in _places(resource.inputs):
                if not FREE_TEXT & set(path):
                    for kind, broken, source in _broken(value, resource, graph):
                        yield _mutation(kind, resource, path, broken, graph, source=source)
                    if len(path) == 1:
                        yield _mutation("removed", resource, path, None, graph)


def caught(mutation: Mutation) -> bool:
    """Return whether the SDK's types or a cloud rule notices, which they did not before."""
    resource = mutation.graph[mutation.urn]
    return any(sdk_types.mismatches(resource.type, resource.inputs)) or bool(
        judge(mutation.graph, Settings(), RuleKind.PROVIDER).findings
    )


def _places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every place below a value that is known and not secret."""
    if path and not isinstance(value, Secret | Unknown) and value is not None:
        yield path, value
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, item in items:
        yield from _places(item, (*path, key))


def _broken(value: Any, resource: Resource, graph: Graph) -> Iterator[tuple[str, Any, str]]:
    """How a value may be broken, with what stands there then, and the URN of the resource that this is taken from."""
    if isinstance(value, bool):
        yield "flipped", not value, ""
    elif isinstance(value, int | float):
        yield "too large", value * 1000 + 7, ""
        yield "negative", -abs(value) - 1, ""
    elif isinstance(value, str):
        yield "other word", "not-a-word-of-this-cloud", ""
        kinds = {other.type for other in graph if other.id == value}
        clouds = {kind.partition(":")[0] for kind in kinds}
        common = {kind for cloud in clouds for kind in _EVERYWHERE.get(cloud, ())} - {*kinds, resource.type}
        stranger = next((other for other in graph if other.type in common), None)
        if stranger is not None:
            yield "wrong resource", stranger.id, stranger.urn
    elif isinstance(value, list | tuple) and value:
        yield "emptied", [], ""
        yield "doubled", [*value, value[0]], ""
    yield "wrong type", {"unexpected": ["x"]} if not isinstance(value, Mapping) else "x", ""


def _mutation(kind: str, resource: Resource, path: Path, value: Any, graph: Graph, *, source: str = "") -> Mutation:
    sources = {key: urns for key, urns in resource.property_dependencies.items() if key != path[0]}
    if source:
        sources[str(path[0])] = (source,)
    changed = replace(resource, inputs=_with(resource.inputs, path, value), property_dependencies=sources)
    return Mutation(kind, resource.urn, path, replace(graph, resources={**graph.resources, resource.urn: changed}))


def _with(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    head, *rest = path
    if isinstance(value, Mapping):
        return {**value, head: _with(value[str(head)], tuple(rest), new)}
    return [_with(item, tuple(rest), new) if index == head else item for index, item in enumerate(value)]
