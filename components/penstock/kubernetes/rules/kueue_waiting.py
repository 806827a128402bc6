"""Workloads that wait in a queue of the program, with the queue's flavors (Kueue)."""

from __future__ import annotations

from typing import Final, NamedTuple

from penstock.graph.verdict import NotKnown
from penstock.graph.view import View
from penstock.kubernetes.rules import inventory, kueue_settings
from penstock.kubernetes.rules.kueue_jobs import FRAMEWORKS, PodSet, pod_sets, queue_labels
from penstock.kubernetes.rules.kueue_queues import Group, cluster_queue, groups, local_queue
from penstock.kubernetes.rules.types import LOCAL_QUEUES

PODS: Final = "pods"
"""A resource of which each pod is one."""

_DEFAULT_QUEUE: Final = "default"
"""The LocalQueue of jobs that name none (Kueue documentation, LocalQueue: default LocalQueue)."""


class Waiting(NamedTuple):
    """A workload that waits in a queue of the program."""

    queue: View
    groups: list[Group]
    pod_sets: list[PodSet]

    @property
    def queue_name(self) -> str:
        """The name of the ClusterQueue, for messages."""
        try:
            return inventory.name(self.queue)
        except NotKnown:
            return self.queue.name

    def groups_of(self, pod_set: PodSet) -> list[Group]:
        """The resource groups with a resource that pods request."""
        return [group for group in self.groups if group.covered & {*pod_set.requests, PODS}]


def waiting(workload: View) -> Waiting | None:
    """Return the queue and pods of a waiting workload; None if it waits in no queue of the program.

    Raises:
        NotKnown: whether it waits, in which queue, or what its pods request is not known.
    """
    local = local_queue_of(workload)
    if local is None:
        return None
    queue = cluster_queue(local)
    return Waiting(queue, groups(queue), pod_sets(workload, kueue_settings.of(workload)))


def local_queue_of(workload: View) -> View | None:
    """The LocalQueue that a workload waits in; None for one that waits in none of the program.

    Raises:
        NotKnown: whether it waits is not known.
    """
    found = queue_labels(workload)
    if found is None or not kueue_settings.of(workload).manages(FRAMEWORKS[workload.type]):
        return None
    return local_queue(workload, *found)


def has_default_queue(workload: View) -> bool:
    """Return whether the namespace of a workload has a queue for those that name none."""
    found = [each for type_ in LOCAL_QUEUES for each in inventory.lies_in(workload, type_, _DEFAULT_QUEUE)]
    return bool(found) and inventory.namespace(workload) in found
