"""Targets of autoscalers and disruption budgets."""

from __future__ import annotations

from math import ceil

from penstock.core.wording import plural
from penstock.graph.property_path import PropertyPath
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.model.pods.scaling import least_replicas
from penstock.kubernetes.rules import gathered, inventory, selectors
from penstock.kubernetes.rules.types import AUTOSCALERS, DEPLOYMENT, DISRUPTION_BUDGET, REPLICA_SET, STATEFUL_SET
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SCALED = {type_.rpartition(":")[2]: type_ for type_ in (DEPLOYMENT, REPLICA_SET, STATEFUL_SET)}
"""The kinds of Kubernetes that an autoscaler changes the size of; others bring a way of their own to do so."""


@RULES.rule(
    on=(DEPLOYMENT, REPLICA_SET, STATEFUL_SET),
    severity=MEDIUM,
    rationale="Each update of the workload sets it back to spec.replicas, and the autoscaler starts again from there.",
    fix="Leave spec.replicas out of what a HorizontalPodAutoscaler scales, or set ignore_changes to it.",
    joins=True,
    sources=("Kubernetes documentation, horizontal pod autoscaling: remove spec.replicas from the manifest",),
)
def k8s_hpa_replicas_drift(workload: View) -> Verdict:
    """A workload that an autoscaler scales leaves its replicas to it."""
    spec = workload.block("spec")
    if spec is None or spec.given("replicas") is None:
        return NOT_APPLICABLE
    scaler = next((each for each in workload.site.of_type(*AUTOSCALERS) if _scales(each, workload)), None)
    if scaler is None:
        return NOT_APPLICABLE
    wanted = PropertyPath.parse("spec.replicas")
    kept = any(PropertyPath.parse(path).covers(wanted) for path in workload.resource.options.ignore_changes)
    message = f"spec.replicas is set, and {scaler.name} changes it: each update sets it back"
    return allow(kept, message, hint="Leave spec.replicas out.", path="spec.replicas")


def _target_of(autoscaler: View) -> Block | None:
    spec = autoscaler.block("spec")
    return spec.block("scaleTargetRef") if spec is not None else None


def _scales(autoscaler: View, workload: View) -> bool:
    target = _target_of(autoscaler)
    if target is None or _SCALED.get(target.text("kind") or "") != workload.type:
        return False
    found = inventory.find(autoscaler, workload.type, inventory.namespace(autoscaler), target.text("name") or "")
    return found is not None and found.urn == workload.urn


@RULES.rule(
    on=AUTOSCALERS,
    severity=MEDIUM,
    rationale="The autoscaler finds no workload and scales nothing; without an API group, servers of today refuse it.",
    fix=(
        "Set spec.scaleTargetRef.name to a workload of the same namespace, or create the autoscaler in the namespace "
        "of the workload, and set spec.scaleTargetRef.apiVersion to apps/v1."
    ),
    joins=True,
    sources=("Kubernetes API reference, CrossVersionObjectReference of a HorizontalPodAutoscaler",),
)
def k8s_hpa_target_exists(autoscaler: View) -> Verdict:
    """The scaleTargetRef of an autoscaler names an existing workload in the autoscaler's own namespace."""
    spec = autoscaler.block("spec")
    target = spec.block("scaleTargetRef") if spec is not None else None
    if target is None:
        return NOT_APPLICABLE
    kind, called = target.text("kind") or "", target.text("name") or ""
    if kind not in _SCALED:
        raise NotKnown
    if "apiVersion" not in target:
        hint = "Set it to apps/v1, as in the workload itself."
        return fail(f"no group of the API is given, and {kind} is in apps", hint=hint, path=target.at("apiVersion"))
    here = inventory.namespace(autoscaler)
    if inventory.find(autoscaler, _SCALED[kind], here, called) is not None:
        return PASS
    path = target.at("name")
    elsewhere = inventory.lies_in(autoscaler, _SCALED[kind], called)
    if elsewhere:
        message = f"the {kind} {called} is in the namespace {elsewhere[0]}"
        hint = "An autoscaler scales what is in its own namespace only: make it there."
        return fail(message, hint=hint, path=path)
    if autoscaler.site.once(gathered.others_make_pods):
        raise NotKnown
    names = inventory.names(autoscaler, _SCALED[kind])
    return fail(f"{kind} {called} does not exist", hint=f"There are {', '.join(names)}.", path=path)


