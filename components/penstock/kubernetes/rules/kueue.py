"""Kueue: queues, the flavors of resources that they share, and the topology that they place jobs by."""

from __future__ import annotations

from penstock.core.quantities import parse_quantity
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.rules import inventory, kueue_settings
from penstock.kubernetes.rules.kueue_jobs import KINDS, queue_labels
from penstock.kubernetes.rules.kueue_queues import QUEUE_NAME, local_queue
from penstock.kubernetes.rules.types import ADMISSION_CHECKS, CLUSTER_QUEUES, FLAVORS, LOCAL_QUEUES, TOPOLOGIES
from penstock.model import quantities
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_HOST = "kubernetes.io/hostname"
_MOST_LEVELS = 16
_MOST_GROUPS = 16


@RULES.rule(
    on=CLUSTER_QUEUES,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="List in resources of each flavor the same resources in the same order as in coveredResources.",
    sources=("Kueue 0.19.2, apis/kueue: ResourceGroup",),
)
def k8s_kueue_flavor_quotas_complete(queue: View) -> Verdict:
    """Each flavor of a resource group has a quota for exactly the coveredResources of the group, in order."""
    groups = _groups(queue)
    if len(groups) > _MOST_GROUPS:
        return fail(
            f"resourceGroups has {len(groups)} groups", hint=f"Up to {_MOST_GROUPS}.", path="spec.resourceGroups"
        )
    return each(groups, _covers)


@RULES.rule(
    on=CLUSTER_QUEUES,
    severity=HIGH,
    rationale="Kueue rejects the ClusterQueue.",
    fix="Keep the resource or flavor in a single group.",
    sources=("Kueue 0.19.2, apis/kueue: ClusterQueueSpec, resourceGroups",),
)
def k8s_kueue_resource_in_one_group(queue: View) -> Verdict:
    """Each resource and each flavor is listed once in the resource groups of a ClusterQueue."""
    seen: set[tuple[str, str]] = set()
    return each(_groups(queue), lambda group: _is_new(group, seen))


@RULES.rule(
    on=CLUSTER_QUEUES,
    severity=HIGH,
    rationale="Kueue rejects the ClusterQueue.",
    fix=(
        "Set nominalQuota to a quantity, lendingLimit to no more than that, and name a cohort or leave borrowingLimit "
        "and lendingLimit out."
    ),
    sources=("Kueue 0.19.2, apis/kueue: ResourceQuota",),
)
def k8s_kueue_quota_amounts_valid(queue: View) -> Verdict:
    """Quotas are quantities; only a queue in a cohort borrows and lends, at most its nominalQuota."""
    spec = queue.block("spec")
    alone = spec is not None and not any(spec.text(key) for key in ("cohort", "cohortName"))
    quotas = [
        quota for group in _groups(queue) for flavor in group.blocks("flavors") for quota in flavor.blocks("resources")
    ]
    return each(quotas, lambda quota: _quota(quota, alone=alone))


@RULES.rule(
    on=CLUSTER_QUEUES,
    severity=MEDIUM,
    rationale="The ClusterQueue is accepted, stays inactive and admits no workload until the flavor exists.",
    fix="Set name of the flavor to a ResourceFlavor of the program, or create the ResourceFlavor.",
    joins=True,
    sources=("Kueue documentation, ClusterQueue",),
)
def k8s_kueue_flavor_exists(queue: View) -> Verdict:
    """The flavors of a ClusterQueue are ResourceFlavors of the program."""
    flavors = [flavor for group in _groups(queue) for flavor in group.blocks("flavors")]
    return each(flavors, lambda flavor: _is_made(queue, flavor, "name", FLAVORS))


@RULES.rule(
    on=LOCAL_QUEUES,
    severity=MEDIUM,
    rationale="The LocalQueue is accepted and stays inactive, so its workloads wait.",
    fix="Set spec.clusterQueue to a ClusterQueue of the program, or create the ClusterQueue.",
    joins=True,
    sources=("Kueue documentation, LocalQueue",),
)
def k8s_kueue_cluster_queue_exists(queue: View) -> Verdict:
    """The clusterQueue of a LocalQueue is a ClusterQueue of the program."""
    spec = queue.block("spec")
    return NOT_APPLICABLE if spec is None else _is_made(queue, spec, "clusterQueue", CLUSTER_QUEUES)


@RULES.rule(
    on=TOPOLOGIES,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="List 1 to 16 levels with different nodeLabel values, and kubernetes.io/hostname last.",
    sources=("Kueue 0.19.2, apis/kueue: TopologySpec",),
)
def k8s_kueue_topology_levels_valid(topology: View) -> Verdict:
    """A Topology has 1 to 16 levels, each node label once, and kubernetes.io/hostname only as the lowest level."""
    spec = topology.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    levels = [level.text("nodeLabel") for level in spec.blocks("levels")]
    if not 0 < len(levels) <= _MOST_LEVELS:
        return fail(f"{len(levels)} levels", hint=f"1 to {_MOST_LEVELS}.", path="spec.levels")
    for index, label in enumerate(levels):
        if label in levels[:index]:
            return fail(
                f"the level {label} is listed twice", hint="Leave one out.", path=f"spec.levels[{index}].nodeLabel"
            )
        if label == _HOST and index < len(levels) - 1:
            return fail(
                "kubernetes.io/hostname is not the last level",
                hint="Move it to the end.",
                path=f"spec.levels[{index}].nodeLabel",
            )
    return PASS


