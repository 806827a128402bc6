"""Jobs as Kueue sees them: the framework that manages each kind, and the pods that start together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View
from penstock.kubernetes.model.pods.templates import POD, PodTemplate, templates, texts
from penstock.kubernetes.rules.kueue_queues import QUEUE_NAME
from penstock.kubernetes.rules.kueue_settings import KueueSettings, counted
from penstock.kubernetes.rules.types import CRON_JOB, DEPLOYMENT, JOB, JOB_SET, STATEFUL_SET

LEADER_WORKER_SET: Final = "kubernetes:leaderworkerset.x-k8s.io/v1:LeaderWorkerSet"
_RAY_JOB: Final = "kubernetes:ray.io/v1:RayJob"
_RAY: Final = ("kubernetes:ray.io/v1:RayCluster", _RAY_JOB, "kubernetes:ray.io/v1:RayService")

_TRAIN_JOB: Final = "kubernetes:trainer.kubeflow.org/v1alpha1:TrainJob"

FRAMEWORKS: Final = {
    JOB: "batch/job",
    CRON_JOB: "batch/job",
    JOB_SET: "jobset.x-k8s.io/jobset",
    POD: "pod",
    DEPLOYMENT: "deployment",
    STATEFUL_SET: "statefulset",
    LEADER_WORKER_SET: "leaderworkerset.x-k8s.io/leaderworkerset",
    **{type_: f"ray.io/{type_.rpartition(':')[2].lower()}" for type_ in _RAY},
    "kubernetes:kubeflow.org/v2beta1:MPIJob": "kubeflow.org/mpijob",
    "kubernetes:kubeflow.org/v1:PyTorchJob": "kubeflow.org/pytorchjob",
    "kubernetes:kubeflow.org/v1:TFJob": "kubeflow.org/tfjob",
    "kubernetes:kubeflow.org/v1:XGBoostJob": "kubeflow.org/xgboostjob",
    "kubernetes:kubeflow.org/v1:JAXJob": "kubeflow.org/jaxjob",
    _TRAIN_JOB: "trainer.kubeflow.org/trainjob",
}
"""Kueue's names of the kinds of jobs that it manages (kubernetes-sigs/kueue v0.19.2, pkg/controller/jobs)."""

KINDS: Final = tuple(FRAMEWORKS)

_LEAST: Final = "kueue.x-k8s.io/job-min-parallelism"
"""An annotation of jobs that may start with fewer pods."""

_TOPOLOGY: Final = tuple(f"kueue.x-k8s.io/podset-{kind}-topology" for kind in ("required", "preferred"))
_PLACED: Final = re.compile(r"kueue\.x-k8s\.io/podset-.*(topology|slice).*")
"""The annotations of pods that are placed by topology."""


@dataclass(frozen=True)
class PodSet:
    """Pods of one template that Kueue admits together.

    Attributes:
        pods: their template.
        count: how many start at once, or the fewest with which the job starts.
        requests: what Kueue counts of the requests of one pod.
        level: the label of the topology level in which they must or should be together; None without one.
        asks_for_topology: whether they are placed by topology, in a level or anywhere.
    """

    pods: PodTemplate
    count: int
    requests: dict[str, Decimal]
    level: str | None
    asks_for_topology: bool


def labels(workload: View) -> tuple[Block, str] | None:
    """The labels that name the queue of a workload, and the property of the workload that holds them."""
    holder, key = workload.block("metadata"), "metadata"
    if workload.type == CRON_JOB:
        spec = workload.block("spec")
        template = spec.block("jobTemplate") if spec is not None else None
        holder, key = template.block("metadata") if template is not None else None, "spec"
    found = holder.block("labels") if holder is not None else None
    return None if found is None else (found, key)


def queue_labels(workload: View) -> tuple[Block, str] | None:
    """The labels of a workload that waits in a queue; None for one that names no queue."""
    found = labels(workload)
    return found if found is not None and QUEUE_NAME in found[0] else None


