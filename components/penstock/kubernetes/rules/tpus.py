"""TPU slices on GKE: pods take all chips of a node, say which slice they want, and come as many as it has nodes."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.quantities import quantity_text
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow
from penstock.graph.view import Block, View
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, templates, texts
from penstock.kubernetes.rules import landing, matching
from penstock.kubernetes.rules.types import JOB, JOB_SET
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_TPU = "google.com/tpu"
_ACCELERATOR = "cloud.google.com/gke-tpu-accelerator"
_TOPOLOGY = "cloud.google.com/gke-tpu-topology"
_CLASS = "cloud.google.com/compute-class"


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="The pods are accepted, and GKE does not start them.",
    fix="Set the request and limit of google.com/tpu to the number of chips of a node.",
    joins=True,
    sources=("GKE documentation, deploy TPU workloads in GKE Standard",),
)
def k8s_tpu_requests_all_chips(pods: PodTemplate) -> Verdict:
    """Pods with TPU chips request all chips of a node."""
    wanted = pods.requests.get(_TPU)
    if not wanted:
        return NOT_APPLICABLE
    found = [offer for offer in landing.pools(pods) if offer.accelerators == _TPU]
    if not found:
        return NOT_APPLICABLE  # reported by the rules on scheduling
    counts = [offer.capacity.get(_TPU) for offer in found]
    if wanted in counts:
        return PASS
    if None in counts:
        raise NotKnown
    has = quantity_text(min(count for count in counts if count is not None))
    return allow(
        False,
        f"the pod requests {quantity_text(wanted)} of {_TPU}, and a node of {found[0].machine_type} has {has}",
        hint=f"Request {has} of {_TPU}.",
        path=pods.spec.at("containers"),
    )


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="The pods are accepted, and may land on a slice that they are not written for.",
    fix="Set cloud.google.com/gke-tpu-accelerator and cloud.google.com/gke-tpu-topology in nodeSelector.",
    sources=("GKE documentation, deploy TPU workloads in GKE Standard",),
)
def k8s_tpu_slice_selected(pods: PodTemplate) -> Verdict:
    """Pods with TPU chips select the accelerator and the topology of their slice."""
    if not pods.requests.get(_TPU):
        return NOT_APPLICABLE
    selector = texts(pods.spec, "nodeSelector")
    missing = [key for key in (_ACCELERATOR, _TOPOLOGY) if key not in selector]
    if not missing or _CLASS in selector:
        return PASS
    if "affinity" in pods.spec and matching.asks_for_labels(pods.spec):
        raise NotKnown
    return allow(
        False,
        f"the pod does not select {' and '.join(missing)}",
        hint="Give both in nodeSelector, such as tpu-v6e-slice and 4x4.",
        path=pods.spec.at("nodeSelector"),
    )


def _jobs(workload: View) -> Iterator[tuple[PodTemplate, Block]]:
    """The pods of each job with its spec, which says how many run at once."""
    spec = workload.block("spec")
    found = templates(workload)
    if spec is None:
        return
    if workload.type == JOB:
        yield from ((pods, spec) for pods in found)
        return
    for pods, job in zip(found, spec.blocks("replicatedJobs"), strict=False):
        inner = job.block("template")
        inner = inner.block("spec") if inner is not None else None
        if inner is not None:
            yield pods, inner


@RULES.rule(
    on=(JOB, JOB_SET),
    each_of=_jobs,
    severity=MEDIUM,
    rationale="The job is accepted, and with fewer pods its processes wait for the others.",
    fix="Set parallelism and completions to the number of nodes of the slice.",
    joins=True,
    sources=("GKE documentation, deploy TPU workloads in GKE Standard",),
)
def k8s_tpu_job_fills_slice(job: tuple[PodTemplate, Block]) -> Verdict:
    """A job on a TPU slice of several nodes runs as many pods at once as the slice has nodes, or a multiple."""
    pods, spec = job
    if not pods.requests.get(_TPU):
        return NOT_APPLICABLE
    found = [offer for offer in landing.pools(pods) if offer.accelerators == _TPU]
    if not found:
        return NOT_APPLICABLE
    hosts = {offer.slice_hosts for offer in found}
    if None in hosts or len(hosts) > 1:
        raise NotKnown
    (each_slice,) = (count for count in hosts if count is not None)
    if each_slice == 1:
        return NOT_APPLICABLE
    parallel = spec.integer("parallelism") or 1
    return allow(
        parallel % each_slice == 0,
        f"the job runs {parallel} pods at once, and a slice of {found[0].pool.name} has {each_slice} nodes",
        hint=f"Set parallelism and completions to {each_slice}.",
        path=spec.at("parallelism"),
    )