@RULES.rule(
    on=FLAVORS,
    severity=MEDIUM,
    rationale="The ClusterQueues with the flavor stay inactive and admit no workload.",
    fix="Set topologyName to a Topology of the program, or create the Topology.",
    joins=True,
    sources=("Kueue documentation, Topology Aware Scheduling",),
)
def k8s_kueue_topology_exists(flavor: View) -> Verdict:
    """The topologyName of a ResourceFlavor is a Topology of the program."""
    spec = flavor.block("spec")
    if spec is None or "topologyName" not in spec:
        return NOT_APPLICABLE
    return _is_made(flavor, spec, "topologyName", TOPOLOGIES)


@RULES.rule(
    on=CLUSTER_QUEUES,
    severity=MEDIUM,
    rationale="The ClusterQueue stays inactive and admits no workload.",
    fix="Name an AdmissionCheck of the program, or create the AdmissionCheck.",
    joins=True,
    sources=("Kueue documentation, AdmissionCheck",),
)
def k8s_kueue_admission_check_exists(queue: View) -> Verdict:
    """The admission checks of a ClusterQueue are AdmissionChecks of the program."""
    spec = queue.block("spec")
    if spec is None:
        return NOT_APPLICABLE
    strategy = spec.block("admissionChecksStrategy")
    listed = strategy.blocks("admissionChecks") if strategy is not None else []
    named = [(check.text("name") or "", check.at("name")) for check in listed]
    named += [(name, spec.at("admissionChecks")) for name in spec.texts("admissionChecks")]
    return each(named, lambda pair: _has_name(queue, *pair, ADMISSION_CHECKS))


@RULES.rule(
    on=KINDS,
    severity=MEDIUM,
    rationale="The workload is accepted and never starts, because Kueue finds no such queue in its namespace.",
    fix="Create the LocalQueue in the namespace of the workload, or name a queue of that namespace.",
    joins=True,
    sources=("Kueue documentation, run jobs",),
)
def k8s_kueue_queue_in_namespace(workload: View) -> Verdict:
    """The label kueue.x-k8s.io/queue-name of a workload names a LocalQueue of the workload's own namespace."""
    found = queue_labels(workload)
    if found is None:
        return NOT_APPLICABLE
    labels, holder = found
    if local_queue(workload, labels, holder) is not None:
        return PASS
    name, here = labels.text(QUEUE_NAME) or "", inventory.namespace(workload)
    places = [place for type_ in LOCAL_QUEUES for place in inventory.lies_in(workload, type_, name)]
    if places:
        return fail(
            f"the queue {name} is in the namespace {places[0]}, and the workload in {here}",
            hint=f"Create a LocalQueue {name} in {here}.",
            path=labels.at(QUEUE_NAME),
        )
    return _is_missing(workload, labels, here)


def _is_missing(workload: View, labels: Block, here: str) -> Verdict:
    """A queue of the program that is called otherwise is meant, unless queues may lie outside the program.

    Raises:
        NotKnown: they may.
    """
    name = labels.text(QUEUE_NAME)
    there = [queue for queue in inventory.names(workload, *LOCAL_QUEUES) if _lies_in(workload, queue, here)]
    if not there and not kueue_settings.has_all_queues(workload):
        raise NotKnown
    leads = any(inventory.find(workload, type_, "", name or "") is not None for type_ in CLUSTER_QUEUES)
    return fail(
        f"{name} is a ClusterQueue, and {here} has no LocalQueue of that name"
        if leads
        else f"the namespace {here} has no LocalQueue {name}",
        hint=f"Name {there[0]}." if len(there) == 1 else f"Create a LocalQueue {name} in {here}.",
        path=labels.at(QUEUE_NAME),
    )


def _lies_in(near: View, queue: str, namespace: str) -> bool:
    return any(namespace in inventory.lies_in(near, type_, queue) for type_ in LOCAL_QUEUES)


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
                return fail(f"the {kind} {name} is listed twice", hint="Keep it in one group.", path=path)
            seen.add((kind, name))
    return PASS


def _quota(quota: Block, *, alone: bool) -> Verdict:
    for key in ("nominalQuota", "borrowingLimit", "lendingLimit"):
        value = quota.value(key)
        found = parse_quantity(str(value)) if isinstance(value, str | int | float) else None
        if value is not None and (found is None or found < 0):
            return fail(f"{value!r} is not an amount", hint="Such as 64 or 512Gi.", path=quota.at(key))
        if value is not None and key != "nominalQuota" and alone:
            return fail(
                f"the queue is in no cohort, and has a {key}",
                hint="Name a cohort, or leave the limit out.",
                path=quota.at(key),
            )
    nominal, lent = quantities.amount(quota, "nominalQuota"), quantities.amount(quota, "lendingLimit")
    if nominal is None:
        return fail(
            "nominalQuota is not set", hint="Give one; 0 lets the queue only borrow.", path=quota.at("nominalQuota")
        )
    return allow(
        lent is None or lent <= nominal,
        f"lendingLimit is {quota.value('lendingLimit')}, and the queue has {quota.value('nominalQuota')}",
        hint=f"Lend {quota.value('nominalQuota')} or less.",
        path=quota.at("lendingLimit"),
    )


def _is_made(near: View, block: Block, key: str, types: tuple[str, ...]) -> Verdict:
    return _has_name(near, block.text(key) or "", block.at(key), types)


def _has_name(near: View, name: str, path: str, types: tuple[str, ...]) -> Verdict:
    """The program has an object of a kind and a name, unless such objects may lie outside the program.

    Raises:
        NotKnown: they may, or the name of one is not known.
    """
    kind = types[0].rpartition(":")[2]
    if not near.site.of_type(*types) and kueue_settings.has_all_queues(near):
        return fail(f"the program has no {kind} named {name!r}", hint=f"Create the {kind}.", path=path)
    names = inventory.names(near, *types)
    return allow(
        name in names,
        f"the program has no {kind} named {name!r}",
        hint=f"It makes {', '.join(names)}.",
        path=path,
    )
