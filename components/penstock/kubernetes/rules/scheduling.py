"""Nodes that take a pod: by labels, taints and capacity."""

from __future__ import annotations

from collections.abc import Callable, Collection
from decimal import Decimal

from penstock.core.quantities import quantity_text
from penstock.core.spelling import near_matches, suggestion
from penstock.core.versions import minor
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Outcome, Verdict, allow, asked, each, fail
from penstock.graph.view import View
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, replicas, templates, texts
from penstock.kubernetes.rules import advertisers, kueue_pods, matching, nodes, releases
from penstock.kubernetes.rules.kueue_pods import StartedPods
from penstock.kubernetes.rules.node_offer import NodeOffer, NodeTaint
from penstock.kubernetes.rules.types import DAEMON_SET, DEPLOYMENT, JOB_SET, POD, REPLICA_SET, STATEFUL_SET
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_PLACED = tuple(type_ for type_ in RUNNING_WORKLOADS if type_ != DAEMON_SET)
"""What wants to run somewhere; a daemon set is content to run nowhere."""

_AT_ONCE = (DEPLOYMENT, REPLICA_SET, STATEFUL_SET, POD, JOB_SET)
_CLOUDS = ("kubernetes.io", "amazonaws.com", "k8s.aws", "google.com", "azure.com")
_NEAR = 0.93
"""How alike two labels are before one is taken for the other misspelt."""
_SHOWN = 8
"""Labels in a hint."""

_REQUESTS_AS_CLAIMS = "1.36"
"""The version of Kubernetes from which a device class may stand for an extended resource by default."""

_SHARING = ("config", "migStrategy", "devicePlugin.config", "mig.strategy")
"""Values of NVIDIA's charts that change how many devices a node offers, or under which names."""


@RULES.rule(
    on=_PLACED,
    each_of=templates,
    severity=HIGH,
    rationale="The pods stay Pending.",
    fix="Ask in nodeSelector or affinity for labels that a node pool has, or add them to a node pool.",
    joins=True,
    sources=("Kubernetes documentation, assigning pods to nodes",),
)
def k8s_pod_node_labels_exist(pods: PodTemplate) -> Verdict:
    """A node pool has the labels that nodeSelector and the required node affinity of pods ask for."""
    return _where_started(_labels, pods)


@RULES.rule(
    on=_PLACED,
    each_of=templates,
    severity=HIGH,
    rationale="The pods stay Pending.",
    fix="Request less than a node has, or add a node pool with larger nodes.",
    joins=True,
    sources=("Kubernetes documentation, resource management for pods and containers",),
)
def k8s_pod_requests_fit_node(pods: PodTemplate) -> Verdict:
    """A node with the labels that pods ask for has enough of every resource that a pod requests."""
    return _where_started(_size, pods)


@RULES.rule(
    on=_PLACED,
    each_of=templates,
    severity=HIGH,
    rationale="The pods stay Pending, because the taints keep them off every node that fits.",
    fix="Add a toleration for the taints of the node pool to tolerations.",
    joins=True,
    sources=("Kubernetes documentation, taints and tolerations",),
)
def k8s_pod_tolerates_pool_taints(pods: PodTemplate) -> Verdict:
    """Pods tolerate the taints of a node pool that has the labels and resources that they ask for."""
    return _where_started(_taints, pods)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="The pods are accepted and stay Pending, because no node has devices of that name.",
    fix="Install the device plugin for the resource.",
    joins=True,
    sources=("Kubernetes documentation, device plugins",),
)
def k8s_pod_devices_advertised(pods: PodTemplate) -> Verdict:
    """A device plugin of the program or the node image advertises the devices that pods request."""
    wanted = [name for name, value in pods.requests.items() if value and name in advertisers.DEVICES]
    if not wanted:
        return NOT_APPLICABLE
    return each(wanted, lambda name: _has_advertiser(pods, name))


