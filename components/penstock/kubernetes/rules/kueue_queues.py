"""Queues of a program as Kueue sees them: the way from a workload to its quota, and the most that a cohort has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final, NamedTuple

from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.rules import inventory, kueue_settings
from penstock.kubernetes.rules.types import CLUSTER_QUEUES, COHORTS, FLAVORS, LOCAL_QUEUES
from penstock.model import quantities

QUEUE_NAME: Final = "kueue.x-k8s.io/queue-name"

_COHORT: Final = ("cohortName", "cohort")
_PARENT: Final = ("parentName", "parent")
_DEEPEST: Final = 32
"""As many cohorts lie above each other at most: one more is taken for a circle."""


@dataclass(frozen=True)
class Group:
    """One resource group of a ClusterQueue."""

    block: Block

    @cached_property
    def covered(self) -> frozenset[str]:
        """The resources that it has quotas for."""
        return frozenset(self.block.texts("coveredResources"))

    @property
    def flavors(self) -> list[Block]:
        """Its flavors, in the order in which Kueue tries them."""
        return self.block.blocks("flavors")


def groups(queue: View) -> list[Group]:
    """The resource groups of a ClusterQueue or a Cohort."""
    spec = queue.block("spec")
    return [Group(block) for block in spec.blocks("resourceGroups")] if spec is not None else []


def local_queue(workload: View, labels: Block, holder: str) -> View | None:
    """The LocalQueue that a label of a workload names; None where the program has none of that name there.

    `labels` are those that name it, and `holder` is the property of the workload that they are in.

    Raises:
        NotKnown: the name or the namespace is not known.
    """
    try:
        name = labels.text(QUEUE_NAME)
    except NotKnown:
        return _source(workload, holder, LOCAL_QUEUES)
    here = inventory.namespace(workload)
    return _found(workload, LOCAL_QUEUES, here, name or "")


def cluster_queue(local: View) -> View:
    """The ClusterQueue of a LocalQueue.

    Raises:
        NotKnown: it lies outside the program.
    """
    spec = local.block("spec")
    if spec is None:
        raise NotKnown
    try:
        found = _found(local, CLUSTER_QUEUES, "", spec.text("clusterQueue") or "")
    except NotKnown:
        return _source(local, "spec", CLUSTER_QUEUES)
    if found is None:
        raise NotKnown
    return found


def flavor_object(queue: View, flavor: Block) -> View:
    """The ResourceFlavor that a resource group names.

    Raises:
        NotKnown: it lies outside the program.
    """
    try:
        found = _found(queue, FLAVORS, "", flavor.text("name") or "")
    except NotKnown:
        if sum(len(group.flavors) for group in groups(queue)) > 1:
            raise
        return _source(queue, "spec", FLAVORS)
    if found is None:
        raise NotKnown
    return found


def most(queue: View, flavor: Block, resource: str) -> Decimal:
    """The most of a resource of a flavor that a queue admits: its own quota, and what its cohort may lend.

    Raises:
        NotKnown: other queues of its cohort may lie outside the program.
    """
    name = flavor.text("name")
    if name is None:
        return Decimal(0)
    own = _quota(flavor, resource)
    cohort = _named(queue, _COHORT)
    if cohort is None:
        return own.nominal
    if own.borrowing == 0:
        return own.nominal
    if not kueue_settings.has_all_queues(queue):
        raise NotKnown
    found = own.kept + _most_of_cohort(queue, cohort, name, resource, 0)
    return found if own.borrowing is None else min(found, own.nominal + own.borrowing)


class _Quota(NamedTuple):
    """A quota of a queue or a cohort; None for a limit that it does not set."""

    nominal: Decimal
    borrowing: Decimal | None = None
    lending: Decimal | None = None

    @property
    def kept(self) -> Decimal:
        """The amount that it never lends."""
        return self.kept_of(self.nominal)

    def kept_of(self, amount: Decimal) -> Decimal:
        """The part of an amount that never leaves."""
        return Decimal(0) if self.lending is None else max(Decimal(0), amount - self.lending)


_NOTHING: Final = _Quota(Decimal(0))


def _most_of_cohort(near: View, cohort: str, flavor: str, resource: str, depth: int) -> Decimal:
    """The most that members of a cohort may use together, those above it included (Kueue, potentialAvailable)."""
    if depth > _DEEPEST:
        raise NotKnown
    subtree = _subtree(near, cohort, flavor, resource, depth)
    view = _cohort(near, cohort)
    parent = _named(view, _PARENT) if view is not None else None
    if view is None or parent is None:
        return subtree
    quota = _quota_in(view, flavor, resource)
    found = quota.kept_of(subtree) + _most_of_cohort(near, parent, flavor, resource, depth + 1)
    return found if quota.borrowing is None else min(found, subtree + quota.borrowing)


def _subtree(near: View, cohort: str, flavor: str, resource: str, depth: int) -> Decimal:
    """The quota of a cohort and what its members lend."""
    if depth > _DEEPEST:
        raise NotKnown
    view = _cohort(near, cohort)
    total = _quota_in(view, flavor, resource).nominal if view is not None else Decimal(0)
    queues, cohorts = near.site.once(_members).get((inventory.server(near), cohort), ([], []))
    for queue in queues:
        quota = _quota_in(queue, flavor, resource)
        total += quota.nominal - quota.kept
    for child in cohorts:
        quota = _quota_in(child, flavor, resource)
        below = _subtree(near, inventory.name(child), flavor, resource, depth + 1)
        total += below - quota.kept_of(below)
    return total


def _quota_in(holder: View, flavor: str, resource: str) -> _Quota:
    for group in groups(holder):
        for block in group.flavors:
            if block.text("name") == flavor:
                return _quota(block, resource)
    return _NOTHING


def _quota(flavor: Block, resource: str) -> _Quota:
    for block in flavor.blocks("resources"):
        if block.text("name") == resource:
            amounts = (quantities.amount(block, key) for key in ("nominalQuota", "borrowingLimit", "lendingLimit"))
            nominal, borrowing, lending = amounts
            return _Quota(nominal or Decimal(0), borrowing, lending)
    return _NOTHING


def _cohort(near: View, name: str) -> View | None:
    return _found(near, COHORTS, "", name)


def _members(site: Site) -> dict[tuple[str, str], tuple[list[View], list[View]]]:
    """The queues and cohorts in each cohort, by cluster and name.

    Raises:
        NotKnown: the cohort of one of them is not known.
    """
    found: dict[tuple[str, str], tuple[list[View], list[View]]] = {}
    for index, (types, keys) in enumerate(((CLUSTER_QUEUES, _COHORT), (COHORTS, _PARENT))):
        for view in site.of_type(*types):
            name = _named(view, keys)
            if name is not None:
                found.setdefault((inventory.server(view), name), ([], []))[index].append(view)
    return found


def _named(view: View, keys: Sequence[str]) -> str | None:
    """The cohort that an object names, by the property of any version of the API."""
    spec = view.block("spec")
    return next((name for key in keys if spec is not None and (name := spec.text(key))), None)


def _found(near: View, types: Sequence[str], namespace: str, name: str) -> View | None:
    return next(filter(None, (inventory.find(near, type_, namespace, name) for type_ in types)), None)


def _source(view: View, key: str, types: Sequence[str]) -> View:
    """The one object of some types that a value of a property comes from.

    Raises:
        NotKnown: there is none, or several.
    """
    found = view.sources(key, *types)
    if len(found) != 1:
        raise NotKnown
    return found[0]
