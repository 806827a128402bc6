"""The pods of a program, gathered by where they run: what services, budgets and autoscalers choose from."""

from __future__ import annotations

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, templates
from penstock.kubernetes.rules import inventory


def place(view: View) -> tuple[str, str]:
    """The cluster and the namespace of an object."""
    return inventory.server(view), inventory.namespace(view)


def pods(site: Site) -> dict[tuple[str, str], list[PodTemplate | None]]:
    """Pods by cluster and namespace; None for some that are not known, the empty namespace for any."""
    found: dict[tuple[str, str], list[PodTemplate | None]] = {}
    for workload in site.of_type(*RUNNING_WORKLOADS):
        there = (inventory.server(workload), "")
        try:
            there = place(workload)
            made: list[PodTemplate | None] = [each_ for each_ in templates(workload) if each_.labels is not None]
        except NotKnown:
            made = [None]
        except TypeMismatch:
            continue
        found.setdefault(there, []).extend(made)
    return found


def others_make_pods(site: Site) -> bool:
    """Return whether pods may come from Helm charts or from custom resources that no rule reads."""
    kinds = (inventory.kind(view) for view in inventory.objects(site) if view.type not in RUNNING_WORKLOADS)
    return bool(site.of_type(RELEASE)) or any(kind is not None and kind.is_custom for kind in kinds)


def shown(one: PodTemplate | None) -> str:
    """The labels of pods, for a hint."""
    labels = one.labels if one is not None else {}
    return ", ".join(f"{key}={value}" for key, value in labels.items()) or "one that you add"
