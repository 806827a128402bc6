"""Cost on Kubernetes: accelerators that nobody bounds, and jobs that never end."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.resources.verdict import PASS, UNKNOWN, NotKnown, Verdict, fail
from penstock.resources.view import View
from penstock_policies import namespaces
from penstock_policies.checks import All, ByType, Check, Either, Given, Where
from penstock_policies.namespaces import NAMESPACE
from penstock_policies.pods import WORKLOADS, Containers
from penstock_policies.rule import HIGH, LOW, MEDIUM, Concern, Rules
from penstock_policies.settings import Settings

RULES = Rules(Concern.COST)

_ACCELERATORS = (
    "nvidia.com/gpu",
    "amd.com/gpu",
    "google.com/tpu",
    "aws.amazon.com/neuron",
    "aws.amazon.com/neuroncore",
    "aws.amazon.com/neurondevice",
    "habana.ai/gaudi",
)
_QUOTA = "kubernetes:core/v1:ResourceQuota"
_QUEUES = tuple(f"kubernetes:kueue.x-k8s.io/{version}:LocalQueue" for version in ("v1beta1", "v1beta2"))


def _any_given(paths: Sequence[str]) -> Check:
    return Either(*(Given(path) for path in paths))


RULES.row(
    "cost-pod-gpu-limits",
    "A container with accelerators says how much CPU and memory it takes.",
    on=WORKLOADS,
    check=Containers(
        Where(
            _any_given([f'resources.limits."{name}"' for name in _ACCELERATORS]),
            All(
                _any_given(["resources.requests.cpu", "resources.limits.cpu"]),
                Given("resources.limits.memory"),
            ),
        )
    ),
    weight=MEDIUM,
    why="Others are then placed beside it until data loading starves, and GPUs that are paid for wait; or the node "
    "runs out of memory, and kills the run.",
    fix="Set resources.requests.cpu and resources.limits.memory beside the accelerators: a GPU's share of the node.",
    peers="CKV_K8S_11 CKV_K8S_13 KSV-0011 KSV-0018",
)


@RULES.rule(
    "cost-ns-quota",
    on=NAMESPACE,
    reads=("metadata.name",),
    joins=True,
    weight=HIGH,
    why="One team's loop takes every accelerator of the cluster, and where nodes scale it buys more of them.",
    fix="Add a ResourceQuota whose spec.hard has requests.nvidia.com/gpu (or that of the accelerator in use) to the "
    "namespace, or a LocalQueue of Kueue; 0 says that there are none.",
    peers="KSV-0040",
)
def _accelerators_are_bounded(namespace: View, _: Settings) -> Verdict:
    """A namespace has a quota of accelerators, or a queue that has one."""
    if namespaces.inside(namespace, *_QUEUES):
        return PASS
    doubt = False
    for quota in namespaces.inside(namespace, _QUOTA):
        try:
            spec = quota.block("spec")
            hard = None if spec is None else spec.block("hard")
        except NotKnown:
            doubt = True
            continue
        if hard is not None and any(f"requests.{name}" in hard for name in _ACCELERATORS):
            return PASS
    return UNKNOWN if doubt else fail("no ResourceQuota bounds its accelerators", path="metadata.name")


_DEADLINES = {
    "kubernetes:batch/v1:Job": ("spec.activeDeadlineSeconds", "spec.template.spec.activeDeadlineSeconds"),
    "kubernetes:batch/v1:CronJob": (
        "spec.jobTemplate.spec.activeDeadlineSeconds",
        "spec.jobTemplate.spec.template.spec.activeDeadlineSeconds",
    ),
    "kubernetes:jobset.x-k8s.io/v1alpha2:JobSet": (
        "spec.replicatedJobs[].template.spec.activeDeadlineSeconds",
        "spec.replicatedJobs[].template.spec.template.spec.activeDeadlineSeconds",
    ),
    "kubernetes:ray.io/v1:RayJob": ("spec.activeDeadlineSeconds",),
    "kubernetes:kubeflow.org/v1:PyTorchJob": ("spec.runPolicy.activeDeadlineSeconds",),
    "kubernetes:kubeflow.org/v1:TFJob": ("spec.runPolicy.activeDeadlineSeconds",),
    "kubernetes:kubeflow.org/v1:JAXJob": ("spec.runPolicy.activeDeadlineSeconds",),
    "kubernetes:kubeflow.org/v2beta1:MPIJob": ("spec.runPolicy.activeDeadlineSeconds",),
}

RULES.row(
    "cost-job-ttl",
    "A job is stopped after some time at the latest.",
    on=tuple(_DEADLINES),
    check=ByType({type_: _any_given(paths) for type_, paths in _DEADLINES.items()}),
    weight=LOW,
    why="A collective that waits for a lost rank waits for ever, and every GPU of the job is paid for meanwhile.",
    fix="Set activeDeadlineSeconds to a multiple of what the job usually takes; ttlSecondsAfterFinished only clears "
    "away, and what Pulumi made it would make again.",
)
