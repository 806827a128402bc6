"""The effects of a change on a stack: compares two Graphs of it, and follows each replacement to what depends on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from penstock.catalog import holdings, replacements
from penstock.changes import changed_values
from penstock.changes.retained import is_retained
from penstock.graph.graph import Graph, Resource
from penstock.graph.property_path import PropertyPath
from penstock.graph.values import UNKNOWN
from penstock.simulate import lifecycle
from penstock.simulate.clouds import provider_decisions, provider_defaults, version_counters
from penstock.simulate.lifecycle import Difference, Operation
from penstock.simulate.monitor.prior_state import PriorState
from penstock.simulate.monitor.providers import PREFIX
from penstock.simulate.run import Rehearsal


@dataclass(frozen=True, slots=True, repr=False)
class Changed:
    """One resource that the change touches: as it was, as it will be, and what causes it.

    `known` is False where the properties of the type that force a replacement are not known. A `torn_down` resource
    hangs on something that is deleted before its replacement is created, and must go before that. Of a `retained` one
    the data is elsewhere, and stays.
    """

    operation: Operation
    before: Resource | None
    after: Resource | None
    causes: tuple[Difference, ...] = ()
    known: bool = True
    torn_down: bool = False
    retained: bool = False

    def __repr__(self) -> str:
        paths = ", ".join(cause.path for cause in self.causes)
        return f"<{self.operation} {self.resource.type} {self.resource.name}{f': {paths}' if paths else ''}>"

    @property
    def resource(self) -> Resource:
        """The resource as it will be, or as it was where it will not be."""
        found = self.after or self.before
        assert found is not None  # noqa: S101 one of them is always given
        return found

    @property
    def urn(self) -> str:
        """The URN after the change, or before it for what is deleted."""
        return self.resource.urn

    @property
    def lost(self) -> str:
        """The data that is lost with the old resource; empty where none does, or where it is kept in the cloud."""
        if self.operation not in (Operation.REPLACE, Operation.DELETE) or self.before is None or self._stays:
            return ""
        holding = holdings.holding_of(self.before.type)
        return holding.lost if holding else ""

    @property
    def refused(self) -> bool:
        """True if the engine refuses it, because the resource is protected."""
        if self.before is None or not self.before.options.protect:
            return False
        return self.operation is Operation.DELETE or (
            self.operation is Operation.REPLACE
            and self.after is not None
            and (self.after.options.protect or self.torn_down)
        )

    @property
    def deletes_first(self) -> bool:
        """True if a replacement is created only when the old resource is gone."""
        if self.before is None or self.after is None:
            return False
        return self.torn_down or deletes_first(self.before, self.after)

    @property
    def _stays(self) -> bool:
        return self.retained or (self.before is not None and self.before.options.retain_on_delete)


@dataclass(frozen=True, slots=True)
class Moved:
    """A resource, or a component, that goes on under another URN, thanks to an alias."""

    old_urn: str
    urn: str


@dataclass(frozen=True, repr=False)
class Changes:
    """All that a change does. Components make nothing in a cloud and are counted only where they moved.

    `data_lost` are those replaced or deleted that hold data and are not retained in the cloud; what is protected is
    among them, and the engine refuses the change. `quotas` are those that the user declares of the account.
    """

    before: Graph
    after: Graph
    created: tuple[Changed, ...]
    updated: tuple[Changed, ...]
    replaced: tuple[Changed, ...]
    deleted: tuple[Changed, ...]
    moved: tuple[Moved, ...]
    quotas: Mapping[str, float] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Changed]:
        yield from (*self.replaced, *self.deleted, *self.updated, *self.created)

    def __repr__(self) -> str:
        return f"<Changes {list(self)}>"

    def __len__(self) -> int:
        return len(self.created) + len(self.updated) + len(self.replaced) + len(self.deleted)

    def __bool__(self) -> bool:
        return bool(len(self) or self.moved)

    @cached_property
    def data_lost(self) -> tuple[Changed, ...]:
        """The resources that are replaced or deleted although they hold data."""
        return tuple(each for each in (*self.replaced, *self.deleted) if each.lost)


def diff(before: Graph | Rehearsal, after: Graph | Rehearsal) -> Changes:
    """The changes to the resources of one stack, between two runs of its program or a state and a run.

    Where both were rehearsed on their own, what hangs on a replaced resource counts as changed although its made-up id
    is the same in both.
    """
    old, new = _graph(before), _graph(after)
    prior = PriorState(old)
    comparison = _Comparison(old, new)
    found: dict[Operation, list[Changed]] = {operation: [] for operation in Operation}
    moved = []
    for resource in new:
        was = prior.find(resource.urn, resource.parent, resource.options.aliases)
        if was is not None and was.urn != resource.urn:
            moved.append(Moved(was.urn, resource.urn))
        changed = comparison.of(was, resource)
        found[changed.operation].append(changed)
    gone = [
        Changed(Operation.DELETE, resource, None, retained=is_retained(resource, old))
        for resource in prior.left()
        if _is_ours(resource)
    ]
    return Changes(
        before=old,
        after=new,
        created=tuple(found[Operation.CREATE]),
        updated=tuple(found[Operation.UPDATE]),
        replaced=tuple(found[Operation.REPLACE]),
        deleted=(*reversed(gone), *found[Operation.DELETE]),
        moved=tuple(moved),
        quotas=after.quotas if isinstance(after, Rehearsal) else {},
    )


def _graph(given: Graph | Rehearsal) -> Graph:
    return given.graph if isinstance(given, Rehearsal) else given


def _is_ours(resource: Resource) -> bool:
    """Return whether the engine makes and deletes it: no component, no provider, and not only read."""
    return resource.custom and not resource.external and not resource.type.startswith(PREFIX)


def _is_given_up(was: Resource, resource: Resource) -> bool:
    """Return whether the program now only reads another resource under the name of one that the engine made.

    The engine deletes the former one then (pulumi, step_generator.go, GenerateReadSteps).
    """
    return _is_ours(was) and resource.external and was.id != resource.id


class _Comparison:
    """Compares one resource after the other, those first that others depend on."""

    def __init__(self, old: Graph, new: Graph) -> None:
        self._old, self._new = old, new
        self._replaced: set[str] = set()
        self._stale: dict[str, changed_values.Stale] = {}
        self._kept: dict[str, Mapping[str, str]] = {}
        self._grown: dict[str, Mapping[str, tuple[Any, int]]] = {}
        self._deleted_first: set[str] = set()
        self._configurations: dict[str, Mapping[str, Any]] = {}

    def of(self, was: Resource | None, resource: Resource) -> Changed:
        if resource.type.startswith(PREFIX):
            self._configured(was, resource)
        if was is not None and _is_given_up(was, resource):
            return Changed(Operation.DELETE, was, None, retained=is_retained(was, self._old))
        if not _is_ours(resource) or (was is not None and not _is_ours(was)):
            return Changed(Operation.SAME, was, resource)
        if was is None:
            return Changed(Operation.CREATE, None, resource)
        options = resource.options
        provider = self._new.resources.get(resource.provider_urn)
        before, after = provider_defaults.evened(
            resource.type, was.inputs, was.outputs, self._as_moved(resource), provider.inputs if provider else {}
        )
        causes = lifecycle.differences(
            resource.type,
            before,
            after,
            ignore_changes=options.ignore_changes,
            replace_on_changes=options.replace_on_changes,
        )
        causes = (
            *self._explained(causes, resource),
            *self._cascading(causes, resource),
            *self._following(causes, resource),
            *self._moved_away(was, resource),
        )
        torn = tuple(self._torn_down(was))
        if not any(cause.replaces for cause in causes):
            causes = (*causes, *torn)
        change = lifecycle.following(resource.type, causes)
        if change.operation is Operation.REPLACE and (torn or deletes_first(was, resource)):
            self._deleted_first.add(was.urn)
        self._note(change.operation, was, resource, causes)
        return Changed(
            change.operation,
            was,
            resource,
            causes,
            known=change.known,
            torn_down=bool(torn),
            retained=is_retained(was, self._old),
        )

    def _note(self, operation: Operation, was: Resource, resource: Resource, causes: tuple[Difference, ...]) -> None:
        """Takes note of what others take from a resource and will be another."""
        if operation is Operation.REPLACE:
            self._replaced.add(resource.urn)
            if was.id == resource.id:  # else it was created anew already, and what depends on it reads so
                self._stale[resource.urn] = changed_values.values_that_change(resource)
        elif was.id != resource.id:
            self._kept[resource.urn] = changed_values.kept(was, resource)
        if operation is Operation.UPDATE:
            grown = version_counters.grown(resource.type, causes, was.outputs, resource.inputs)
            if grown:
                self._grown[resource.urn] = {key: (was.outputs.get(key), value) for key, value in grown.items()}

    def _as_moved(self, resource: Resource) -> Mapping[str, Any]:
        """The inputs with the ids that moved resources keep, where those that were rehearsed anew got others."""
        found = dict(resource.inputs)
        for key, urns in resource.property_dependencies.items() if self._kept else ():
            for urn in urns:
                if urn in self._kept and key in found:
                    found[key] = changed_values.translated(found[key], self._kept[urn])
        return found

    def _explained(self, causes: tuple[Difference, ...], resource: Resource) -> Iterator[Difference]:
        for cause in causes:
            yield replace(cause, because=self._replaced_behind(PropertyPath.parse(cause.path).top, resource))

    def _replaced_behind(self, key: str, resource: Resource) -> str:
        urns = resource.property_dependencies.get(key, ())
        return next((urn for urn in urns if urn in self._replaced or urn in self._grown), "")

    def _cascading(self, known: tuple[Difference, ...], resource: Resource) -> Iterator[Difference]:
        """Inputs that read the same only because nothing was really made: they come from what is replaced."""
        if not self._stale:
            return
        seen = {PropertyPath.parse(each.path).top for each in known}
        ignored = [PropertyPath.parse(path) for path in resource.options.ignore_changes]
        forcing = [PropertyPath.parse(path) for path in resource.options.replace_on_changes]
        facts = replacements.replacements_of(resource.type).given(resource.inputs)
        for key, urns in resource.property_dependencies.items():
            for urn in urns:
                if urn not in self._stale or key in seen:
                    continue
                for path, value in self._stale[urn].within(resource.inputs.get(key), key):
                    if any(pattern.covers(path) for pattern in ignored):
                        continue
                    yield changed_values.unknown_at(path, value, facts, forcing, because=urn)

    def _following(self, known: tuple[Difference, ...], resource: Resource) -> Iterator[Difference]:
        """Inputs that take the version of what gets another one, where it was rehearsed anew and counts from one."""
        if not self._grown:
            return
        seen = {PropertyPath.parse(each.path) for each in known}
        ignored = [PropertyPath.parse(path) for path in resource.options.ignore_changes]
        facts = replacements.replacements_of(resource.type).given(resource.inputs)
        for key, urns in resource.property_dependencies.items():
            for urn in urns:
                for path, before, after in changed_values.counted(
                    resource.inputs.get(key), key, self._grown.get(urn, {}).values()
                ):
                    if path not in seen and not any(pattern.covers(path) for pattern in ignored):
                        seen.add(path)
                        forced = lifecycle.forces(facts, path, before, after)
                        yield Difference(str(path), before, after, replaces=forced, because=urn)

    def _moved_away(self, was: Resource, resource: Resource) -> Iterator[Difference]:
        """What another provider, or another configuration of it, does: it may reach another region or cluster."""
        before, after = self._old.resources.get(was.provider_urn), self._new.resources.get(resource.provider_urn)
        if before is None or after is None:
            return
        configuration = self._configurations.get(after.urn, after.inputs)
        if provider_decisions.is_another(_package(resource), before.inputs, configuration):
            yield Difference("provider", before.urn, after.urn, replaces=True, because=after.urn)
            return
        for each in provider_decisions.inherited(
            resource.type, was.inputs, was.outputs, resource.inputs, configuration
        ):
            yield replace(each, because=after.urn)

    def _configured(self, was: Resource | None, provider: Resource) -> None:
        """Takes note of what a provider is configured with, once what that comes from is created anew."""
        found = dict(self._as_moved(provider))
        for key, urns in provider.property_dependencies.items():
            for urn in urns:
                if urn in self._stale and key in found:
                    found[key] = self._stale[urn].renewed(found[key])
        self._configurations[provider.urn] = found
        if was is not None and self._deleted_first:
            gone = dict.fromkeys((key for key, _ in self._deleted_behind(was)), UNKNOWN)
            if gone and provider_decisions.is_another(
                provider.type.removeprefix(PREFIX), was.inputs, {**was.inputs, **gone}
            ):
                self._deleted_first.add(was.urn)

    def _torn_down(self, was: Resource) -> Iterator[Difference]:
        """What the engine cannot let stand while something that it hangs on is deleted: it would need replacing."""
        if not self._deleted_first:
            return
        if was.provider_urn in self._deleted_first:
            yield Difference("provider", was.provider_urn, was.provider_urn, replaces=True, because=was.provider_urn)
        facts = replacements.replacements_of(was.type).given(was.inputs)
        for key, urn in self._deleted_behind(was):
            cause = changed_values.unknown_at(PropertyPath((key,)), was.inputs[key], facts, (), because=urn)
            if cause.replaces:
                yield cause

    def _deleted_behind(self, was: Resource) -> Iterator[tuple[str, str]]:
        """The inputs that a resource had from what is deleted first, each with that."""
        for key, urns in was.property_dependencies.items():
            behind = next((urn for urn in urns if urn in self._deleted_first), None)
            if behind is not None and key in was.inputs:
                yield key, behind


def deletes_first(was: Resource, resource: Resource) -> bool:
    """Return whether the old resource is deleted before its replacement is created."""
    chosen = resource.options.delete_before_replace
    return provider_decisions.deletes_first(resource.type, was.inputs, resource.inputs) if chosen is None else chosen


def _package(resource: Resource) -> str:
    return resource.type.partition(":")[0]
