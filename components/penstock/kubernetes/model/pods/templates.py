"""Pod templates, wherever a kind of workload keeps them, and what their pods ask of a node."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final

from penstock.graph.verdict import TypeMismatch
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.facts import pod_homes
from penstock.kubernetes.facts.pod_homes import Homes
from penstock.kubernetes.model.pods.places import homes_of
from penstock.model import quantities

POD: Final = "kubernetes:core/v1:Pod"
_JOB: Final = "kubernetes:batch/v1:Job"
_JOB_SET: Final = "kubernetes:jobset.x-k8s.io/v1alpha2:JobSet"


def template_paths(type_: str, homes: Homes) -> tuple[str, ...]:
    """The paths of pod templates with their metadata: `spec.template`; a pod itself is at the empty path."""
    return tuple(
        path.removesuffix("spec").removesuffix(".")
        for path in (*homes.whole, *homes.parts)
        if path.endswith(".spec") or type_ in (POD, f"{POD}Patch")
    )


RUNNING_WORKLOADS: Final = (
    *(
        type_
        for type_ in pod_homes.whole_specs()
        if template_paths(type_, pod_homes.homes(type_) or Homes()) and not pod_homes.only_keeps_specs(type_)
    ),
    pod_homes.UNLISTED,
)
"""The types of resources that run pods as their templates say."""

_CHECKED: Final = (":core", ":apps", ":batch", ":jobset.x-k8s.io")

OWN_WORKLOADS: Final = tuple(type_ for type_ in RUNNING_WORKLOADS if type_.partition("/")[0].endswith(_CHECKED))
"""Those of Kubernetes itself, whose templates the API server checks when they are created, and sets of its jobs."""


@dataclass(frozen=True)
class PodTemplate:
    """The pods of one template of a workload."""

    workload: View
    template: Block
    spec: Block

    @cached_property
    def metadata(self) -> Block | None:
        """Their labels and annotations."""
        return self.template.block("metadata")

    @cached_property
    def labels(self) -> dict[str, str]:
        """Their labels, those from their controller included where the name of its object is known."""
        given = texts(self.metadata, "labels")
        added = pod_homes.controller_labels(self.workload.type)
        metadata = self.workload.block("metadata") if added else None
        name = metadata.given("name") if metadata is not None else None
        return given | dict.fromkeys(added, name) if isinstance(name, str) else given

    @cached_property
    def containers(self) -> list[Block]:
        """All containers, those that only prepare included."""
        return [*self.spec.blocks("initContainers"), *self.spec.blocks("containers")]

    @cached_property
    def requests(self) -> dict[str, Decimal]:
        """The amounts that one pod asks for, by resource: as the scheduler sums it up (Kubernetes, init containers).

        What has only a limit asks for as much.
        """
        running: dict[str, Decimal] = defaultdict(Decimal)
        highest: dict[str, Decimal] = defaultdict(Decimal)
        for container in self.spec.blocks("initContainers"):
            stays = container.text("restartPolicy") == "Always"
            for name, value in requested(container).items():
                highest[name] = max(highest[name], running[name] + value)
                running[name] += value if stays else 0
        for container in self.spec.blocks("containers"):
            for name, value in requested(container).items():
                running[name] += value
        together = {name: max(running[name], highest[name]) for name in (*running, *highest)}
        return together | requested(self.spec)


def templates(view: View) -> list[PodTemplate]:
    """Every template of a workload."""
    found = view.site.once(_found)
    if view.urn not in found:
        found[view.urn] = [
            PodTemplate(view, template, spec)
            for path in _own_templates(view)
            for template in (view.blocks_at(path) if path else [view])
            if (spec := template.block("spec")) is not None
        ]
    return found[view.urn]


def _own_templates(view: View) -> tuple[str, ...]:
    """The paths of the templates of the pods that a workload runs itself."""
    homes = homes_of(view)
    listed = view.type in pod_homes.whole_specs() or view.type in pod_homes.partial_specs()
    return () if homes.kept and not listed else template_paths(view.type, homes)


def requested(holder: Block) -> dict[str, Decimal]:
    """The amounts that a container, or a pod as a whole, asks of a node."""
    resources = holder.block("resources")
    if resources is None:
        return {}
    return quantities.amounts(resources.block("limits")) | quantities.amounts(resources.block("requests"))


def texts(block: Block | None, key: str) -> dict[str, str]:
    """An object whose values are texts, such as labels; empty where it is not given."""
    found = block.block(key) if block is not None else None
    if found is None:
        return {}
    values = {name: found.value(name) for name in found}
    if not all(isinstance(value, str) for value in values.values() if value is not None):
        raise TypeMismatch
    return {name: value for name, value in values.items() if value is not None}


def replicas(view: View, template: Block | None = None) -> int:
    """The number of pods of each template that run at once, or of this one; 1 where the workload does not say."""
    spec = view.block("spec")
    if spec is None or view.type == POD:
        return 1
    if view.type == _JOB_SET and template is not None:
        jobs = spec.blocks("replicatedJobs")
        return sum(_at_once(job) for job in jobs if template.at("").startswith(job.at("")))
    if view.type == _JOB:
        parallel = spec.integer("parallelism")
        return 1 if parallel is None else parallel
    count = spec.integer("replicas")
    return 1 if count is None else count


def _at_once(job: Block) -> int:
    """The number of pods that a part of a set of jobs runs at once: so many jobs, each of so many pods."""
    template = job.block("template")
    inner = template.block("spec") if template is not None else None
    parallel = inner.integer("parallelism") if inner is not None else None
    count = job.integer("replicas")
    return (1 if count is None else count) * (1 if parallel is None else parallel)


def _found(_: Site) -> dict[str, list[PodTemplate]]:
    """Templates by workload: a score of rules asks for the same ones."""
    return {}
