"""The manifests of a job: a TrainJob where Kubeflow Trainer is installed, and plain Jobs where it is not."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from penstock.addons.slurm.block import SlurmSpec
from penstock.addons.training import component as training
from penstock.core.errors import ImpossibleJob
from penstock.description.nodes import PoolNodes, nodes_of
from penstock.description.platform import Spec
from penstock.description.storage import BucketSpec
from penstock.jobs import mpi, provisioning
from penstock.jobs.checkpoints import find_target
from penstock.jobs.mirror import check_reach, find_mirror
from penstock.jobs.mounts import account_of, job_mounts
from penstock.jobs.request import JobRequest, Template, check_names, nodes_for, pool_for, template_for
from penstock.jobs.slurm import without_slurm
from penstock.jobs.teams import waits
from penstock.jobs.workloads import parts_of
from penstock.kubernetes.components.claim_templates import claim_manifests, template_names
from penstock.kubernetes.components.job_images import needs_annotation
from penstock.kubernetes.components.job_pods import CONTAINER, FINISHED_TTL_S, Mount, PodParts, metadata, pod_template

Manifest = dict[str, Any]

_PORT = 29500
_QUEUE = {"kueue.x-k8s.io/queue-name": "default"}
_MANAGER = "penstock.dev/jobs"
_RUNNING = frozenset({"Job", "JobSet", "TrainJob", "TrainingRuntime"})
_JOB = "batch.kubernetes.io/job-name"
_SLICE = "cloud.google.com/gke-nodepool"
"""The label of nodes that is one for each slice of TPUs."""


def job_manifests(spec: Spec, request: JobRequest) -> list[Manifest]:
    """The objects of a job, in the order in which they are applied.

    Raises:
        ImpossibleJob: no pool can hold it; the text says what would fit.
    """
    pool, template, nodes = _placed(spec, request)
    mounts = job_mounts(spec, request, template)
    target = find_target(spec, request, template=template, pool=pool, nodes=nodes, mounts=mounts)
    account = account_of(spec, request.namespace)
    mirror = find_mirror(spec)
    parts = replace(
        parts_of(request, template, pool, nodes, mounts=mounts, target=target, image_mirror=mirror),
        service_account=account or "",
        labels=pool.identity_labels if account is not None else {},
        claims=template_names(request.name, pool.claims),
        annotations=pool.bucket_annotations if _buckets(spec, mounts) else {},
    )
    check_reach(spec, str(parts.image))
    before = [_service_account(account, request.namespace)] if account is not None else []
    if pool.queued_hours is not None and not waits(spec, request.namespace):
        # Kueue would ask for the machines of a job in its queues.
        before += provisioning.manifests(request, pool, nodes, parts, pool.queued_hours)
        parts = replace(parts, annotations={**parts.annotations, **provisioning.of_pods(request)})
    claimed = claim_manifests(request.name, request.namespace, pool.claims)
    jobs = [_annotated(each, needs_annotation(pool)) for each in _job(spec, request, pool, nodes, parts)]
    return [*before, *claimed, *jobs]


def _annotated(manifest: Manifest, annotations: Mapping[str, str]) -> Manifest:
    """A manifest with more annotations, where it is of a kind that runs pods."""
    if manifest["kind"] not in _RUNNING or not annotations:
        return manifest
    metadata = manifest["metadata"]
    its = {**metadata.get("annotations", {}), **annotations}
    return {**manifest, "metadata": {**metadata, "annotations": its}}


def job_notes(spec: Spec, request: JobRequest) -> tuple[str, ...]:
    """Notes for the user on the checkpoints of a job.

    Raises:
        ImpossibleJob: as `job_manifests`.
    """
    pool, template, nodes = _placed(spec, request)
    mounts = job_mounts(spec, request, template)
    return find_target(spec, request, template=template, pool=pool, nodes=nodes, mounts=mounts).notes


def _placed(spec: Spec, request: JobRequest) -> tuple[PoolNodes, Template, int]:
    """The share of a pool that each pod takes, the template, and the number of pods."""
    check_names(request)
    pool = pool_for(request, without_slurm(spec.addons.get(SlurmSpec), request, nodes_of(spec)))
    template, nodes = template_for(request, pool), nodes_for(request, pool)
    if template is not Template.MEGATRON and (request.tensor, request.pipeline) != (1, 1):
        raise ImpossibleJob(f"--tensor and --pipeline belong to the template megatron, and this job is {template}.")
    if template is Template.MPI and not spec.addons.has("training"):
        raise ImpossibleJob("Kubeflow Trainer runs jobs of OpenMPI: enable addons.training, or use ddp.")
    return pool.share, template, nodes


def _job(spec: Spec, request: JobRequest, pool: PoolNodes, nodes: int, parts: PodParts) -> list[Manifest]:
    labels = _QUEUE if waits(spec, request.namespace) else {}
    if pool.accelerator_kind == "tpu":
        if nodes > pool.slice_hosts and not spec.addons.has("training"):
            raise ImpossibleJob(
                f"A job on several slices is a JobSet: enable addons.training, or ask for --nodes {pool.slice_hosts}."
            )
        return _on_slices(request, pool, nodes, parts, labels)
    if template_for(request, pool) is Template.MPI:
        runtime = mpi.runtime(request.name, request.namespace, pool, nodes, parts)
        return [runtime, _naming(("TrainingRuntime", request.name), request, _trainer(pool, nodes, parts), labels)]
    if spec.addons.has("training") and (parts.claims or not training.has_runtime(pool)):
        own = _runtime(request, pool, parts)
        return [own, _naming(("TrainingRuntime", request.name), request, _trainer(pool, nodes, parts), labels)]
    if spec.addons.has("training"):
        return [_train_job(request, pool, nodes, parts, labels)]
    return [_service(request), _indexed_job(request, pool, nodes, _by_hand(request, pool, nodes, parts), labels)]


def _train_job(
    request: JobRequest, pool: PoolNodes, nodes: int, parts: PodParts, labels: Mapping[str, str]
) -> Manifest:
    """A job of the pool's runtime, which has all but the job's own image, command and claims."""
    env = [{"name": name, "value": value} for name, value in parts.env.items()]
    own = pod_template(pool, parts)["spec"]
    patch = {
        "volumes": [volume for volume in own["volumes"] if "persistentVolumeClaim" in volume],
        **({"serviceAccountName": parts.service_account} if parts.service_account else {}),
        "containers": [
            {
                "name": CONTAINER,
                "volumeMounts": [
                    {"name": mount.claim, "mountPath": mount.path, **({"readOnly": True} if mount.read_only else {})}
                    for mount in parts.mounts
                ],
            }
        ],
    }
    job_template = {"spec": {"template": {**metadata(parts.annotations, parts.labels), "spec": patch}}}
    replicated = {"name": "node", "template": job_template}
    patches = [
        {
            "manager": _MANAGER,
            "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [replicated]}}},
        }
    ]
    trainer = _trainer(pool, nodes, parts) | ({"env": env} if env else {})
    job = _naming(("ClusterTrainingRuntime", training.runtime_name(pool)), request, trainer, labels)
    job["spec"] |= {"runtimePatches": patches} if parts.mounts or parts.service_account or parts.annotations else {}
    return job


def _runtime(request: JobRequest, pool: PoolNodes, parts: PodParts) -> Manifest:
    """A runtime of the job's own: to one of the platform's a job adds no claims (kubeflow/trainer v2.3.0)."""
    return {
        "apiVersion": training.API,
        "kind": "TrainingRuntime",
        "metadata": {**_metadata(request, {}), "labels": training.LABELS},
        "spec": training.runtime(pool, parts),
    }


def _trainer(pool: PoolNodes, nodes: int, parts: PodParts) -> dict[str, Any]:
    return {
        "numNodes": nodes,
        "numProcPerNode": pool.processes,
        "image": parts.image,
        "command": list(parts.command),
    }


def _naming(
    runtime: tuple[str, str], request: JobRequest, trainer: Mapping[str, Any], labels: Mapping[str, str]
) -> Manifest:
    """A TrainJob that names its runtime by kind and name."""
    kind, name = runtime
    return {
        "apiVersion": training.API,
        "kind": "TrainJob",
        "metadata": _metadata(request, labels),
        "spec": {
            "runtimeRef": {"apiGroup": training.API.partition("/")[0], "kind": kind, "name": name},
            "trainer": dict(trainer),
        },
    }


def _indexed_job(
    request: JobRequest, pool: PoolNodes, pods: int, parts: PodParts, labels: Mapping[str, str]
) -> Manifest:
    """A plain job with a pod for each node, which find each other by the names that the service gives them."""
    template = pod_template(pool, parts)
    template["spec"]["subdomain"] = request.name
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": _metadata(request, labels),
        "spec": {**_job_spec(template, pods), "ttlSecondsAfterFinished": FINISHED_TTL_S},
    }


def _job_spec(template: Mapping[str, Any], pods: int) -> dict[str, Any]:
    return {
        "completionMode": "Indexed",
        "completions": pods,
        "parallelism": pods,
        "backoffLimit": training.MOST_RESTARTS * pods,
        "podFailurePolicy": {"rules": [training.IGNORES_DISRUPTION]},
        "template": dict(template),
    }


def _on_slices(
    request: JobRequest, pool: PoolNodes, nodes: int, parts: PodParts, labels: Mapping[str, str]
) -> list[Manifest]:
    """A pod for each host of a slice; several slices are a JobSet, whose parts each stay in a slice of their own."""
    hosts = pool.slice_hosts
    if nodes == hosts:
        job = _indexed_job(request, pool, nodes, parts, labels)
        if hosts > 1:
            job["spec"]["template"]["spec"]["affinity"] = _in_one_slice(request)
        return [_service(request), job]
    template = pod_template(pool, parts)
    metadata = _metadata(request, labels)
    metadata["annotations"] = {"alpha.jobset.sigs.k8s.io/exclusive-topology": _SLICE}
    return [
        {
            "apiVersion": "jobset.x-k8s.io/v1alpha2",
            "kind": "JobSet",
            "metadata": metadata,
            "spec": {
                "failurePolicy": {"maxRestarts": training.MOST_RESTARTS},
                "ttlSecondsAfterFinished": FINISHED_TTL_S,
                "replicatedJobs": [
                    {
                        "name": "slice",
                        "replicas": nodes // hosts,
                        "template": {"spec": {**_job_spec(template, hosts), "backoffLimit": 0}},
                    }
                ],
            },
        }
    ]


def _in_one_slice(request: JobRequest) -> dict[str, Any]:
    """Keep the pods of a job together, and those of others out: chips of two slices have no links to each other.

    As JobSet does for its parts (Google Cloud documentation, TPUs in GKE: a slice is a node pool).
    """
    own = {"matchLabels": {_JOB: request.name}}
    others = [{"key": _JOB, "operator": "Exists"}, {"key": _JOB, "operator": "NotIn", "values": [request.name]}]
    placed = "requiredDuringSchedulingIgnoredDuringExecution"
    return {
        "podAffinity": {placed: [{"topologyKey": _SLICE, "labelSelector": own}]},
        "podAntiAffinity": {
            placed: [{"topologyKey": _SLICE, "labelSelector": {"matchExpressions": others}, "namespaceSelector": {}}]
        },
    }


def _by_hand(request: JobRequest, pool: PoolNodes, nodes: int, parts: PodParts) -> PodParts:
    """The same command with what Kubeflow Trainer would set by variables: who is who among the nodes."""
    command, *arguments = parts.command
    words = [
        command,
        f"--nnodes={nodes}",
        f"--nproc-per-node={pool.processes}",
        "--node-rank=$JOB_COMPLETION_INDEX",
        f"--master-addr={request.name}-0.{request.name}",
        f"--master-port={_PORT}",
    ]
    line = " ".join([*words, *map(shlex.quote, arguments)])
    return replace(parts, command=("sh", "-ec", line))


def _service(request: JobRequest) -> Manifest:
    """The names of the job's pods, which they need before they are ready."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": request.name, "namespace": request.namespace},
        "spec": {
            "clusterIP": "None",
            "publishNotReadyAddresses": True,
            "selector": {_JOB: request.name},
        },
    }


def _service_account(name: str, namespace: str) -> Manifest:
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, "namespace": namespace}}


def _buckets(spec: Spec, mounts: tuple[Mount, ...]) -> bool:
    buckets = {item.name for item in spec.storage if isinstance(item, BucketSpec)}
    return any(mount.claim in buckets for mount in mounts)


def _metadata(request: JobRequest, labels: Mapping[str, str]) -> dict[str, Any]:
    return {"name": request.name, "namespace": request.namespace} | ({"labels": dict(labels)} if labels else {})
