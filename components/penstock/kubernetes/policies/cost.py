"""Cost on Kubernetes: accelerators that nobody bounds, and jobs that never end."""

from __future__ import annotations

from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, fail
from penstock.graph.view import Site, View
from penstock.kubernetes.model import namespaces
from penstock.kubernetes.model.namespaces import NAMESPACE
from penstock.kubernetes.model.pods.containers import RAY_CLUSTERS, WORKLOADS
from penstock.kubernetes.model.pools import TYPES as KARPENTER
from penstock.kubernetes.policies.pods import ACCELERATORS, ASKS_ACCELERATORS, Containers, TakesAccelerators, any_given
from penstock.model.pools import program_pools
from penstock.policies.pool_verdicts import have_accelerators
from penstock.rules.checks import All, ByType, Given, Is, Where
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.COST)

_BOUNDS = frozenset(f"requests.{name}" for name in ACCELERATORS)
_DEVICES = ".deviceclass.resource.k8s.io/devices"
"""Ends the name of what bounds devices of a class that pods claim (Kubernetes docs, Resource Quotas)."""
_QUOTA = "kubernetes:core/v1:ResourceQuota"
_QUEUES = tuple(f"kubernetes:kueue.x-k8s.io/{version}:LocalQueue" for version in ("v1beta1", "v1beta2"))


_ANY_TAKES = Containers(TakesAccelerators())


RULES.row(
    "cost-pod-gpu-limits",
    "A container with accelerators says how much CPU and memory it takes.",
    on=WORKLOADS,
    check=Containers(
        Where(
            ASKS_ACCELERATORS,
            All(
                any_given(["resources.requests.cpu", "resources.limits.cpu"]),
                Given("resources.limits.memory"),
            ),
        )
    ),
    severity=MEDIUM,
    rationale=(
        "Others are then placed beside it until data loading starves, and GPUs that are paid for wait; or the node "
        "runs out of memory, and kills the run."
    ),
    fix="Set resources.requests.cpu and resources.limits.memory beside the accelerators: a GPU's share of the node.",
)


@RULES.rule(
    on=NAMESPACE,
    joins=True,
    severity=HIGH,
    rationale="One team's loop takes every accelerator of the cluster, and where nodes scale it buys more of them.",
    fix="Add a ResourceQuota whose spec.hard has requests.nvidia.com/gpu (or that of the accelerator in use) to the "
    "namespace, or a LocalQueue of Kueue; 0 says that there are none.",
)
def cost_ns_quota(namespace: View, _: Settings) -> Verdict:
    """Where machines have accelerators, or pods ask for them, a namespace has a quota, or a queue that has one."""
    if namespaces.objects_in(namespace, *_QUEUES):
        return PASS
    undetermined = False
    for quota in namespaces.objects_in(namespace, _QUOTA):
        try:
            spec = quota.block("spec")
            hard = None if spec is None else spec.block("hard")
        except NotKnown:
            undetermined = True
            continue
        if hard is not None and any(key in _BOUNDS or key.endswith(_DEVICES) for key in hard):
            return PASS
    there = namespace.site.once(_there_are_accelerators)
    if there is False:
        return NOT_APPLICABLE
    if undetermined or there is None:
        return UNKNOWN
    return fail("no ResourceQuota bounds its accelerators", path="metadata.name")


def _there_are_accelerators(site: Site) -> bool | None:
    """Return whether a program has accelerators to share out.

    None where that is undetermined: of a cluster outside the program, or one whose machines Karpenter chooses.
    """
    settings = Settings()  # none change the answer
    said = [_ANY_TAKES.asked(view, settings) for view in site.of_type(*WORKLOADS)]
    if PASS in said:
        return True
    pools = program_pools(site, "aws", "azure", "gcp")
    there = have_accelerators(pools)
    unclear = not pools or UNKNOWN in said or site.of_type(*KARPENTER)
    return None if unclear and not there else there


RULES.row(
    "cost-queue-bounds",
    "A queue of Volcano says how many accelerators it takes at most.",
    on="kubernetes:scheduling.volcano.sh/v1beta1:Queue",
    check=any_given([f'spec.capability."{name}"' for name in ACCELERATORS]),
    severity=MEDIUM,
    rationale="A queue without a capability takes whatever is idle, and where nodes scale, whatever can be bought.",
    fix="Set nvidia.com/gpu (or the accelerator in use) in spec.capability; 0 says that it has none.",
)
RULES.row(
    "cost-nodepool-limits",
    "Karpenter buys no more nodes than a limit allows.",
    on=KARPENTER,
    check=Given("spec.limits"),
    severity=HIGH,
    rationale=(
        "Without one, pods that nobody bounds buy nodes until the account's quota ends: a loop over a weekend is a "
        "month's budget."
    ),
    fix="Set spec.limits, such as nvidia.com/gpu and cpu, to what the pool may cost at most.",
)
RULES.row(
    "cost-ray-max",
    "Workers of Ray that scale by themselves have a maximum.",
    on=tuple(RAY_CLUSTERS),
    check=ByType(
        {
            type_: Where(
                Is(f"{cluster}.enableInTreeAutoscaling", value=True), Given(f"{cluster}.workerGroupSpecs[].maxReplicas")
            )
            for type_, cluster in RAY_CLUSTERS.items()
        }
    ),
    severity=MEDIUM,
    rationale=(
        "KubeRay's own maximum is 2147483647: one actor too many per request asks for every accelerator there is."
    ),
    fix="Set maxReplicas of each of workerGroupSpecs.",
)

_LIMIT_OF_QUEUE = 'metadata.labels."kueue.x-k8s.io/max-exec-time-seconds"'
"""By it Kueue stops a job of its queues (Kueue docs, Workload: maximum execution time)."""
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
    check=ByType({type_: any_given((*paths, _LIMIT_OF_QUEUE)) for type_, paths in _DEADLINES.items()}),
    severity=LOW,
    rationale="A collective that waits for a lost rank never ends, and every GPU of the job is paid for meanwhile.",
    fix="Set activeDeadlineSeconds to a multiple of what the job usually takes; ttlSecondsAfterFinished only clears "
    "away, and what Pulumi made it would make again.",
)
