"""Resilience on Kubernetes: what survives the loss, or the upgrade, of a node."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Outcome, Verdict, allow, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.model import namespaces
from penstock.kubernetes.model.pods.scaling import least_replicas
from penstock.kubernetes.policies.pods import Containers
from penstock.rules.checks import All, ByType, Given, Is, IsNot, NoneOf, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.RESILIENCE)

_DEPLOYMENT = "kubernetes:apps/v1:Deployment"
_STATEFUL_SET = "kubernetes:apps/v1:StatefulSet"
_BUDGET = "kubernetes:policy/v1:PodDisruptionBudget"
_SERVICE = "kubernetes:core/v1:Service"
_CLASS = "kubernetes:storage.k8s.io/v1:StorageClass"
_VOLUME = "kubernetes:core/v1:PersistentVolume"
_STACK = "kubernetes:pulumi.com/v1:Stack"


@RULES.rule(
    on=(_DEPLOYMENT, _STATEFUL_SET),
    joins=True,
    in_production=True,
    severity=LOW,
    rationale=(
        "An upgrade of nodes may evict all replicas at once, and the endpoint is gone until images and weights are "
        "loaded again."
    ),
    fix="Add a PodDisruptionBudget with maxUnavailable 1 whose selector has the labels of the pods.",
    peers="KICS:b23e9b98 KICS:1db3a5a5",
)
def k8s_pdb(workload: View, _: Settings) -> Verdict:
    """A workload of several replicas has a PodDisruptionBudget."""
    if least_replicas(workload) < 2:  # noqa: PLR2004 one is not several
        return NOT_APPLICABLE
    return _is_any(_selecting(workload, _BUDGET), "no PodDisruptionBudget selects its pods")


RULES.row(
    "k8s-pdb-lets-drain",
    "A budget of disruptions leaves room for one.",
    on=_BUDGET,
    check=All(NoneOf("spec.maxUnavailable", (0, "0", "0%")), IsNot("spec.minAvailable", value="100%")),
    severity=MEDIUM,
    rationale=(
        "A node with such a pod cannot be drained: upgrades and scaling down hang until someone removes the budget."
    ),
    fix="Set maxUnavailable to 1 or more, in place of minAvailable.",
)


@RULES.rule(
    on=_DEPLOYMENT,
    joins=True,
    in_production=True,
    severity=LOW,
    rationale=(
        "With one replica each lost or upgraded node is an outage, as long as it takes to load the weights again."
    ),
    fix="Set spec.replicas to 2 or more; each further one takes its accelerators, too.",
)
def k8s_replicas(deployment: View, _: Settings) -> Verdict:
    """A workload behind a Service runs in two replicas at least."""
    spec = deployment.block("spec")
    strategy = None if spec is None else spec.block("strategy")
    if strategy is not None and strategy.text("type") == "Recreate":
        return NOT_APPLICABLE  # there may be one at most
    serves = _is_any(_selecting(deployment, _SERVICE), "").outcome
    if serves is Outcome.FAIL:
        return NOT_APPLICABLE
    if least_replicas(deployment) >= 2:  # noqa: PLR2004 one is not several
        return PASS
    if serves is Outcome.UNKNOWN:
        return UNKNOWN
    return fail(f"spec.replicas is {least_replicas(deployment)}", path="spec.replicas")


def _selecting(workload: View, type_: str) -> Iterator[bool | None]:
    """Return whether each object of a type selects the pods of a workload; None where that is undetermined."""
    for it in workload.site.of_type(type_):
        try:
            yield namespaces.are_together(it, workload) and _selects(it, _pod_labels(workload))
        except NotKnown:
            yield None


def _selects(it: View, labels: dict[str, str]) -> bool:
    spec = it.block("spec")
    selector = None if spec is None else spec.block("selector")
    if selector is None:
        return False
    if it.type == _BUDGET:
        if selector.count("matchExpressions"):
            raise NotKnown
        selector = selector.block("matchLabels") or Block({}, selector.at("matchLabels"), it)
    elif not list(selector):
        return False
    return all(labels.get(key) == selector.text(key) for key in selector)


def _pod_labels(workload: View) -> dict[str, str]:
    found: dict[str, str] = {}
    for place in workload.locations("spec.template.metadata.labels"):
        if place.value is not None:
            labels = workload.within(place)
            found |= {key: labels.text(key) or "" for key in labels}
    return found


def _is_any(found: Iterator[bool | None], complaint: str) -> Verdict:
    said = list(found)
    if True in said:
        return PASS
    return UNKNOWN if None in said else allow(holds=False, message=complaint, path="spec.template.metadata.labels")


RULES.row(
    "k8s-pulumi-stack-no-destroy",
    "Deleting a Stack object leaves what the stack deployed.",
    on=_STACK,
    check=IsNot("spec.destroyOnFinalize", value=True),
    in_production=True,
    severity=MEDIUM,
    rationale="Argo CD and Flux delete the object when its file is removed from the repository; with destroyOnFinalize "
    "the operator then destroys clusters and their data.",
    fix="Remove spec.destroyOnFinalize, and run pulumi destroy when you mean it.",
    sources=("pulumi/pulumi-kubernetes-operator v2.9.0 docs/stacks.md: destroyOnFinalize",),
)
RULES.row(
    "k8s-probes",
    "A container that serves says when it is ready and whether it lives.",
    on=(_DEPLOYMENT, _STATEFUL_SET),
    check=Containers(All(Given("readinessProbe"), Given("livenessProbe")), kinds=("containers",)),
    severity=LOW,
    rationale=(
        "Requests reach a server that still loads its weights, and one that hangs on its GPU is never started anew."
    ),
    fix="Set readinessProbe and livenessProbe, with a startupProbe that is as patient as the weights are large.",
    peers="CKV_K8S_8 CKV_K8S_9 C-0018 C-0056 KICS:a659f3b5",
)
RULES.row(
    "k8s-pv-reclaim",
    "A volume is kept when its claim is deleted.",
    on=(_CLASS, _VOLUME),
    check=ByType(
        {
            _CLASS: Where(
                All(
                    IsNot("provisioner", value="kubernetes.io/no-provisioner"),
                    NoneOf("parameters.deploymentType", ("SCRATCH_1", "SCRATCH_2")),
                ),
                Is("reclaimPolicy", value="Retain"),
            ),
            _VOLUME: IsNot("spec.persistentVolumeReclaimPolicy", value="Delete"),
        }
    ),
    in_production=True,
    severity=MEDIUM,
    rationale="With Delete, removing a namespace or a chart removes the disk below it, checkpoints and all.",
    fix="Set reclaimPolicy (persistentVolumeReclaimPolicy of a volume) to Retain; the class is replaced, existing "
    "volumes keep theirs, and disks left over are paid for until someone deletes them.",
)
