"""What keeps a team from jumping the queue: pods of its jobs name no priority class of the scheduler."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pulumi

from penstock.addons.queueing.refused import AdmissionRule, JudgedKind, refuse

_NAME: Final = "penstock-pod-priority"
_JOB_SETS: Final = "spec.replicatedJobs.map(each, each.template.spec.template)"


def _of_ray(path: str) -> str:
    head, workers = f"[{path}.headGroupSpec.template]", f"{path}.workerGroupSpecs"
    return f"{head} + (has({workers}) ? {workers}.map(each, each.template) : [])"


_TEMPLATES: Final[dict[str, tuple[tuple[str, str, str, str], ...]]] = {
    "batch/job": (("batch", "jobs", "Job", "[object.spec.template]"),),
    "jobset.x-k8s.io/jobset": (("jobset.x-k8s.io", "jobsets", "JobSet", f"object.{_JOB_SETS}"),),
    "trainer.kubeflow.org/trainjob": (
        ("trainer.kubeflow.org", "trainingruntimes", "TrainingRuntime", f"object.spec.template.{_JOB_SETS}"),
    ),
    "ray.io/raycluster": (("ray.io", "rayclusters", "RayCluster", _of_ray("object.spec")),),
    "ray.io/rayjob": (
        (
            "ray.io",
            "rayjobs",
            "RayJob",
            f"has(object.spec.rayClusterSpec) ? ({_of_ray('object.spec.rayClusterSpec')}) : []",
        ),
    ),
    "ray.io/rayservice": (("ray.io", "rayservices", "RayService", _of_ray("object.spec.rayClusterConfig")),),
}
"""Where kinds of jobs have the templates of their pods, by the framework's name: group, resource, kind, CEL."""


def refuse_classes(name: str, frameworks: Sequence[str], opts: pulumi.ResourceOptions) -> None:
    """Refuse jobs in namespaces of teams whose pods name a PriorityClass.

    Kueue orders jobs by that class where they name none of its own, whoever made it and however high it is (Kueue
    documentation, workload priority); the classes of Kueue that a team may name are capped for each team.
    """
    kinds = [each for framework in frameworks for each in _TEMPLATES.get(framework, ())]
    refuse(
        name,
        _NAME,
        [JudgedKind(group, resource) for group, resource, _, _ in kinds],
        [
            AdmissionRule(
                f"object.kind != '{kind}' || ({templates}).all(pod, !has(pod.spec.priorityClassName) || "
                "pod.spec.priorityClassName == '')",
                "Pods of teams name no priorityClassName: label the job with kueue.x-k8s.io/priority-class.",
            )
            for _, _, kind, templates in kinds
        ],
        opts,
    )
