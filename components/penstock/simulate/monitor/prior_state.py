"""The resources that exist before a run, found again under a URN or one of its aliases, as the engine does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from penstock.graph.graph import STACK_TYPE, Graph, Resource
from penstock.graph.values import Secret
from penstock.simulate.clouds import CreateRequest, CreateResponse
from penstock.simulate.clouds.provider import SimulatedProvider
from penstock.simulate.lifecycle import Operation


class PriorState:
    """The resources of a stack, to be asked for in the order in which a program registers: parents first."""

    def __init__(self, before: Graph) -> None:
        self._before = before
        self._found: set[str] = set()
        self._renamed: dict[str, str] = {}

    def find(self, urn: str, parent: str, aliases: Sequence[str]) -> Resource | None:
        """The resource that is under this URN, one of its aliases, or one inherited from a renamed parent."""
        for name in (urn, *aliases, *self._inherited(urn, parent, aliases)):
            old = self._before.resources.get(name)
            if old is not None and name not in self._found:
                self.rename(urn, name)
                return old
        return None

    def rename(self, urn: str, old_urn: str) -> None:
        """Takes note that what was under `old_urn` goes on under `urn`: its children are found after it."""
        self._found.add(old_urn)
        if urn != old_urn:
            self._renamed[urn] = old_urn

    def former_urn(self, urn: str) -> str:
        """The URN that a resource of now had before."""
        return self._renamed.get(urn, urn)

    def left(self) -> Iterator[Resource]:
        """The existing resources that were not found again, so far."""
        return (resource for resource in self._before if resource.urn not in self._found)

    def _inherited(self, urn: str, parent: str, aliases: Sequence[str]) -> Iterator[str]:
        """A child whose name begins with its parent's is taken to have been renamed with it."""
        above = self._renamed.get(parent)
        if above is None:
            return
        for name in (urn, *aliases):
            yield child_of(above, type_of(name), renamed_with(name_of(name), name_of(parent), name_of(above)))


def answer_again(
    provider: SimulatedProvider, request: CreateRequest, old: Resource, replace_on_changes: Sequence[str]
) -> CreateResponse:
    """Return the cloud's response for an existing resource: the same, an update of it, or another in its place."""
    change = provider.diff(
        request.type, old.inputs, request.inputs, old_outputs=old.outputs, replace_on_changes=replace_on_changes
    )
    if change.operation is Operation.SAME:
        kept = {key: _as_secret(value, request.inputs.get(key)) for key, value in old.outputs.items()}
        return CreateResponse(old.id, kept, frozenset({"id", *kept} if old.documented is None else old.documented))
    if change.operation is Operation.UPDATE:
        response = provider.update(request, old.id, old.outputs, old.inputs)
        kept_keys = {key for key, value in old.outputs.items() if response.outputs.get(key) == value}
        known = {"id", *kept_keys} if old.documented is None else old.documented & kept_keys
        return replace(response, documented=response.documented | known)
    return provider.create(request, instead_of=old.id)


def _as_secret(output: Any, given: Any) -> Any:
    """An output that repeats what is given now: secret where that has become one."""
    if isinstance(given, Secret):
        return output if isinstance(output, Secret) else Secret(output)
    if isinstance(given, Mapping) and isinstance(output, Mapping):
        return {key: _as_secret(value, given.get(key)) for key, value in output.items()}
    return output


def name_of(urn: str) -> str:
    """The name that a program gave to a resource."""
    return urn.split("::", 3)[3]


def type_of(urn: str) -> str:
    """The type token of a resource, without those of its parents."""
    return urn.split("::", 3)[2].rpartition("$")[2]


def child_of(parent: str, type_: str, name: str) -> str:
    """The URN of a child."""
    head, project, above, _ = parent.split("::", 3)
    return f"{head}::{project}::{type_ if above == STACK_TYPE else f'{above}${type_}'}::{name}"


def renamed_with(name: str, parent: str, old_parent: str) -> str:
    """Return the name of a child while its parent had another name."""
    return f"{old_parent}{name.removeprefix(parent)}" if name.startswith(parent) else name
