"""The Graph: a frozen record of everything a program registered. All that comes after a run is a function of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from typing import Any, NamedTuple

from penstock.graph.source_block import SourceBlock

STACK_TYPE = "pulumi:pulumi:Stack"
STACK_REFERENCE = "pulumi:pulumi:StackReference"


class SourceLocation(NamedTuple):
    """Where in the program a resource is created: a path relative to the project, and a line."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long the engine waits, as Pulumi writes durations ("30m"); empty for the provider's default."""

    create: str = ""
    update: str = ""
    delete: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """The resource options that change what the engine does.

    Where `delete_before_replace` is None, the provider decides whether the old resource or the new one comes first.
    """

    protect: bool = False
    retain_on_delete: bool = False
    delete_before_replace: bool | None = None
    ignore_changes: tuple[str, ...] = ()
    replace_on_changes: tuple[str, ...] = ()
    additional_secret_outputs: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    deleted_with: str = ""
    import_id: str = ""
    version: str = ""
    timeouts: Timeouts = Timeouts()


DEFAULT_OPTIONS = Options()


@dataclass(frozen=True, slots=True)
class Resource:
    """One registered resource. Property names are the provider's own (`cidrBlock`), as they cross the wire.

    One that is `external` was there before: the program only looks it up, and its inputs are what it was looked up by.
    One that `existed` is of an earlier run, and those of its inputs that the program ignores are as they were then.
    `documented` are the outputs, and `id`, whose values have the form that the cloud documents; a simulation invented
    the others (`provenance`). None where all are the cloud's own, as in a state.
    """

    urn: str
    type: str
    name: str
    custom: bool
    id: str
    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]
    parent: str
    provider: str
    dependencies: tuple[str, ...]
    property_dependencies: Mapping[str, tuple[str, ...]]
    options: Options
    place: SourceLocation | None
    external: bool = False
    existed: bool = field(default=False, compare=False)
    documented: frozenset[str] | None = field(default=None, compare=False)
    source_block: SourceBlock | None = field(default=None, compare=False)
    """The block of the description that a component is built from; None where none is known."""

    def __repr__(self) -> str:
        return f"<{self.type} {self.name}>"

    @property
    def provider_urn(self) -> str:
        """The resource that represents the provider; empty for a component that needs none."""
        return self.provider.rpartition("::")[0]

    @property
    def is_default_provider(self) -> bool:
        """True if the engine added this provider, for what names none of its own."""
        named = self.name == "default" or self.name.startswith("default_")
        return named and not self.parent and self.type.startswith("pulumi:providers:")


@dataclass(frozen=True, slots=True)
class Lookup:
    """One call of a provider's function (`aws:ec2/getVpc:getVpc`), which asks the cloud while the program runs.

    `provider` is the provider's URN, `answer` what the simulated cloud answered, `documented` as of a resource. `after`
    are the APIs that were on by then: the URNs of the resources that turn one on, as far as the program waited for
    them.
    """

    token: str
    arguments: Mapping[str, Any]
    provider: str
    answer: Mapping[str, Any] = field(default_factory=dict)
    after: frozenset[str] = frozenset()
    documented: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Graph:
    """The resources that one program would build in one stack, each resource after those that it needs (`in_order`).

    `exports` are the stack's outputs, `lookups` the calls of functions of its providers: a state has none. A component
    is a resource whose `custom` is false.
    """

    project: str
    stack: str
    resources: Mapping[str, Resource]
    exports: Mapping[str, Any] = field(default_factory=dict)
    lookups: tuple[Lookup, ...] = ()

    def __repr__(self) -> str:
        return f"<{len(self)} resources of {self.project}/{self.stack}>"

    def __iter__(self) -> Iterator[Resource]:
        return iter(self.resources.values())

    def __len__(self) -> int:
        return len(self.resources)

    def __getitem__(self, urn: str) -> Resource:
        return self.resources[urn]

    def of_type(self, *types: str) -> tuple[Resource, ...]:
        """The resources of these type tokens."""
        return tuple(resource for type_ in types for resource in self._by_type.get(type_, ()))

    def children(self, urn: str) -> tuple[Resource, ...]:
        """The resources whose parent this is; the empty URN has those without a parent."""
        return self._by_parent.get(urn, ())

    @cached_property
    def _by_type(self) -> dict[str, tuple[Resource, ...]]:
        return _grouped(self.resources.values(), "type")

    @cached_property
    def _by_parent(self) -> dict[str, tuple[Resource, ...]]:
        return _grouped(self.resources.values(), "parent")


def in_order(resources: Mapping[str, Resource]) -> dict[str, Resource]:
    """Resources after their parents, providers and dependencies, and otherwise as the program composed them.

    A program's requests overtake each other, so that two runs may register in two orders. Components come in one order
    always; what they hold is sorted beside them by type and name.
    """
    components = {
        urn: rank for rank, urn in enumerate(urn for urn, resource in resources.items() if not resource.custom)
    }
    needs = {
        urn: {need for need in (resource.parent, resource.provider_urn, *resource.dependencies) if need in resources}
        for urn, resource in resources.items()
    }
    sorter = TopologicalSorter(needs)
    with suppress(CycleError):  # the sorter still gives what waits for no circle; readers of states refuse the rest
        sorter.prepare()

    def place(urn: str) -> tuple[int, bool, str]:
        resource = resources[urn]
        return components.get(urn if not resource.custom else resource.parent, 0), resource.custom, urn

    ready: list[tuple[int, bool, str]] = []
    ordered: dict[str, Resource] = {}
    while sorter.is_active():
        for urn in sorter.get_ready():
            heappush(ready, place(urn))
        *_, urn = heappop(ready)
        ordered[urn] = resources[urn]
        sorter.done(urn)
    return ordered


def _grouped(resources: Any, attribute: str) -> dict[str, tuple[Resource, ...]]:
    groups: dict[str, list[Resource]] = {}
    for resource in resources:
        groups.setdefault(getattr(resource, attribute), []).append(resource)
    return {key: tuple(members) for key, members in groups.items()}
