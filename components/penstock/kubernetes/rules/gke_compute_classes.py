"""ComputeClasses of GKE, for which its autoscaler starts nodes."""

from __future__ import annotations

from typing import Final

from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, fail
from penstock.graph.view import View
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, templates, texts
from penstock.kubernetes.rules import inventory, nodes
from penstock.kubernetes.rules.node_offer import NodeOffer
from penstock.kubernetes.rules.types import DAEMON_SET
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_LABEL: Final = "cloud.google.com/compute-class"
_CLASS: Final = "kubernetes:cloud.google.com/v1:ComputeClass"
_PLACED: Final = tuple(type_ for type_ in RUNNING_WORKLOADS if type_ != DAEMON_SET)
_BUILT_IN: Final = frozenset({"autopilot", "autopilot-spot", "balanced", "scale-out", "performance", "accelerator"})
"""Classes that GKE brings, in small letters (GKE documentation, built-in ComputeClasses and Autopilot Pods)."""


@RULES.rule(
    on=_PLACED,
    each_of=templates,
    severity=HIGH,
    rationale="GKE starts no node for a class that does not exist, so the pods stay Pending.",
    fix="Select a ComputeClass of the program or one that GKE brings, or create the ComputeClass.",
    joins=True,
    sources=("GKE documentation, ComputeClasses",),
)
def k8s_gke_compute_class_exists(pods: PodTemplate) -> Verdict:
    """The ComputeClass that pods select is one of the program, or one that GKE brings."""
    name = texts(pods.spec, "nodeSelector").get(_LABEL)
    if name is None:
        return NOT_APPLICABLE
    near = pods.workload
    if name.casefold() in _BUILT_IN or inventory.find(near, _CLASS, "", name) is not None:
        return PASS
    names = inventory.names(near, _CLASS)
    if not nodes.has_own_cluster(near):
        raise NotKnown
    if any(name in (offer.labels.get(_LABEL) or ()) for offer in _pools(near)):
        return PASS
    return fail(
        f"the program has no ComputeClass named {name!r}",
        hint=f"Select {' or '.join(names)}, or create the ComputeClass.",
        path=pods.spec.at(f"nodeSelector.{_LABEL}"),
    )


def _pools(near: View) -> list[NodeOffer]:
    """The node pools of a cluster; none where GKE creates some itself."""
    try:
        return nodes.offers(near)
    except NotKnown:
        return []
