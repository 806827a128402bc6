"""Gangs: pods of one workload that work together, such as the processes of one training job."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from penstock.graph.verdict import NotKnown, TypeMismatch, Verdict, each
from penstock.graph.view import Block, View
from penstock.kubernetes.model.pods.containers import RAY_CLUSTERS
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, replicas, templates
from penstock.kubernetes.rules import train_jobs
from penstock.kubernetes.rules.train_jobs import TRAIN_JOB, TRAINER
from penstock.kubernetes.rules.types import DEPLOYMENT, JOB, JOB_SET, REPLICA_SET, STATEFUL_SET

WITH_GANGS: Final = (*RUNNING_WORKLOADS, TRAIN_JOB)
"""The types whose pods may work together."""

_LEADER_WORKER_SET = "kubernetes:leaderworkerset.x-k8s.io/v1:LeaderWorkerSet"
_VOLCANO_JOB = "kubernetes:batch.volcano.sh/v1alpha1:Job"
_REPLICA_SPECS = {
    "kubernetes:kubeflow.org/v1:JAXJob": "jaxReplicaSpecs",
    "kubernetes:kubeflow.org/v1:MPIJob": "mpiReplicaSpecs",
    "kubernetes:kubeflow.org/v1:PyTorchJob": "pytorchReplicaSpecs",
    "kubernetes:kubeflow.org/v1:TFJob": "tfReplicaSpecs",
    "kubernetes:kubeflow.org/v2beta1:MPIJob": "mpiReplicaSpecs",
}
_REPLICATED = (DEPLOYMENT, REPLICA_SET, STATEFUL_SET)

_MEET_BY_PLUGIN = frozenset({"pytorch", "mpi", "svc", "ssh", "tensorflow"})
"""Plugins of Volcano by which the pods of a job find each other."""

_MEETING_VARIABLES = frozenset({"MASTER_ADDR", "JAX_COORDINATOR_ADDRESS", "PET_RDZV_ENDPOINT", "PET_MASTER_ADDR"})
_MEETING_ARGUMENTS = re.compile(
    r"--(?:nnodes|num[-_]machines|num[-_]nodes)[= ]+(?:[2-9]|[1-9]\d|1:[2-9]|\$)"
    r"|--(?:rdzv[-_]endpoint|master[-_]addr|dist-init-addr)[= ]+(?!localhost|127\.|\"?\s)"
    r"|--(?:node|machine)[-_]rank[= ]+(?!0\b)"
    r"|\bmpirun\b.*--?hostfile\b",
    re.DOTALL,
)
"""Arguments of torchrun, accelerate, DeepSpeed, SGLang, vLLM and Open MPI that name other machines."""

_NETWORK_VARIABLES = (
    "FI_EFA_",
    "FI_PROVIDER",
    "NCCL_CROSS_NIC",
    "NCCL_FASTRAK_",
    "NCCL_GPUDIRECTTCPX_",
    "NCCL_IB_HCA",
    "NCCL_NET",
    "NCCL_SOCKET_IFNAME",
)
"""Starts of variables that choose the network between machines: none has a use in a pod that trains on its own."""

_HERE = ("localhost", "127.0.0.1", "::1")


def members(workload: View) -> list[tuple[PodTemplate, int]]:
    """The pods of one gang, as templates with the number of their pods; none where each pod works on its own.

    Raises:
        NotKnown: how many there are is not known.
    """
    if workload.type == TRAIN_JOB:
        count = train_jobs.nodes_of(workload)
        return [(train_jobs.pods_of(workload), count)] if count > 1 else []
    if workload.type == _LEADER_WORKER_SET:
        return _of_leader_worker_set(workload)
    if workload.type in RAY_CLUSTERS:
        return _of_ray_cluster(workload)
    found = [(pods, _count(pods)) for pods in templates(workload)]
    return found if _works_together(workload, found) else []


def judged(workload: View, check: Callable[[PodTemplate], Verdict]) -> Verdict:
    """One verdict over the pods of a workload, those that a TrainJob makes of its runtime included."""
    if workload.type != TRAIN_JOB:
        return each(templates(workload), check)
    found = check(train_jobs.pods_of(workload))
    return Verdict(found.outcome, tuple(replace(failure, path=TRAINER) for failure in found.failures))


def amount(pods: PodTemplate, resource: str) -> Decimal:
    """The amount of a resource that a pod and those that it works with request together."""
    found = members(pods.workload)
    if not any(pods is member for member, _ in found):
        return pods.requests.get(resource, Decimal(0))
    return sum((member.requests.get(resource, Decimal(0)) * count for member, count in found), Decimal(0))


def _works_together(workload: View, found: list[tuple[PodTemplate, int]]) -> bool:
    if sum(count for _, count in found) < 2:  # noqa: PLR2004 - one pod is no gang
        return False
    if workload.type == JOB_SET or workload.type in _REPLICA_SPECS:
        return True
    if workload.type == _VOLCANO_JOB:
        spec = workload.block("spec")
        plugins = spec.block("plugins") if spec is not None else None
        return plugins is not None and not _MEET_BY_PLUGIN.isdisjoint(plugins)
    if workload.type == JOB and any("subdomain" in pods.spec for pods, _ in found):
        return True
    if workload.type == JOB and any(_chooses_network(pods) for pods, _ in found):
        return True
    return workload.type in (JOB, *_REPLICATED) and any(_meets_others(pods) for pods, _ in found)


def _count(pods: PodTemplate) -> int:
    """The number of pods of a template that run at once."""
    workload, spec = pods.workload, pods.workload.block("spec")
    if workload.type == JOB_SET:
        return replicas(workload, pods.template)
    if spec is None or (workload.type not in _REPLICA_SPECS and workload.type != _VOLCANO_JOB):
        return replicas(workload)
    groups = spec.block(_REPLICA_SPECS[workload.type]) if workload.type in _REPLICA_SPECS else None
    found = [groups.block(name) for name in groups] if groups is not None else spec.blocks("tasks")
    mine = next((group for group in found if group is not None and _is_within(pods, group)), None)
    count = mine.integer("replicas") if mine is not None else None
    return 1 if count is None else count


def _of_leader_worker_set(workload: View) -> list[tuple[PodTemplate, int]]:
    """The pods of one group: a leader, and workers for the rest of its size."""
    size = next(((each.integer("size") or 1) for each in workload.blocks_at("spec.leaderWorkerTemplate")), 1)
    if size == 1:
        return []
    found = templates(workload)
    leads = [pods for pods in found if pods.template.at("").endswith("leaderTemplate.")]
    return [(pods, 1 if pods in leads else size - len(leads)) for pods in found]


def _of_ray_cluster(workload: View) -> list[tuple[PodTemplate, int]]:
    """The workers of a replica with several hosts, and else those of a group that chooses a network between them."""
    found = []
    for group in workload.blocks_at(f"{RAY_CLUSTERS[workload.type]}.workerGroupSpecs[]"):
        for pods in templates(workload):
            if _is_within(pods, group):
                hosts = group.integer("numOfHosts") or 1
                alone = hosts == 1 and _chooses_network(pods)
                found.append((pods, (group.integer("replicas") or 1) if alone else hosts))
    return [(pods, count) for pods, count in found if count > 1]


def _chooses_network(pods: PodTemplate) -> bool:
    """Return whether a container has variables for the network between machines."""
    names = (
        variable.text("name") or "" for each_ in pods.spec.blocks("containers") for variable in each_.blocks("env")
    )
    return any(name.startswith(_NETWORK_VARIABLES) for name in names)


def _meets_others(pods: PodTemplate) -> bool:
    """Return whether a container names a machine to meet others at, or their number."""
    return any(_names_others(container) for container in pods.spec.blocks("containers"))


def _names_others(container: Block) -> bool:
    for variable in container.blocks("env"):
        if variable.text("name") in _MEETING_VARIABLES and not _is_here(variable):
            return True
    return _MEETING_ARGUMENTS.search(" ".join(_words(container))) is not None


def _is_here(variable: Block) -> bool:
    """Return whether a variable names the pod itself; a value that is not known names another."""
    try:
        return "valueFrom" in variable or (variable.text("value") or "").startswith(_HERE)
    except (NotKnown, TypeMismatch):
        return False


def _words(container: Block) -> Iterator[str]:
    """The command line of a container, as far as it is known."""
    for path in ("command[]", "args[]"):
        yield from (place.value for place in container.locations(path) if isinstance(place.value, str))


def _is_within(pods: PodTemplate, group: Block) -> bool:
    return pods.template.at("").startswith(group.at(""))
