"""Jobs of Kubeflow Trainer: the pods that a TrainJob makes of its runtime's template."""

from __future__ import annotations

from typing import Any, Final

from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.model.pods.templates import PodTemplate, templates, texts
from penstock.kubernetes.rules import inventory

TRAIN_JOB: Final = "kubernetes:trainer.kubeflow.org/v1alpha1:TrainJob"
TRAINER: Final = "spec.trainer"
"""Properties of a TrainJob that change its runtime."""

_RUNTIME = "kubernetes:trainer.kubeflow.org/v1alpha1:{}"
_STEP = "trainer.kubeflow.org/trainjob-ancestor-step"
_NODE = "node"
"""The container that trains, in each runtime."""

_TAKEN = ("args", "command", "image")


def pods_of(job: View) -> PodTemplate:
    """The pods that train: the runtime's template with the resources, variables and command of the job.

    The resources of a job replace those of its runtime (Kubeflow Trainer 2.2).

    Raises:
        NotKnown: the runtime lies outside the program, or the job lays other parts over its pods.
    """
    found = job.site.once(_pods)
    if job.urn not in found:
        found[job.urn] = _merged(job)
    return found[job.urn]


def nodes_of(job: View) -> int:
    """The number of pods that train together."""
    given = [*job.blocks_at(TRAINER), *_runtime(job).blocks_at("spec.mlPolicy")]
    return next((count for each in given if (count := each.integer("numNodes")) is not None), 1)


def _pods(_: Site) -> dict[str, PodTemplate]:
    """Pods by job: several rules ask for the same ones."""
    return {}


def _merged(job: View) -> PodTemplate:
    spec = job.block("spec")
    if spec is None or spec.count("runtimePatches") or spec.count("podTemplateOverrides"):
        raise NotKnown
    trains = _training(_runtime(job))
    containers = [_laid_over(container, spec.block("trainer")) for container in trains.spec.blocks("containers")]
    merged = {**_values(trains.spec), "containers": containers}
    template = {**_values(trains.template), "spec": merged}
    return PodTemplate(job, Block(template, TRAINER, job), Block(merged, TRAINER, job))


def _runtime(job: View) -> View:
    spec = job.block("spec")
    reference = spec.block("runtimeRef") if spec is not None else None
    if reference is None:
        raise NotKnown
    kind = reference.text("kind") or "ClusterTrainingRuntime"
    namespace = inventory.namespace(job) if kind == "TrainingRuntime" else ""
    found = inventory.find(job, _RUNTIME.format(kind), namespace, reference.text("name") or "")
    if found is None:
        raise NotKnown
    return found


def _training(runtime: View) -> PodTemplate:
    """The pods of a runtime that train, among those that only prepare."""
    for job in runtime.blocks_at("spec.template.spec.replicatedJobs[]"):
        template = job.block("template")
        labels = texts(template.block("metadata") if template is not None else None, "labels")
        if labels.get(_STEP) == "trainer" or job.text("name") == _NODE:
            return next(pods for pods in templates(runtime) if pods.template.at("").startswith(job.at("")))
    raise NotKnown


def _laid_over(container: Block, trainer: Block | None) -> dict[str, Any]:
    values = _values(container)
    if trainer is None or container.text("name") != _NODE:
        return values
    own = _values(trainer)
    variables = [*_items(container, "env"), *_items(trainer, "env")]
    taken = {key: own[key] for key in _TAKEN if own.get(key) is not None}
    resources = own.get("resourcesPerNode")
    return {**values, **taken, "env": variables, **({} if resources is None else {"resources": resources})}


def _items(block: Block, key: str) -> list[Any]:
    return list(block.given(key)) if block.count(key) else []


def _values(block: Block) -> dict[str, Any]:
    return {key: block.given(key) for key in block}
