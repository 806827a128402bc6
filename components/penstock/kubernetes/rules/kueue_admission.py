"""Admission by Kueue, from job, queue and flavor: workloads that no state of the cluster ever admits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from itertools import islice, product
from typing import Final

from penstock.core.quantities import quantity_text
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.rules import inventory, kueue_settings, selectors
from penstock.kubernetes.rules.kueue_flavors import FlavorMismatch, accepting, mismatch
from penstock.kubernetes.rules.kueue_jobs import FRAMEWORKS, KINDS, PodSet, labels, queue_labels
from penstock.kubernetes.rules.kueue_queues import QUEUE_NAME, Group, cluster_queue, most
from penstock.kubernetes.rules.kueue_waiting import PODS, Waiting, has_default_queue, local_queue_of, waiting
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_WAITS: Final = "Kueue accepts the workload and never admits it, so no pod starts."
_MOST_TRIED: Final = 256
"""Ways to give pods flavors that are tried at most."""

_HOLDS: Final = ("Hold", "HoldAndDrain")
_OF_CLUSTER: Final = ("kube-system", "kueue-system")
"""Namespaces whose jobs never wait by default."""

_LABEL_OF_NAME: Final = "kubernetes.io/metadata.name"


@RULES.rule(
    on=KINDS,
    severity=HIGH,
    rationale=_WAITS,
    fix="Add the resource to coveredResources of the ClusterQueue, with a quota in each flavor of the group.",
    joins=True,
    sources=("Kueue documentation, ClusterQueue: resources",),
)
def k8s_kueue_resources_covered(workload: View) -> Verdict:
    """The ClusterQueue of a workload covers each resource that the workload's pods request."""
    found = waiting(workload)
    if found is None:
        return NOT_APPLICABLE
    covered = frozenset(name for group in found.groups for name in group.covered)
    settings = kueue_settings.of(workload)

    def check(pod_set: PodSet) -> Verdict:
        missing = sorted(pod_set.requests.keys() - covered)
        if missing and (settings.release is None or settings.ignores_undeclared):
            if settings.ignores_undeclared:
                return PASS
            raise NotKnown  # Kueue's own configuration may leave the resource out
        return allow(
            not missing,
            f"the pods request {', '.join(missing)}, and the ClusterQueue {found.queue_name} covers "
            f"{', '.join(sorted(covered)) or 'nothing'}",
            hint=f"Add {', '.join(missing)} to coveredResources of {found.queue_name}, with a quota in each flavor.",
            path=pod_set.pods.spec.at("containers"),
        )

    return each(found.pod_sets, check)


@RULES.rule(
    on=KINDS,
    severity=HIGH,
    rationale=_WAITS,
    fix="Tolerate the taints of a flavor, select labels that it has, and ask for a level of its topology.",
    joins=True,
    sources=("Kueue documentation, ResourceFlavor",),
)
def k8s_kueue_flavor_accepts_pods(workload: View) -> Verdict:
    """A flavor of the ClusterQueue fits the tolerations, node labels and topology that a workload's pods ask for."""
    found = waiting(workload)
    if found is None:
        return NOT_APPLICABLE

    def check(pair: tuple[PodSet, Group]) -> Verdict:
        pod_set, group = pair
        mismatches: list[FlavorMismatch] = []
        unknown = False
        for flavor in group.flavors:
            try:
                why = mismatch(found.queue, flavor, pod_set)
            except NotKnown:
                unknown = True
                continue
            if why is None:
                return PASS
            mismatches.append(why)
        if unknown or not mismatches:
            raise NotKnown
        return fail(mismatches[0].message, hint=mismatches[0].hint, path=mismatches[0].path)

    return each([(pod_set, group) for pod_set in found.pod_sets for group in found.groups_of(pod_set)], check)


@RULES.rule(
    on=KINDS,
    severity=HIGH,
    rationale=_WAITS,
    fix="Raise nominalQuota, let the queue borrow from its cohort, or request less.",
    joins=True,
    sources=("Kueue documentation, ClusterQueue: quotas", "Kueue documentation, Cohort"),
)
def k8s_kueue_quota_fits_job(workload: View) -> Verdict:
    """The quotas of a ClusterQueue, with all that its cohort lends, have room for a whole workload."""
    found = waiting(workload)
    if found is None:
        return NOT_APPLICABLE
    return each(found.groups, lambda group: _has_room(found, group))


@RULES.rule(
    on=KINDS,
    severity=MEDIUM,
    rationale="Kueue admits no workload while its queue is stopped.",
    fix="Set stopPolicy to None.",
    joins=True,
    sources=("Kueue documentation, ClusterQueue: stopPolicy",),
)
def k8s_kueue_queue_active(workload: View) -> Verdict:
    """Neither the LocalQueue nor the ClusterQueue of a workload is stopped."""
    local = local_queue_of(workload)
    if local is None:
        return NOT_APPLICABLE
    return each([local, cluster_queue(local)], lambda queue: _runs(workload, queue))


