"""Node pools of Karpenter, EKS Auto Mode and AKS node auto-provisioning as pools of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.facts.node_labels import ARCHITECTURE, INSTANCE_TYPE, ZONE
from penstock.kubernetes.model.karpenter_machines import Candidate
from penstock.kubernetes.model.pools import TYPES, KarpenterPool
from penstock.kubernetes.model.pools import read_pools as karpenter_pools
from penstock.kubernetes.rules import inventory, karpenter_machines
from penstock.kubernetes.rules.node_offer import NodeOffer, NodeTaint
from penstock.model import quantities

NODE_POOL: Final = "karpenter.sh/nodepool"
CAPACITY_TYPE: Final = "karpenter.sh/capacity-type"
_OVERLAY: Final = "kubernetes:karpenter.sh/v1alpha1:NodeOverlay"
_AUTO_MODE: Final = "eks.amazonaws.com"

_NVIDIA, _NEURON, _EFA = "nvidia.com/gpu", "aws.amazon.com/neuron", "vpc.amazonaws.com/efa"
_HUGE_PAGES: Final = ("hugepages-2Mi", "hugepages-1Gi")
"""Resources that Karpenter does not expect of a machine unless a NodeOverlay adds them."""

_OWN_LABELS: Final = ("karpenter.", "eks.amazonaws.com/instance-")
"""The beginnings of labels that only Karpenter and Auto Mode set."""

_MOST_OFFERS: Final = 40
"""A pool of more machine types is one offer, of the most that any of them has."""

_FABRIC_FROM: Final = 2
"""As many EFA devices make a machine one for training on several nodes."""

_DOMAINS: Final = ("amazonaws.com", "k8s.aws", "azure.com")
_PLAIN_ALIASES: Final = ("al2@", "al2023@", "bottlerocket@")
_WINDOWS: Final = "windows"

NEVER: Final[frozenset[str]] = frozenset()
"""The values of a label that no node of a pool has."""


def pools_of(site: Site, providers: Iterable[str]) -> list[KarpenterPool]:
    """The NodePools that a program creates in a cluster, by the providers that reach it."""
    reached = set(providers)
    views = [view for view in site.of_type(*TYPES) if inventory.server(view) in reached]
    found = [pool for view in views for pool in karpenter_pools(view)]
    return [pool for pool in found if isinstance(pool, KarpenterPool)]


def offers(pools: list[KarpenterPool]) -> list[NodeOffer]:
    """The offers of NodePools: one for each machine type, or one for many.

    Raises:
        NotKnown: a property of one of them is not known.
    """
    return [offer for pool in pools for offer in _offers(pool)]


def beside(offer: NodeOffer, started: list[NodeOffer]) -> NodeOffer:
    """A pool in a cluster with Karpenter, which labels only the nodes that it starts itself."""
    own = {key for each in started for key in each.labels if key.startswith(_OWN_LABELS)}
    return replace(offer, labels={**dict.fromkeys((NODE_POOL, CAPACITY_TYPE, *own), NEVER), **offer.labels})


def has_pools(site: Site) -> bool:
    """Return whether a program creates NodePools; in a cluster that starts nodes, others may come from elsewhere."""
    return bool(site.of_type(*TYPES))


def built_in(cluster: View, name: str, *, architectures: Iterable[str], taints: tuple[NodeTaint, ...]) -> NodeOffer:
    """A NodePool that a cloud brings into its clusters: plain machines, on demand."""
    devices = (_NVIDIA, _NEURON, _EFA, *_HUGE_PAGES)
    return NodeOffer(
        pool=cluster,
        machine_type=f"a machine of the node pool {name}",
        labels={
            NODE_POOL: frozenset({name}),
            CAPACITY_TYPE: frozenset({"on-demand"}),
            ARCHITECTURE: frozenset(architectures),
            "kubernetes.io/os": frozenset({"linux"}),
        },
        label_domains=_DOMAINS,
        other_labels=False,
        taints=taints,
        capacity={"cpu": None, "memory": None, **dict.fromkeys(devices, Decimal(0))},
        count=None,
        accelerators=None,
        fabric=None,
        networks=0,
        slice_hosts=1,
        brings_plugin=False,
        brings_driver=False,
        brings_toolkit=False,
        admits_requests=False,
    )


def fits_limits(pool: KarpenterPool, machine: Candidate | None) -> bool:
    """Return whether the limits of a NodePool leave room for one machine; None stands for any machine.

    Raises:
        NotKnown: a limit is not known.
    """
    limits = quantities.amounts(pool.block.block("limits"))
    sizes = machine.capacity if machine is not None else {}
    return all(limit > 0 and limit >= (sizes.get(name) or 0) for name, limit in limits.items() if _counts(name, sizes))


def is_within(pool: KarpenterPool, name: str, size: Decimal) -> bool:
    """Return whether a machine with so much of a resource is within one limit of a NodePool."""
    limit = quantities.amounts(pool.block.block("limits")).get(name)
    return limit is None or size <= limit


def values_of(pool: KarpenterPool, key: str) -> frozenset[str]:
    """The values that requirements bind a label to; none where they leave it open."""
    return _labels(pool).get(key) or frozenset()


def _counts(name: str, sizes: Mapping[str, Decimal | None]) -> bool:
    """Return whether a limit keeps a machine off: one of a device that the machine does not have does not."""
    return name in ("nodes", "cpu", "memory") or bool(sizes.get(name))


def _offers(pool: KarpenterPool) -> Iterator[NodeOffer]:
    found, complete = karpenter_machines.candidates(pool)
    if not fits_limits(pool, None):
        return
    found = [each for each in found if fits_limits(pool, each)]
    labels = _labels(pool)
    if complete and len(found) <= _MOST_OFFERS:
        for each in found:
            yield _offer(pool, [each], labels, alone=len(found) == 1)
    else:
        yield _offer(pool, found if complete else [], labels, alone=False)


def _offer(
    pool: KarpenterPool, machines: list[Candidate], labels: dict[str, frozenset[str] | None], *, alone: bool
) -> NodeOffer:
    """The offer of some machine types; none stands for any."""
    node_class = class_of(pool)
    capacity = _capacity(pool, machines)
    devices = [name for name in (_NVIDIA, _NEURON) if capacity.get(name)]
    automatic = reference(pool)[0] == _AUTO_MODE
    ready = automatic or _image(node_class) in _PLAIN_ALIASES
    return NodeOffer(
        pool=pool.view,
        machine_type=" or ".join(each.name for each in machines) or "a machine that Karpenter chooses",
        labels=_of_machines(machines) | labels,
        label_domains=_DOMAINS,
        other_labels=node_class is not None and "userData" in _spec(node_class),
        taints=tuple(_taints(pool)),
        capacity=capacity,
        count=_count(pool, machines) if alone else None,
        accelerators=devices[0] if len(devices) == 1 else None,
        fabric="efa" if machines and all(each.efa >= _FABRIC_FROM for each in machines) else None,
        networks=0,
        slice_hosts=1,
        brings_plugin=automatic or _image(node_class) == "bottlerocket@",
        brings_driver=(ready or None) if devices else False,
        brings_toolkit=bool(devices) and ready,
        admits_requests=False,
    )


def reference(pool: KarpenterPool) -> tuple[str, str, str]:
    """The group, kind and name of the node class of a NodePool; empty for what it does not say."""
    template = _template(pool)
    found = template.block("nodeClassRef") if template is not None else None
    if found is None:
        return "", "", ""
    group = found.text("group") or (found.text("apiVersion") or "").partition("/")[0]
    return group, found.text("kind") or "", found.text("name") or ""


def class_of(pool: KarpenterPool) -> View | None:
    """The node class of a NodePool; None where the program has none of that name."""
    group, kind, name = reference(pool)
    versions = ("v1", "v1beta1", "v1alpha2")
    types = (f"kubernetes:{group}/{version}:{kind}" for version in versions)
    return next(filter(None, (inventory.find(pool.view, type_, "", name) for type_ in types)), None)


def _template(pool: KarpenterPool) -> Block | None:
    template = pool.block.block("template")
    return template.block("spec") if template is not None else None


def _spec(node_class: View) -> Block:
    return node_class.block("spec") or Block({}, "spec", node_class)


def _image(node_class: View | None) -> str:
    """The alias of a node class's image without its version, such as al2023@; empty for an image of the user's own."""
    if node_class is None:
        return ""
    terms = _spec(node_class).blocks("amiSelectorTerms")
    alias = (terms[0].text("alias") or "") if len(terms) == 1 else ""
    return "".join(alias.partition("@")[:2])


def _taints(pool: KarpenterPool) -> Iterator[NodeTaint]:
    """The taints that stay; those of startupTaints go by themselves."""
    template = _template(pool)
    for taint in template.blocks("taints") if template is not None else ():
        yield NodeTaint(taint.text("key") or "", taint.text("value") or "", taint.text("effect") or "")


def _labels(pool: KarpenterPool) -> dict[str, frozenset[str] | None]:
    """The labels that a NodePool gives its nodes; None for one whose value pods may choose."""
    found: dict[str, frozenset[str] | None] = {
        CAPACITY_TYPE: None,
        ZONE: None,
        "eks.amazonaws.com/nodegroup": NEVER,
        "kubernetes.io/os": frozenset({_WINDOWS if _image(class_of(pool)).startswith(_WINDOWS) else "linux"}),
    }
    for each in karpenter_machines.requirements(pool):
        key, operator = each.text("key") or "", each.text("operator")
        values = frozenset(each.texts("values"))
        before = found.get(key)
        if operator == "In":
            found[key] = values if before is None or not before else before & values
        elif operator == "DoesNotExist":
            found[key] = NEVER
        elif operator == "NotIn" and before:
            found[key] = before - values
        else:
            found.setdefault(key, None)
    template = pool.block.block("template")
    metadata = template.block("metadata") if template is not None else None
    own = metadata.block("labels") if metadata is not None else None
    given = {key: frozenset({own.text(key) or ""}) for key in own} if own is not None else {}
    return found | given | {NODE_POOL: _name(pool)}


def _name(pool: KarpenterPool) -> frozenset[str] | None:
    try:
        return frozenset({inventory.name(pool.view)})
    except NotKnown:
        return None


def _of_machines(machines: list[Candidate]) -> dict[str, frozenset[str] | None]:
    """The labels that some machine of a pool has, whichever Karpenter starts."""
    if not machines:
        return {INSTANCE_TYPE: None, ARCHITECTURE: None}
    keys = {key for each in machines for key in each.labels}
    return {key: _together([each.labels.get(key) for each in machines]) for key in keys}


def _together(values: list[frozenset[str] | None]) -> frozenset[str] | None:
    known = [each for each in values if each is not None]
    return frozenset().union(*known) if len(known) == len(values) else None


def _capacity(pool: KarpenterPool, machines: list[Candidate]) -> dict[str, Decimal | None]:
    names = ("cpu", "memory", _NVIDIA, _NEURON, _EFA)
    found: dict[str, Decimal | None] = dict.fromkeys(names)
    for name in names if machines else ():
        amounts = [each.capacity.get(name) for each in machines]
        known = [amount for amount in amounts if amount is not None]
        found[name] = max(known) if len(known) == len(amounts) else None
    overlaid = any(inventory.server(each) == inventory.server(pool.view) for each in pool.view.site.of_type(_OVERLAY))
    return found | dict.fromkeys(_HUGE_PAGES, None if overlaid else Decimal(0))


def _count(pool: KarpenterPool, machines: list[Candidate]) -> int | None:
    """The most nodes by the limits; None where it has none, or they are not known."""
    try:
        return pool.most_of(machines[0].name)
    except (NotKnown, TypeMismatch):
        return None
