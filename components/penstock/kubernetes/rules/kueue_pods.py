"""Pods as Kueue starts them: with the node labels and tolerations of the flavors that they get."""

from __future__ import annotations

from itertools import islice, product
from typing import Final, NamedTuple

from penstock.core.wording import inflect
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View
from penstock.kubernetes.model.pods.templates import PodTemplate
from penstock.kubernetes.rules import kueue_settings
from penstock.kubernetes.rules.kueue_flavors import accepting
from penstock.kubernetes.rules.kueue_jobs import FRAMEWORKS, queue_labels
from penstock.kubernetes.rules.kueue_queues import QUEUE_NAME, flavor_object
from penstock.kubernetes.rules.kueue_waiting import Waiting, has_default_queue, waiting

_MOST_TRIED: Final = 64
"""Ways to give pods flavors that are tried at most."""

_CHECKS: Final = ("admissionChecks", "admissionChecksStrategy")
"""Properties of a ClusterQueue by which others change pods, or start them in another cluster."""


class StartedPods(NamedTuple):
    """Pods as they start, and the flavors that they have then; none for pods that do not wait."""

    pods: PodTemplate
    flavors: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The flavors, for messages."""
        return f"the {inflect(len(self.flavors), 'flavor', 'flavors')} {' and '.join(self.flavors)}"


def started(pods: PodTemplate) -> list[StartedPods]:
    """The ways in which pods may start, one for each choice of flavors; none where no flavor takes them.

    Raises:
        NotKnown: whether they wait, in which queue, or which flavors it has is not known.
    """
    if not _waits(pods):
        return [StartedPods(pods)]
    found = waiting(pods.workload)
    if found is None or _is_checked(found.queue):
        raise NotKnown
    pod_set = next((each for each in found.pod_sets if each.pods is pods), None)
    if pod_set is None:
        return [StartedPods(pods)]  # a part of the workload without pods
    groups = found.groups_of(pod_set)
    choices = [accepting(found.queue, group, pod_set) for group in groups]
    ways = list(islice(product(*choices), _MOST_TRIED + 1))
    if not groups or len(ways) > _MOST_TRIED:
        raise NotKnown
    return [_with_flavors(pods, found, way) for way in ways]


def _waits(pods: PodTemplate) -> bool:
    """Return whether Kueue starts pods.

    Raises:
        NotKnown: only their own label says so, a default queue may take them, or Kueue does not know their workload.
    """
    workload = pods.workload
    if queue_labels(workload) is not None:
        if workload.type not in FRAMEWORKS:
            raise NotKnown
        return kueue_settings.of(workload).manages(FRAMEWORKS[workload.type])
    own = pods.metadata.block("labels") if pods.metadata is not None else None
    if own is not None and QUEUE_NAME in own:
        raise NotKnown
    framework = FRAMEWORKS.get(workload.type)
    if framework is not None and has_default_queue(workload) and kueue_settings.of(workload).manages(framework):
        raise NotKnown
    return False


def _is_checked(queue: View) -> bool:
    spec = queue.block("spec")
    return spec is not None and any(spec.given(key) for key in _CHECKS)


def _with_flavors(pods: PodTemplate, found: Waiting, way: tuple[Block, ...]) -> StartedPods:
    selector: dict[str, object] = {}
    tolerations: list[object] = [*(pods.spec.given("tolerations") or ())]
    names = []
    for flavor in way:
        view = flavor_object(found.queue, flavor)
        spec = view.block("spec")
        names.append(flavor.text("name") or view.name)
        for key, value in (_given(spec, "nodeLabels") if spec is not None else {}).items():
            if selector.setdefault(key, value) != value:
                raise NotKnown  # Kueue takes either
        tolerations += (spec.given("tolerations") if spec is not None else None) or ()
    merged = {
        **{key: pods.spec.given(key) for key in pods.spec},
        "nodeSelector": {**selector, **_given(pods.spec, "nodeSelector")},
        "tolerations": tolerations,
    }
    spec_path = pods.spec.at("").removesuffix(".")
    return StartedPods(
        PodTemplate(pods.workload, pods.template, Block(merged, spec_path, pods.workload)), tuple(dict.fromkeys(names))
    )


def _given(block: Block, key: str) -> dict[str, object]:
    """An object as it is given; empty where it is not."""
    found = block.block(key)
    return {name: found.given(name) for name in found} if found is not None else {}
