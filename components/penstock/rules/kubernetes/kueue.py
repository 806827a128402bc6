"""Kueue: queues, the flavors of resources that they share, and the topology that they place jobs by."""

from __future__ import annotations

from penstock.findings import Severity
from penstock.model import quantities
from penstock.model.pods.templates import RUNNING_WORKLOADS, texts
from penstock.resources.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.resources.view import Block, View
from penstock.rules.kubernetes import inventory
from penstock.rules.kubernetes.types import CLUSTER_QUEUES, FLAVORS, LOCAL_QUEUES, TOPOLOGIES
from penstock.rules.rule import rule

_SOURCE = "Kueue 0.19.2, apis/kueue"
_HOST = "kubernetes.io/hostname"
_MOST_LEVELS = 16
_MOST_GROUPS = 16
_QUEUE_NAME = "kueue.x-k8s.io/queue-name"


@rule("K8S-KUEUE-001", on=CLUSTER_QUEUES, source=f"{_SOURCE}: ResourceGroup")
def groups_cover_what_their_flavors_have(queue: View) -> Verdict:
    """Every flavor of a group gives a quota for exactly the resources that the group covers, in their order."""
    groups = _groups(queue)
    if len(groups) > _MOST_GROUPS:
        return fail(f"{len(groups)} groups of resources", hint=f"Up to {_MOST_GROUPS}.", path="spec.resourceGroups")
    return each(groups, _covers)


@rule("K8S-KUEUE-002", on=CLUSTER_QUEUES, source=f"{_SOURCE}: ClusterQueueSpec, resourceGroups")
def resource_is_in_one_group(queue: View) -> Verdict:
    """No resource and no flavor is in two groups of one queue."""
    seen: set[tuple[str, str]] = set()
    return each(_groups(queue), lambda group: _is_new(group, seen))


@rule("K8S-KUEUE-003", on=CLUSTER_QUEUES, source=f"{_SOURCE}: ResourceQuota")
def quotas_can_be_lent(queue: View) -> Verdict:
    """Quotas are amounts; only a queue in a cohort borrows and lends, and it lends no more than it has."""
    spec = queue.block("spec")
    alone = spec is not None and not any(spec.text(key) for key in ("cohort", "cohortName"))
    quotas = [
        quota for group in _groups(queue) for flavor in group.blocks("flavors") for quota in flavor.blocks("resources")
    ]
    return each(quotas, lambda quota: _quota(quota, alone=alone))


@rule("K8S-KUEUE-004", on=CLUSTER_QUEUES, source="Kueue documentation, ClusterQueue", severity=Severity.WARNING)
def flavors_are_made(queue: View) -> Verdict:
    """The flavors of a queue are among those that the program makes; without one of them it admits nothing."""
    flavors = [flavor for group in _groups(queue) for flavor in group.blocks("flavors")]
    return each(flavors, lambda flavor: _is_made(queue, flavor, "name", FLAVORS))


@rule("K8S-KUEUE-005", on=LOCAL_QUEUES, source="Kueue documentation, LocalQueue", severity=Severity.WARNING)
def local_queue_leads_somewhere(queue: View) -> Verdict:
    """A local queue leads to a cluster queue that the program makes."""
    spec = queue.block("spec")
    return NOT_APPLICABLE if spec is None else _is_made(queue, spec, "clusterQueue", CLUSTER_QUEUES)


@rule("K8S-KUEUE-006", on=TOPOLOGIES, source=f"{_SOURCE}: TopologySpec")
def levels_end_at_the_host(topology: View) -> Verdict:
    """A topology has 1 to 16 levels, each label once, and the host's name only at the end."""
    spec = topology.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    levels = [level.text("nodeLabel") for level in spec.blocks("levels")]
    if not 0 < len(levels) <= _MOST_LEVELS:
        return fail(f"{len(levels)} levels", hint=f"1 to {_MOST_LEVELS}.", path="spec.levels")
    for index, label in enumerate(levels):
        if label in levels[:index]:
            return fail(
                f"the level {label} stands twice", hint="Leave one out.", path=f"spec.levels[{index}].nodeLabel"
            )
        if label == _HOST and index < len(levels) - 1:
            return fail(
                "the host is a level above others", hint="Move it to the end.", path=f"spec.levels[{index}].nodeLabel"
            )
    return PASS


