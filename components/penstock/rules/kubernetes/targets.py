"""Targets of autoscalers and disruption budgets."""

from __future__ import annotations

from penstock.resources.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, fail
from penstock.resources.view import View
from penstock.rules.kubernetes import gathered, inventory, selectors
from penstock.rules.kubernetes.types import AUTOSCALERS, DEPLOYMENT, DISRUPTION_BUDGET, REPLICA_SET, STATEFUL_SET
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SCALED = {type_.rpartition(":")[2]: type_ for type_ in (DEPLOYMENT, REPLICA_SET, STATEFUL_SET)}
"""The kinds of Kubernetes that an autoscaler changes the size of; others bring a way of their own to do so."""


@RULES.rule(
    "k8s-hpa-target-exists",
    on=AUTOSCALERS,
    severity=MEDIUM,
    rationale="The autoscaler finds no workload and scales nothing; without an API group, servers of today refuse it.",
    fix=(
        "Set spec.scaleTargetRef.name to a workload of the same namespace, or create the autoscaler in the namespace "
        "of the workload, and set spec.scaleTargetRef.apiVersion to apps/v1."
    ),
    reads=("metadata", "spec.scaleTargetRef.apiVersion", "spec.scaleTargetRef.kind", "spec.scaleTargetRef.name"),
    joins=True,
    sources=("Kubernetes API reference, CrossVersionObjectReference of a HorizontalPodAutoscaler",),
)
def autoscaler_has_something_to_scale(autoscaler: View) -> Verdict:
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
    "k8s-pdb-selects-pods",
    on=DISRUPTION_BUDGET,
    severity=MEDIUM,
    rationale="The budget is accepted and protects no pod from evictions.",
    fix="Set spec.selector to labels of the pod template that the budget is for.",
    reads=("metadata", "spec.selector.matchExpressions", "spec.selector.matchLabels.app"),
    joins=True,
    sources=("Kubernetes API reference, PodDisruptionBudgetSpec: selector",),
)
def budget_protects_pods(budget: View) -> Verdict:
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
