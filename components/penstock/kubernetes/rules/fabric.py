"""EFA in pods: what trains slowly, or on one node only, without any error."""

from __future__ import annotations

from decimal import Decimal

from penstock.core.quantities import quantity_text
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.facts import device_classes, nccl_variables
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, requested, templates
from penstock.kubernetes.rules import device_claims, gangs, matching, nodes, rdma_plugins
from penstock.kubernetes.rules.node_offer import NodeOffer
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_EFA = "vpc.amazonaws.com/efa"
_HUGE_PAGES = "hugepages-2Mi"


@RULES.rule(
    on=gangs.WITH_GANGS,
    severity=MEDIUM,
    rationale="The pods run, part of the fabric lies idle, and training is slower than the node allows.",
    fix="Raise the request of vpc.amazonaws.com/efa to the share that belongs to the accelerators of the pod.",
    joins=True,
    sources=("EKS user guide, node-efa", "Per accelerator as EC2 DescribeInstanceTypes counts devices"),
)
def k8s_efa_devices_per_accelerator(workload: View) -> Verdict:
    """Pods with EFA request the same share of a node's EFA devices as of its accelerators."""
    return gangs.judged(workload, _share)


@RULES.rule(
    on=gangs.WITH_GANGS,
    severity=MEDIUM,
    rationale="The pods run, adapters of the node lie idle, and training is slower than the node allows.",
    fix="Raise the request of the RDMA resource to the adapters that belong to the accelerators of the pod.",
    joins=True,
    sources=("Azure/aks-rdma-infiniband", "Azure virtual machine sizes, ND series"),
)
def k8s_rdma_devices_per_accelerator(workload: View) -> Verdict:
    """Pods with adapters of an SR-IOV device plugin request the same share of a node's adapters as of accelerators."""
    return gangs.judged(
        workload,
        lambda pods: each(_adapters(pods), lambda resource: _share_of(pods, resource, pods.requests[resource])),
    )


def _users(workload: View) -> list[Block]:
    """The containers that use EFA."""
    return [
        container for pods in templates(workload) for container in pods.containers if requested(container).get(_EFA)
    ]


@RULES.rule(
    on=RUNNING_WORKLOADS,
    severity=LOW,
    rationale="Values from old guides override better defaults and may slow training.",
    fix="Leave the variable out.",
    sources=("EFA cheat sheet of awsome-distributed-training",),
)
def k8s_efa_nccl_defaults(workload: View) -> Verdict:
    """Containers with EFA set no outdated variables of NCCL and libfabric, which choose good values themselves."""
    return each(_users(workload), lambda container: each(container.blocks("env"), _is_current))


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=_users,
    severity=LOW,
    rationale="EFA registers memory in small pieces.",
    fix="Set request and limit of hugepages-2Mi, such as 5120Mi.",
    sources=("EKS user guide, node-efa",),
)
def k8s_efa_hugepages_requested(container: Block) -> Verdict:
    """Containers with EFA request huge pages, from which libfabric takes its buffers."""
    return allow(
        requested(container).get(_HUGE_PAGES),
        "without huge pages EFA registers memory in small pieces",
        hint=f"Request and limit {_HUGE_PAGES}: 5120Mi.",
        path=container.at("resources"),
    )


def _adapters(pods: PodTemplate) -> list[str]:
    """The resources that pods request and that stand for one adapter each; a shared one stands for all of them."""
    found = [each_.resource for each_ in rdma_plugins.advertised(pods.workload.site) if not each_.shared]
    return [resource for resource in found if pods.requests.get(resource)]


def _share(pods: PodTemplate) -> Verdict:
    amount = pods.requests.get(_EFA)
    if amount:
        return _share_of(pods, _EFA, amount)
    claimed = device_claims.claimed(pods) if "resourceClaims" in pods.spec else {}
    counts = [count for name, count in claimed.items() if device_classes.resource_of(name) == _EFA]
    if not counts or None in counts:
        return NOT_APPLICABLE if not counts else PASS
    return _share_of(pods, _EFA, Decimal(sum(count or 0 for count in counts)), at="resourceClaims")


def _share_of(pods: PodTemplate, resource: str, devices: Decimal, at: str = "containers") -> Verdict:
    """Return whether pods take as many devices of a fabric as belong to their accelerators."""
    requests = pods.requests
    offers = nodes.offers(pods.workload)
    matches = [matching.has_labels(offer, pods.spec) for offer in offers]
    if None in matches:
        raise NotKnown
    chosen = [offer for offer, match in zip(offers, matches, strict=True) if match]
    fitting = [offer for offer in chosen if offer.capacity.get(resource, 0) != 0]
    shares = [_fair(offer, resource, requests) for offer in fitting if not matching.untolerated(offer, pods)]
    if not shares:
        return NOT_APPLICABLE
    if None in shares:
        raise NotKnown
    fair = min(share for share in shares if share is not None)
    title = "EFA devices" if resource == _EFA else f"of {resource}"
    return allow(
        devices >= fair,
        f"the pod takes {quantity_text(devices)} {title}, and its accelerators have {quantity_text(fair)}",
        hint=f"Request {quantity_text(fair)} of {resource}.",
        path=pods.spec.at(at),
    )


def _fair(offer: NodeOffer, resource: str, requests: dict[str, Decimal]) -> Decimal | None:
    """A node's devices of a fabric, in proportion to the accelerators that a pod takes of it; whole ones."""
    if offer.accelerators is None:
        return Decimal(0)
    devices, accelerators = offer.capacity.get(resource), offer.capacity.get(offer.accelerators)
    if devices is None or not accelerators:
        return None
    return devices * requests.get(offer.accelerators, Decimal(0)) // accelerators


def _is_current(variable: Block) -> Verdict:
    name, value = variable.text("name") or "", variable.text("value") or ""
    found = next((each for each in nccl_variables.outdated() if each.means(name, value)), None)
    if found is None:
        return PASS
    return fail(f"{name}: {found.why}", hint=f"Leave {name} out.", path=variable.at("name"))