@RULES.rule(
    on=_AT_ONCE,
    each_of=templates,
    severity=MEDIUM,
    rationale="The workload is accepted, and the replicas without room stay Pending.",
    fix="Run fewer replicas, or raise the largest size of the node pool.",
    joins=True,
    sources=("Kubernetes documentation, resource management for pods and containers",),
)
def k8s_replicas_fit_pools(pods: PodTemplate) -> Verdict:
    """The node pools, at their largest, have devices for all replicas of a workload at once."""
    requests = {name: value for name, value in pods.requests.items() if name in advertisers.DEVICES and value}
    if not requests:
        return NOT_APPLICABLE
    taking = {
        offer.pool.urn: offer
        for way in kueue_pods.started(pods)
        for offer in _with_labels(way.pods)
        if matching.fits(offer, requests) is not False and not matching.untolerated(offer, way.pods)
    }
    if not taking:
        return NOT_APPLICABLE
    room = 0
    for offer in taking.values():
        if offer.count is None or matching.fits(offer, requests) is None:
            raise NotKnown
        room += offer.count * min(int((offer.capacity[name] or 0) // value) for name, value in requests.items())
    wanted = replicas(pods.workload, pods.template)
    return allow(
        wanted <= room,
        f"the pools have room for {room} of these {wanted} pods, even with all their nodes",
        hint=f"Let the pools grow, or ask for {room} replicas.",
        path=pods.template.at("").partition(".template")[0] if pods.workload.type == JOB_SET else "spec.replicas",
    )


def _where_started(rule: Callable[[StartedPods], Verdict], pods: PodTemplate) -> Verdict:
    """The verdict of a rule on pods as Kueue starts them: one choice of flavors that leads to a pool is enough."""
    try:
        ways = kueue_pods.started(pods)
    except NotKnown:
        return _before_flavors(rule, pods)
    if not ways:
        return NOT_APPLICABLE  # reported by the rule on flavors
    if len(ways) == 1:
        return rule(ways[0])
    open_ = [way for way in ways if Outcome.FAIL not in {asked(each, way).outcome for each in _OBSTACLES}]
    return rule(open_[0] if open_ else ways[0])


def _before_flavors(rule: Callable[[StartedPods], Verdict], pods: PodTemplate) -> Verdict:
    """The verdict on pods whose flavors are not known: a flavor adds labels to ask for, and tolerations."""
    found = rule(StartedPods(pods))
    if found.outcome is not Outcome.FAIL or rule is _taints:
        raise NotKnown
    return found


def _labels(started: StartedPods) -> Verdict:
    pods = started.pods
    if not matching.asks_for_labels(pods.spec):
        return NOT_APPLICABLE
    offers = _meant_for(pods)
    matches = [matching.has_labels(offer, pods.spec) for offer in offers]
    if any(matches):
        return PASS
    if None in matches:
        return _spelled(pods, offers)
    selector = matching.unmet(offers, pods.spec)

    def selected(offer: NodeOffer) -> bool:
        return matching.is_selected(offer, pods.spec) is not False

    shown = _shown_labels(offers, texts(pods.spec, "nodeSelector"))
    own = pods.template.block("spec") or pods.spec
    by_flavor = bool(started.flavors) and any(matching.has_labels(offer, own) is not False for offer in offers)
    fix = f"Set nodeLabels of {started.shown} to labels" if by_flavor else "Ask for a label"
    return fail(
        f"{_as_started(started) if by_flavor else ''}no pool of the cluster has a node with {selector}",
        hint=f"{fix} of one of the pools: {shown}.",
        path=pods.spec.at("affinity" if any(map(selected, offers)) else "nodeSelector"),
    )


def _meant_for(pods: PodTemplate) -> list[NodeOffer]:
    """The pools of a cluster; of one that lies outside the program, those that it has for the devices of pods.

    Raises:
        NotKnown: the pools are not known.
    """
    try:
        return nodes.offers(pods.workload)
    except NotKnown:
        wanted = [name for name, value in pods.requests.items() if value and name in advertisers.DEVICES]
        started = nodes.started_pools(pods.workload) if wanted else []
        found = [offer for offer in started if any(offer.capacity.get(name) for name in wanted)]
        if not found:
            raise
        return found


def _spelled(pods: PodTemplate, offers: list[NodeOffer]) -> Verdict:
    """Clouds and add-ons label nodes with more than is known here, but not with a known label misspelt."""
    known = {key for offer in offers for key in offer.labels}
    for key in texts(pods.spec, "nodeSelector"):
        near = [] if key in known else near_matches(key, known, likeness=_NEAR)
        if near:
            path = pods.spec.at("nodeSelector")
            return fail(f"no node has a label {key}", hint=suggestion(near), path=path)
    raise NotKnown


def _as_started(started: StartedPods) -> str:
    """The first part of a message, which names the flavors of pods."""
    return f"with {started.shown} of the queue, " if started.flavors else ""


def _size(started: StartedPods) -> Verdict:
    pods = started.pods
    requests = pods.requests
    if not requests:
        return NOT_APPLICABLE
    offers = _with_labels(pods)
    if not offers:
        return NOT_APPLICABLE  # reported by the rule on labels
    fits = [matching.fits(offer, requests) for offer in offers]
    if any(fits):
        return PASS
    if None in fits:
        raise NotKnown
    largest = max(offers, key=lambda offer: _nearest(offer, requests))
    name, value = next(
        (name, value) for name, value in requests.items() if matching.room_for(largest, name, value) is False
    )
    has = largest.capacity.get(name) or Decimal(0)
    keeps = ", some of which it keeps for itself" if has and name in matching.KEPT_BY_THE_NODE else ""
    return fail(
        f"{_as_started(started)}a pod requests {quantity_text(value)} of {name}, "
        f"and no node that it may run on has as much: {largest.machine_type} has {quantity_text(has)}{keeps}",
        hint=f"Request less than a node has, or add a pool whose nodes have {quantity_text(value)} of {name}.",
        path=pods.spec.at("containers"),
    )


def _taints(started: StartedPods) -> Verdict:
    pods = started.pods
    requests = pods.requests
    offers = [offer for offer in _with_labels(pods) if matching.fits(offer, requests) is not False]
    if not offers:
        return NOT_APPLICABLE  # reported by the rules on labels and sizes
    refused = [matching.untolerated(offer, pods) for offer in offers]
    sure = [matching.fits(offer, requests) for offer in offers]
    if any(not taints and certain for taints, certain in zip(refused, sure, strict=True)):
        return PASS
    if not all(refused):
        raise NotKnown
    offer, taint = offers[0], refused[0][0]
    places = f" to the pods, or to spec.tolerations of {started.shown}" if started.flavors else ""
    return fail(
        f"{_as_started(started)}every pool with the requested labels and resources has a taint "
        f"that the pods do not tolerate: {offer.pool.name} has the taint {taint}",
        hint=f"Add the toleration {_toleration(taint)}{places}.",
        path=pods.spec.at("tolerations"),
    )


_OBSTACLES = (_labels, _size, _taints)
"""The reason that keeps pods off all pools."""


def _has_advertiser(pods: PodTemplate, resource: str) -> Verdict:
    found = advertisers.of(pods.workload, resource)
    if any(not advertisers.by_claims(each) for each in found):
        return PASS
    offers = nodes.offers(pods.workload)
    if found and _requests_become_claims(pods.workload):
        raise NotKnown
    return allow(
        any(offer.brings_plugin and offer.accelerators == resource for offer in offers),
        f"no device plugin of the program advertises {resource}, so no node has any",
        hint=f"Claim the devices: {found[0].chart} publishes them." if found else f"Install the plugin for {resource}.",
        path=pods.spec.at("containers"),
    )


def _requests_become_claims(workload: View) -> bool:
    """Return whether a cluster may serve a request by a driver for claims (KEP-5004: beta in 1.36)."""
    version = nodes.kubernetes_version(workload)
    return version is None or minor(version) >= minor(_REQUESTS_AS_CLAIMS)


def _with_labels(pods: PodTemplate) -> list[NodeOffer]:
    """The pools that pods may run in by their labels."""
    offers = nodes.offers(pods.workload)
    matches = [matching.has_labels(offer, pods.spec) for offer in offers]
    if None in matches and not any(matches):
        raise NotKnown
    if _shared(pods):
        raise NotKnown
    return [offer for offer, match in zip(offers, matches, strict=True) if match is not False]


def _shared(pods: PodTemplate) -> bool:
    """Return whether GPUs are handed out in parts, so that nobody can count them here."""
    return any(
        releases.has_value(advertiser.view, path)
        for advertiser in advertisers.of(pods.workload, "nvidia.com/gpu")
        if advertiser.plugin is not None
        for path in _SHARING
    )


def _nearest(offer: NodeOffer, requests: dict[str, Decimal]) -> tuple[int, list[Decimal]]:
    """How near a pool comes to what a pod requests: the most resources first, and then the most of them."""
    enough = sum(matching.room_for(offer, name, value) is not False for name, value in requests.items())
    return enough, [offer.capacity.get(name) or Decimal(0) for name in requests]


def _shown_labels(offers: list[NodeOffer], wanted: Collection[str]) -> str:
    """The labels of the pools: those of the keys that pods ask for, or else those that the program gives."""
    keys = {key for offer in offers for key in offer.labels}
    chosen = keys.intersection(wanted) or {key for key in keys if not key.partition("/")[0].endswith(_CLOUDS)}
    found = sorted({f"{key}={value}" for offer in offers for key in chosen for value in offer.labels.get(key) or ()})
    return ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "") if found else "none has one of its own"


def _toleration(taint: NodeTaint) -> str:
    value = f"operator: Equal, value: {taint.value}" if taint.value else "operator: Exists"
    return f"{{key: {taint.key}, {value}, effect: {taint.effect}}}"