@RULES.rule(
    on=KINDS,
    severity=HIGH,
    rationale=_WAITS,
    fix="Set namespaceSelector of the ClusterQueue to {} or to labels that the namespace has.",
    joins=True,
    sources=("Kueue documentation, ClusterQueue: namespaceSelector",),
)
def k8s_kueue_namespace_selected(workload: View) -> Verdict:
    """The namespaceSelector of a ClusterQueue selects the namespace of each workload that waits in it."""
    local = local_queue_of(workload)
    if local is None:
        return NOT_APPLICABLE
    queue = cluster_queue(local)
    spec = queue.block("spec")
    selector = spec.block("namespaceSelector") if spec is not None else None
    here = inventory.namespace(workload)
    if selector is None:
        return _misses(workload, f"{queue.name} has no namespaceSelector, and so selects no namespace", "{}")
    if not list(selector):
        return PASS
    return allow(
        selectors.chooses(selector, _labels_of_namespace(workload, here)),
        f"the namespaceSelector of {queue.name} does not select the namespace {here}",
        hint="Add the labels that it asks for to the namespace.",
        path=_path(workload),
    )


@RULES.rule(
    on=KINDS,
    severity=HIGH,
    rationale="Kueue holds the workload back, and no queue ever admits it.",
    fix="Add the label kueue.x-k8s.io/queue-name, or create a LocalQueue named default in the namespace.",
    joins=True,
    sources=("Kueue documentation, configuration: manageJobsWithoutQueueName",),
)
def k8s_kueue_job_names_queue(workload: View) -> Verdict:
    """Where Kueue manages jobs without a queue, each workload names one or its namespace has a default one."""
    settings = kueue_settings.of(workload)
    if not settings.manages_unlabelled or not settings.manages(FRAMEWORKS[workload.type]):
        return NOT_APPLICABLE
    if queue_labels(workload) is not None:
        return PASS
    here = inventory.namespace(workload)
    if settings.namespaces is None:
        managed = here not in _OF_CLUSTER
    else:
        selector = Block(settings.namespaces, "", workload)
        managed = selectors.chooses(selector, _labels_of_namespace(workload, here))
    if not managed:
        return NOT_APPLICABLE
    return allow(
        has_default_queue(workload),
        f"the workload names no queue, and Kueue holds back all jobs of the namespace {here}",
        hint=f"Add the label {QUEUE_NAME} with the name of a LocalQueue of {here}.",
        path=_path(workload),
    )


def _has_room(found: Waiting, group: Group) -> Verdict:
    """Some way to give the pods flavors of a group stays within the most that each flavor has."""
    wanted = [pod_set for pod_set in found.pod_sets if group in found.groups_of(pod_set)]
    choices = [accepting(found.queue, group, pod_set) for pod_set in wanted]
    if not wanted or not all(choices):
        return NOT_APPLICABLE  # reported by the rule on flavors
    ways = list(islice(product(*choices), _MOST_TRIED + 1))
    if len(ways) > _MOST_TRIED:
        raise NotKnown
    shortages = []
    for way in ways:
        short = _shortage(found.queue, group, wanted, way)
        if short is None:
            return PASS
        shortages.append(short)
    resource, taken, has, flavor = shortages[0]
    name = flavor.text("name")
    return fail(
        f"the pods request {quantity_text(taken)} of {resource} together, and {found.queue_name} never has more "
        f"than {quantity_text(has)} in the flavor {name}",
        hint=f"Raise nominalQuota of {resource} in {found.queue_name} to {quantity_text(taken)}, or request less.",
        path=wanted[0].pods.spec.at("containers"),
    )


def _shortage(
    queue: View, group: Group, wanted: Sequence[PodSet], way: Sequence[Block]
) -> tuple[str, Decimal, Decimal, Block] | None:
    """The first resource of which pods take more than a flavor ever has, with both amounts; None where all fits."""
    taken: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    flavors = {}
    for pod_set, flavor in zip(wanted, way, strict=True):
        name = flavor.text("name") or ""
        flavors[name] = flavor
        for resource, value in {**pod_set.requests, PODS: Decimal(1)}.items():
            if resource in group.covered:
                taken[name, resource] += value * pod_set.count
    for (name, resource), value in taken.items():
        has = most(queue, flavors[name], resource)
        if value > has:
            return resource, value, has, flavors[name]
    return None


def _runs(workload: View, queue: View) -> Verdict:
    spec = queue.block("spec")
    policy = spec.text("stopPolicy") if spec is not None else None
    return allow(
        policy not in _HOLDS,
        f"stopPolicy of the queue {queue.name} is {policy}",
        hint=f"Set stopPolicy of {queue.name} to None.",
        path=_path(workload),
    )


def _misses(workload: View, message: str, wanted: str) -> Verdict:
    return fail(message, hint=f"Set namespaceSelector to {wanted}, which selects all.", path=_path(workload))


def _labels_of_namespace(workload: View, name: str) -> dict[str, str]:
    """The labels of a namespace.

    Raises:
        NotKnown: the program does not create it, so that it may have others.
    """
    found = inventory.namespace_object(workload)
    if found is None:
        raise NotKnown
    metadata = found.block("metadata")
    own = metadata.block("labels") if metadata is not None else None
    return {**({key: own.text(key) or "" for key in own} if own is not None else {}), _LABEL_OF_NAME: name}


def _path(workload: View) -> str:
    found = labels(workload)
    if found is None:
        return "metadata.labels"
    return found[0].at(QUEUE_NAME) if QUEUE_NAME in found[0] else "metadata.labels"