def pod_sets(workload: View, settings: KueueSettings) -> list[PodSet]:
    """The pods that a workload needs at once.

    Raises:
        NotKnown: how many they are or what they request is not known, as for jobs whose runtime says it.
    """
    if workload.type == _TRAIN_JOB:
        raise NotKnown
    return [
        PodSet(pods, count, counted(settings, pods.requests), _level(pods), _asks(pods))
        for pods in templates(workload)
        if (count := _count(pods))
    ]


def _count(pods: PodTemplate) -> int:
    workload, path = pods.workload, pods.template.at("").removesuffix(".")
    spec = workload.block("spec")
    if spec is None or workload.type in (POD, DEPLOYMENT):
        return 1  # each pod is a workload of its own
    if workload.type == JOB:
        return _at_once(spec, workload)
    if workload.type == CRON_JOB:
        template = spec.block("jobTemplate")
        inner = template.block("spec") if template is not None else None
        return _at_once(inner, None) if inner is not None else 1
    if workload.type == STATEFUL_SET:
        return _or_one(spec, "replicas")
    if workload.type == JOB_SET:
        return sum(_of_replicated_job(job) for job in spec.blocks("replicatedJobs") if path.startswith(f"{job.at('')}"))
    if workload.type == LEADER_WORKER_SET:
        return _of_group(spec, path)
    if workload.type in _RAY:
        return _of_ray(workload, spec, path)
    return next((_or_one(group, "replicas") for group in _replica_specs(spec) if path.startswith(group.at(""))), 1)


def _at_once(spec: Block, job: View | None) -> int:
    """The pods that a Job runs at once; the fewest if it starts with fewer."""
    parallel = _or_one(spec, "parallelism")
    completions = spec.integer("completions")
    most = parallel if completions is None else min(parallel, completions)
    least = texts(job.block("metadata"), "annotations").get(_LEAST, "") if job is not None else ""
    return min(most, int(least)) if least.isdigit() else most


def _of_replicated_job(job: Block) -> int:
    template = job.block("template")
    inner = template.block("spec") if template is not None else None
    return _or_one(job, "replicas") * (_at_once(inner, None) if inner is not None else 1)


def _of_group(spec: Block, path: str) -> int:
    """The pods of one replica of a LeaderWorkerSet, each of which is admitted by itself."""
    template = spec.block("leaderWorkerTemplate")
    if template is None:
        return 0
    size = _or_one(template, "size")
    if path.endswith("leaderTemplate"):
        return 1
    return size - 1 if "leaderTemplate" in template else size


def _of_ray(workload: View, spec: Block, path: str) -> int:
    if path.endswith("submitterPodTemplate"):
        return int(spec.text("submissionMode") in (None, "K8sJobMode"))
    cluster = spec if "headGroupSpec" in spec else spec.block("rayClusterSpec") or spec.block("rayClusterConfig")
    if cluster is None or path.endswith("headGroupSpec.template"):
        return 1
    if cluster.flag("enableInTreeAutoscaling"):
        raise NotKnown(workload.at("spec"))  # the count follows the load
    groups = [group for group in cluster.blocks("workerGroupSpecs") if path.startswith(group.at(""))]
    return sum(_or_one(group, "replicas") * max(1, group.integer("numOfHosts") or 1) for group in groups)


def _replica_specs(spec: Block) -> Iterator[Block]:
    """The groups of replicas of a job of Kubeflow."""
    for key in spec:
        if key.endswith("ReplicaSpecs"):
            groups = spec.block(key)
            for name in groups or ():
                group = groups.block(name) if groups is not None else None
                if group is not None:
                    yield group


def _or_one(block: Block, key: str) -> int:
    found = block.integer(key)
    return 1 if found is None else found


def _level(pods: PodTemplate) -> str | None:
    annotations = texts(pods.metadata, "annotations")
    return next((annotations[key] for key in _TOPOLOGY if annotations.get(key)), None)


def _asks(pods: PodTemplate) -> bool:
    return any(_PLACED.fullmatch(key) for key in texts(pods.metadata, "annotations"))
