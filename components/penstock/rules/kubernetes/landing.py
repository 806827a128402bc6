"""Where pods land: the pools that take them, and the fabric that they find there."""

from __future__ import annotations

from penstock.model.pods.templates import PodTemplate, replicas
from penstock.resources.verdict import NotKnown
from penstock.resources.view import Block, View
from penstock.rules.kubernetes import matching, nodes
from penstock.rules.kubernetes.node_offer import NodeOffer
from penstock.rules.kubernetes.types import JOB, JOB_SET

_GPU = "nvidia.com/gpu"
_LEADER_WORKER_SET = "kubernetes:leaderworkerset.x-k8s.io/v1:LeaderWorkerSet"
_REPLICA_SPECS = {
    "kubernetes:kubeflow.org/v1:PyTorchJob": "pytorchReplicaSpecs",
    "kubernetes:kubeflow.org/v2beta1:MPIJob": "mpiReplicaSpecs",
}


def pools(pods: PodTemplate) -> list[NodeOffer]:
    """The pools that may take pods, by their labels, their taints, and what a node has; none where no pool does.

    Raises:
        NotKnown: the pools are not known.
    """
    return [
        offer
        for offer in nodes.offers(pods.workload)
        if matching.has_labels(offer, pods.spec) is not False
        and not matching.untolerated(offer, pods)
        and matching.fits(offer, pods.requests) is not False
    ]


def on_fabric(pods: PodTemplate) -> NodeOffer | None:
    """A pool with GPUs and a fabric that pods land in, which every other pool that takes them has too; else None.

    Only what takes all GPUs of a node counts: the rest shares it with others, and trains on one node at most.
    """
    found = pools(pods)
    fabrics = {offer.fabric for offer in found}
    if len(fabrics) != 1 or None in fabrics:
        return None
    first = found[0]
    if first.accelerators != _GPU:
        return None
    has = first.capacity.get(_GPU)
    if has is None:
        raise NotKnown
    return first if pods.requests.get(_GPU) == has else None


def span_nodes(pods: PodTemplate) -> bool:
    """Return whether pods are several that work together, and not as many tasks or servers on their own.

    Pods of a plain Job count where they find each other by a subdomain.
    """
    workload = pods.workload
    if workload.type == JOB:
        return replicas(workload) > 1 and "subdomain" in pods.spec
    return _together(workload) > 1


def _together(workload: View) -> int:
    """How many pods a workload starts that are meant to work together; 0 for kinds whose pods are not."""
    spec = workload.block("spec")
    if spec is None:
        return 0
    if workload.type == JOB_SET:
        return sum((job.integer("replicas") or 1) * _parallel(job) for job in spec.blocks("replicatedJobs"))
    if workload.type == _LEADER_WORKER_SET:
        template = spec.block("leaderWorkerTemplate")
        return (template.integer("size") or 1) if template is not None else 0
    groups = spec.block(_REPLICA_SPECS.get(workload.type, ""))
    found = [groups.block(name) for name in groups] if groups is not None else []
    return sum(1 if (count := group.integer("replicas")) is None else count for group in found if group is not None)


def _parallel(job: Block) -> int:
    template = job.block("template")
    spec = template.block("spec") if template is not None else None
    return (spec.integer("parallelism") or 1) if spec is not None else 1