@RULES.rule(
    on=DISRUPTION_BUDGET,
    severity=MEDIUM,
    rationale="The budget is accepted and protects no pod from evictions.",
    fix="Set spec.selector to labels of the pod template that the budget is for.",
    joins=True,
    sources=("Kubernetes API reference, PodDisruptionBudgetSpec: selector",),
)
def k8s_pdb_selects_pods(budget: View) -> Verdict:
    """The selector of a disruption budget matches pods of a workload in its namespace."""
    spec = budget.block("spec")
    selector = spec.block("selector") if spec is not None else None
    if selector is None:
        return NOT_APPLICABLE
    pods = budget.site.once(gathered.pods)
    here = pods.get(gathered.place(budget), [])
    if any(selectors.chooses(selector, one.labels) for one in here if one is not None):
        return PASS
    anywhere = (inventory.server(budget), "")
    if not here or None in here or anywhere in pods or budget.site.once(gathered.others_make_pods):
        raise NotKnown
    message = f"no pod in the namespace {inventory.namespace(budget)} has the labels that the budget is for"
    hint = f"Take the labels of a template, such as {gathered.shown(here[0])}."
    return fail(message, hint=hint, path="spec.selector")


@RULES.rule(
    on=DISRUPTION_BUDGET,
    severity=MEDIUM,
    rationale=(
        "No node with such a pod can be drained: upgrades of nodes and scaling down hang until someone deletes the "
        "budget."
    ),
    fix="Set spec.maxUnavailable to 1 in place of minAvailable, or spec.replicas of the workload above minAvailable.",
    joins=True,
    sources=("Kubernetes documentation, disruption budgets",),
)
def k8s_pdb_below_replicas(budget: View) -> Verdict:
    """A disruption budget leaves room for an eviction: it wants fewer pods than its workloads have."""
    spec = budget.block("spec")
    selector = spec.block("selector") if spec is not None else None
    if spec is None or selector is None:  # no pods, no evictions
        return NOT_APPLICABLE
    if "maxUnavailable" in spec:
        if spec.value("maxUnavailable") not in (0, "0", "0%"):
            return PASS
        return _blocks_evictions(spec, "maxUnavailable", "", "Set it to 1.")
    least = spec.value("minAvailable")
    share = least[:-1] if isinstance(least, str) and least.endswith("%") else None
    if share == "100":
        return _blocks_evictions(spec, "minAvailable", "", "Set maxUnavailable to 1 in its place.")
    if not (isinstance(least, int | float) or (share is not None and share.isdecimal())):
        return NOT_APPLICABLE
    there = _replicas(budget, selector)
    if not there:
        return NOT_APPLICABLE
    wanted = ceil(there * int(share) / 100) if share is not None else int(float(least or 0))
    if wanted < there:
        return PASS
    of = f", which is {wanted}" if share is not None else ""
    hint = "Set maxUnavailable to 1 in its place" + (", or run two replicas or more." if there == 1 else ".")
    return _blocks_evictions(spec, "minAvailable", f"{of} of {plural(there, 'replica')}", hint)


def _blocks_evictions(spec: Block, key: str, of: str, hint: str) -> Verdict:
    return fail(f"{key} is {spec.value(key)}{of}: no pod may be evicted", hint=hint, path=spec.at(key))


def _replicas(budget: View, selector: Block) -> int:
    """How many pods a budget is for at least; 0 where the program creates none of them.

    Raises:
        NotKnown: some of them, or their number, are not known.
    """
    pods = budget.site.once(gathered.pods)
    here = pods.get(gathered.place(budget), [])
    if None in here or (inventory.server(budget), "") in pods:
        raise NotKnown
    chosen = {
        one.workload.urn: one.workload for one in here if one is not None and selectors.chooses(selector, one.labels)
    }
    if any(workload.type not in _SCALED.values() for workload in chosen.values()):
        raise NotKnown
    return sum(least_replicas(workload) for workload in chosen.values())
