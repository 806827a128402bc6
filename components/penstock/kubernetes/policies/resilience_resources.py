"""Resilience on Kubernetes: how much of a node a container takes, and how much of the cluster a namespace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from typing_extensions import override

from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Outcome, Verdict, allow, asked, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.model import namespaces
from penstock.kubernetes.model.namespaces import NAMESPACE
from penstock.kubernetes.model.pods import containers as pods
from penstock.kubernetes.model.pods.containers import WORKLOADS
from penstock.kubernetes.policies.pods import Containers, Pods, TakesAccelerators, any_given
from penstock.rules.checks import All, AtLeast, Check, Either, Given, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.RESILIENCE)

_LIMIT_RANGE = "kubernetes:core/v1:LimitRange"
_QUOTA = "kubernetes:core/v1:ResourceQuota"
_WITHOUT_ACCELERATORS = TakesAccelerators(some=False)
"""Containers with accelerators have a rule of their own: cost-pod-gpu-limits."""
_KINDS = ("containers", "initContainers")
"""Ephemeral containers take no resources (Kubernetes API v1, EphemeralContainer)."""


@dataclass(frozen=True, slots=True)
class _UnlessSetElsewhere(Check):
    """A check of containers that counts where neither their pods nor a LimitRange of their namespace do the same.

    LimitRanges are asked of the containers that fail only: most have their own resources.
    """

    containers: Containers
    defaults: tuple[str, ...]

    @property
    @override
    def joins(self) -> bool:
        return True

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return self.containers.reads(type_)

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        said = self.containers.asked(it, settings)
        if said.outcome in (Outcome.PASS, Outcome.NOT_APPLICABLE):
            return said
        elsewhere = _nothing_else_sets(self.defaults, it.owner)
        return said if elsewhere is PASS else elsewhere


def _where_nothing_else_sets(defaults: tuple[str, ...], check: Check) -> Check:
    return _UnlessSetElsewhere(Containers(Where(_WITHOUT_ACCELERATORS, check), kinds=_KINDS), defaults)


def _nothing_else_sets(defaults: Sequence[str], workload: View) -> Verdict:
    if not pods.makes_pods(workload):
        return NOT_APPLICABLE
    for place in pods.specs(workload):
        if workload.within(place).block("resources") is not None:
            return NOT_APPLICABLE  # the pod as a whole has them
    beside, perhaps = namespaces.objects_beside(workload, _LIMIT_RANGE)
    said = [asked(lambda it: _sets_none(it, defaults), it) for it in beside]
    if NOT_APPLICABLE in said:
        return NOT_APPLICABLE
    return UNKNOWN if UNKNOWN in said or perhaps else PASS


def _sets_none(limit_range: View, defaults: Sequence[str]) -> Verdict:
    """Return NOT_APPLICABLE where a LimitRange gives the containers of its namespace one of these defaults."""
    items = [item for item in limit_range.blocks_at("spec.limits[]") if item.text("type") == "Container"]
    given = [name for item in items for name in defaults if item.value(name) is not None]
    return NOT_APPLICABLE if given else PASS


RULES.row(
    "k8s-pod-memory-limit",
    "A container's memory is limited.",
    on=WORKLOADS,
    check=_where_nothing_else_sets(("default.memory", "max.memory"), Given("resources.limits.memory")),
    severity=MEDIUM,
    rationale=(
        "One leak takes the memory of its node, and the kernel then kills whatever it finds there: the neighbours, or "
        "the agent of the GPUs."
    ),
    fix="Set resources.limits.memory of each container, or a LimitRange with default.memory in the namespace.",
    peers="CKV_K8S_12 KSV-0018 C-0004 C-0009 C-0271 C-0303 KICS:b14d1bc4",
)
RULES.row(
    "k8s-pod-requests",
    "A container requests CPU and memory.",
    on=WORKLOADS,
    check=All(
        _where_nothing_else_sets(
            ("defaultRequest.cpu", "default.cpu", "max.cpu"),
            any_given(["resources.requests.cpu", "resources.limits.cpu"]),
        ),
        _where_nothing_else_sets(
            ("defaultRequest.memory", "default.memory", "max.memory"),
            any_given(["resources.requests.memory", "resources.limits.memory"]),
        ),
    ),
    severity=MEDIUM,
    rationale=(
        "The scheduler counts what has no request as nothing: it fills a node until its pods are evicted, those "
        "without requests first, and autoscalers add no node."
    ),
    fix="Set resources.requests.cpu and resources.requests.memory to what the container usually takes, or a LimitRange "
    "with defaultRequest in the namespace.",
    peers="CKV_K8S_10 CKV_K8S_13 KSV-0015 KSV-0016 C-0050 C-0268 C-0269 KICS:ca469dd4 KICS:229588ef",
)
RULES.row(
    "k8s-pod-cpu-limit",
    "A container's CPU is limited.",
    on=WORKLOADS,
    check=_where_nothing_else_sets(("default.cpu", "max.cpu"), Given("resources.limits.cpu")),
    severity=LOW,
    rationale=(
        "A busy loop slows down every neighbour that has too small a request. Many teams do without, because a limit "
        "also throttles where the node is idle."
    ),
    fix="Set resources.limits.cpu, or waive the rule where all containers request the CPU that they need.",
    peers="CKV_K8S_11 KSV-0011 C-0270 KICS:4ac0e2b7",
)


@RULES.rule(
    on=NAMESPACE,
    joins=True,
    severity=LOW,
    rationale="A pod whose author forgot its requests and limits may take all of its node.",
    fix="Add a LimitRange to the namespace whose spec.limits has type Container, default and defaultRequest.",
    peers="KSV-0039 KICS:4a20ebac",
)
def k8s_ns_limit_range(namespace: View, _: Settings) -> Verdict:
    """A namespace gives containers a default of memory by a LimitRange."""

    def gives(limit_range: View) -> bool:
        items = [item for item in limit_range.blocks_at("spec.limits[]") if item.text("type") == "Container"]
        return any(item.value("default.memory") is not None for item in items)

    return _has_one(namespace, _LIMIT_RANGE, gives, "no LimitRange gives its containers a limit of memory")


@RULES.rule(
    on=NAMESPACE,
    joins=True,
    severity=LOW,
    rationale="One team's loop that creates pods fills the nodes of all teams, and where nodes scale it buys more.",
    fix="Add a ResourceQuota to the namespace whose spec.hard has requests.cpu and requests.memory.",
    peers="KSV-0040 KICS:48a5beba",
)
def k8s_ns_quota(namespace: View, _: Settings) -> Verdict:
    """A namespace bounds the CPU and memory of its pods by a ResourceQuota."""

    def bounds(quota: View) -> bool:
        hard = quota.block("spec.hard")
        given = set(() if hard is None else hard)
        return all({name, f"requests.{name}", f"limits.{name}"} & given for name in ("cpu", "memory"))

    return _has_one(namespace, _QUOTA, bounds, "no ResourceQuota bounds its CPU and memory")


def _has_one(namespace: View, type_: str, fits: Callable[[View], bool], complaint: str) -> Verdict:
    """Return whether an object of a type in a namespace fits."""
    undetermined = False
    for it in namespaces.objects_in(namespace, type_):
        try:
            if fits(it):
                return PASS
        except NotKnown:
            undetermined = True
    return UNKNOWN if undetermined else fail(complaint, path="metadata.name")


_DEPLOYMENT = "kubernetes:apps/v1:Deployment"
_STATEFUL_SET = "kubernetes:apps/v1:StatefulSet"
RULES.row(
    "k8s-spread",
    "Replicas of a workload are placed on different nodes.",
    on=(_DEPLOYMENT, _STATEFUL_SET),
    check=Where(
        AtLeast("spec.replicas", 2),
        Pods(
            Either(
                Given("topologySpreadConstraints"),
                Given("affinity.podAntiAffinity"),
            )
        ),
    ),
    in_production=True,
    severity=LOW,
    rationale=(
        "The scheduler spreads replicas only if nothing else speaks against it: with both on one node, its failure is "
        "an outage."
    ),
    fix="Set topologySpreadConstraints of the pods, with topologyKey kubernetes.io/hostname and maxSkew 1, or "
    "affinity.podAntiAffinity.",
    peers="KICS:a31b7b82 KICS:d740d048",
)
RULES.row(
    "k8s-cronjob-deadline",
    "A CronJob has a deadline for starting late.",
    on="kubernetes:batch/v1:CronJob",
    check=Given("spec.startingDeadlineSeconds"),
    severity=LOW,
    rationale=(
        "After more than 100 missed starts, as of a control plane that was down, a CronJob without it never starts "
        "again."
    ),
    fix="Set spec.startingDeadlineSeconds, to more than 10: the controller looks every ten seconds.",
    sources=("Kubernetes documentation, CronJob: deadline for delayed Job start",),
    peers="KICS:192fe40b",
)


@RULES.rule(
    on="kubernetes:core/v1:Pod",
    in_production=True,
    severity=LOW,
    rationale="Nothing replaces a pod that is evicted or whose node fails, until Pulumi runs again.",
    fix="Replace it by a Deployment, a StatefulSet or a Job.",
    peers="C-0073",
)
def k8s_pod_has_controller(pod: View, _: Settings) -> Verdict:
    """A pod has a controller that creates it again."""
    metadata = pod.block("metadata")
    is_owned = metadata is not None and metadata.count("ownerReferences") > 0
    return allow(is_owned, "no controller owns the pod", path="metadata.ownerReferences")