@rule("K8S-KUEUE-007", on=RUNNING_WORKLOADS, source="Kueue documentation, run jobs", severity=Severity.WARNING)
def job_waits_in_a_queue_of_its_namespace(workload: View) -> Verdict:
    """A workload names a local queue of its own namespace; in any other it waits for ever."""
    name = texts(workload.block("metadata"), "labels").get(_QUEUE_NAME)
    if name is None:
        return NOT_APPLICABLE
    here = inventory.namespace(workload)
    places = [place for type_ in LOCAL_QUEUES for place in inventory.lies_in(workload, type_, name)]
    if here in places:
        return PASS
    if not places:
        raise NotKnown
    return fail(
        f"the queue {name} is in the namespace {places[0]}, and the workload in {here}",
        hint=f"Make a LocalQueue {name} in {here}.",
        path=f"metadata.labels.{_QUEUE_NAME}",
    )


def _groups(queue: View) -> list[Block]:
    spec = queue.block("spec")
    return spec.blocks("resourceGroups") if spec is not None else []


def _covers(group: Block) -> Verdict:
    covered = group.texts("coveredResources")
    return each(group.blocks("flavors"), lambda flavor: _has_all(flavor, covered))


def _has_all(flavor: Block, covered: list[str]) -> Verdict:
    names = [resource.text("name") for resource in flavor.blocks("resources")]
    return allow(
        names == covered,
        f"the flavor {flavor.text('name')} has quotas for {', '.join(map(str, names)) or 'nothing'}, "
        f"and the group covers {', '.join(covered) or 'nothing'}",
        hint="List the same resources in the same order.",
        path=flavor.at("resources"),
    )


def _is_new(group: Block, seen: set[tuple[str, str]]) -> Verdict:
    for kind, names, path in (
        ("resource", group.texts("coveredResources"), group.at("coveredResources")),
        ("flavor", [flavor.text("name") or "" for flavor in group.blocks("flavors")], group.at("flavors")),
    ):
        for name in names:
            if (kind, name) in seen:
                return fail(f"the {kind} {name} stands twice", hint="Keep it in one group.", path=path)
            seen.add((kind, name))
    return PASS


def _quota(quota: Block, *, alone: bool) -> Verdict:
    for key in ("nominalQuota", "borrowingLimit", "lendingLimit"):
        value = quota.value(key)
        found = quantities.parse(str(value)) if isinstance(value, str | int | float) else None
        if value is not None and (found is None or found < 0):
            return fail(f"{value!r} is no amount", hint="Such as 64 or 512Gi.", path=quota.at(key))
        if value is not None and key != "nominalQuota" and alone:
            return fail(
                f"the queue is in no cohort, and has a {key}",
                hint="Name a cohort, or leave the limit out.",
                path=quota.at(key),
            )
    nominal, lent = quantities.amount(quota, "nominalQuota"), quantities.amount(quota, "lendingLimit")
    if nominal is None:
        return fail(
            "there is no nominalQuota", hint="Give one; 0 lets the queue only borrow.", path=quota.at("nominalQuota")
        )
    return allow(
        lent is None or lent <= nominal,
        f"lendingLimit is {quota.value('lendingLimit')}, and the queue has {quota.value('nominalQuota')}",
        hint=f"Lend {quota.value('nominalQuota')} or less.",
        path=quota.at("lendingLimit"),
    )


def _is_made(near: View, block: Block, key: str, types: tuple[str, ...]) -> Verdict:
    names = inventory.names(near, *types)
    return allow(
        block.text(key) in names,
        f"the program makes no {types[0].rpartition(':')[2]} named {block.text(key)!r}",
        hint=f"It makes {', '.join(names)}.",
        path=block.at(key),
    )
