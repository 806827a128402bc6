"""Flavors that pods may have: by taints, labels and topology (Kueue, flavorassigner)."""

from __future__ import annotations

from typing import NamedTuple

from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View
from penstock.kubernetes.model.pods.templates import texts
from penstock.kubernetes.rules import inventory, matching
from penstock.kubernetes.rules.kueue_jobs import PodSet
from penstock.kubernetes.rules.kueue_queues import Group, flavor_object, groups
from penstock.kubernetes.rules.node_offer import NodeTaint
from penstock.kubernetes.rules.types import TOPOLOGIES


class FlavorMismatch(NamedTuple):
    """Why a flavor does not take pods, how to change that, and the property of the pods that decides."""

    message: str
    hint: str
    path: str


def mismatch(queue: View, flavor: Block, pod_set: PodSet) -> FlavorMismatch | None:
    """The reason why a flavor does not take pods; None where it takes them.

    Raises:
        NotKnown: the flavor lies outside the program.
    """
    name = flavor.text("name") or ""
    spec = flavor_object(queue, flavor).block("spec") or Block({}, "spec", queue)
    return (
        _by_taints(name, spec, pod_set) or _by_labels(name, spec, pod_set) or _by_topology(queue, name, spec, pod_set)
    )


def accepting(queue: View, group: Group, pod_set: PodSet) -> list[Block]:
    """The flavors of a group that take pods.

    Raises:
        NotKnown: one of them lies outside the program.
    """
    return [flavor for flavor in group.flavors if mismatch(queue, flavor, pod_set) is None]


def _by_taints(name: str, spec: Block, pod_set: PodSet) -> FlavorMismatch | None:
    tolerations = [*pod_set.pods.spec.blocks("tolerations"), *spec.blocks("tolerations")]
    for each in spec.blocks("nodeTaints"):
        taint = NodeTaint(each.text("key") or "", each.text("value") or "", each.text("effect") or "")
        keeps_off = taint.effect in ("NoSchedule", "NoExecute")
        if keeps_off and not any(matching.tolerates(toleration, taint) for toleration in tolerations):
            return FlavorMismatch(
                f"the flavor {name} has the taint {taint}, which the pods do not tolerate",
                f"Add a toleration for {taint.key} to the pods, or to spec.tolerations of the flavor.",
                pod_set.pods.spec.at("tolerations"),
            )
    return None


def _by_labels(name: str, spec: Block, pod_set: PodSet) -> FlavorMismatch | None:
    """Only the labels that the flavor has itself count: pods may ask their nodes for others."""
    own = texts(spec, "nodeLabels")
    for key, value in texts(pod_set.pods.spec, "nodeSelector").items():
        if own.get(key, value) != value:
            return FlavorMismatch(
                f"the flavor {name} is for nodes with {key}={own[key]}, and the pods select {key}={value}",
                f"Select {key}={own[key]}, or name a queue with a flavor for {key}={value}.",
                pod_set.pods.spec.at(f"nodeSelector.{key}"),
            )
    if matching.affinity_excludes(own, pod_set.pods.spec):
        return FlavorMismatch(
            f"the flavor {name} is for nodes with {', '.join(f'{key}={value}' for key, value in own.items())}, "
            "which the affinity of the pods excludes",
            "Change the affinity, or name a queue with another flavor.",
            pod_set.pods.spec.at("affinity"),
        )
    return None


def _by_topology(queue: View, name: str, spec: Block, pod_set: PodSet) -> FlavorMismatch | None:
    path = f"{pod_set.pods.template.at('metadata')}.annotations"
    topology = spec.text("topologyName")
    if not pod_set.asks_for_topology:
        return None if topology is None or _is_topology_only(queue) else _unplaced(name, path)
    if topology is None:
        return FlavorMismatch(
            f"the flavor {name} has no topology, and the pods ask to be placed by one",
            "Set topologyName of the flavor, or leave the topology annotation out.",
            path,
        )
    if pod_set.level is None:
        return None
    levels = _levels(queue, topology)
    if pod_set.level in levels:
        return None
    return FlavorMismatch(
        f"the topology {topology} of the flavor {name} has no level {pod_set.level}",
        f"Ask for one of its levels: {', '.join(levels)}.",
        path,
    )


def _unplaced(name: str, path: str) -> FlavorMismatch:
    return FlavorMismatch(
        f"the flavor {name} only takes pods that are placed by topology",
        "Add the annotation kueue.x-k8s.io/podset-preferred-topology with a level of its topology.",
        path,
    )


def _is_topology_only(queue: View) -> bool:
    """Return whether all flavors of a queue have a topology: Kueue then places all pods by it."""
    for group in groups(queue):
        for flavor in group.flavors:
            spec = flavor_object(queue, flavor).block("spec")
            if spec is None or "topologyName" not in spec:
                return False
    return True


def _levels(near: View, topology: str) -> list[str]:
    for type_ in TOPOLOGIES:
        found = inventory.find(near, type_, "", topology)
        spec = found.block("spec") if found is not None else None
        if spec is not None:
            return [level.text("nodeLabel") or "" for level in spec.blocks("levels")]
    raise NotKnown
