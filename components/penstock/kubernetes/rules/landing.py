"""Where pods land: the pools that take them, and the fabric that they find there."""

from __future__ import annotations

from typing import NamedTuple

from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block
from penstock.kubernetes.model.pods.templates import PodTemplate, requested
from penstock.kubernetes.rules import gangs, gke_networks, matching, nodes
from penstock.kubernetes.rules.node_offer import NodeOffer

EFA = "vpc.amazonaws.com/efa"
RDMA = "rdma/"
"""Default resource prefixes of InfiniBand and RoCE device plugins."""

OVER_FABRIC = ("nvidia.com/gpu", "amd.com/gpu", "aws.amazon.com/neuron")
"""Accelerators whose libraries move data over a fabric between nodes; TPUs have links of their own."""


class PodFabric(NamedTuple):
    """The fabric between the nodes of pods: what it may be, how that shows, for messages, and the pool that has it."""

    names: frozenset[str]
    shown: str
    offer: NodeOffer | None = None


def pools(pods: PodTemplate) -> list[NodeOffer]:
    """The pools that may take pods, by their labels, their taints, and what a node has; none where no pool does.

    Raises:
        NotKnown: the pools are not known.
    """
    return [
        offer
        for offer in nodes.offers(pods.workload)
        if matching.has_labels(offer, pods.spec) is not False
        and (offer.taints is None or not matching.untolerated(offer, pods))
        and matching.fits(offer, pods.requests) is not False
    ]


def on_fabric(pods: PodTemplate) -> NodeOffer | None:
    """A pool with a fabric that pods land in, which every other pool that takes them has too; else None.

    Only pods that take all accelerators of a node count, or work together with others on more of them than a node has:
    the rest shares a node with others, and trains on one node at most.
    """
    found = pools(pods)
    fabrics = {offer.fabric for offer in found}
    if len(fabrics) != 1 or None in fabrics:
        return None
    first = found[0]
    accelerator = first.accelerators
    if accelerator not in OVER_FABRIC or not (mine := pods.requests.get(accelerator)):
        return None
    has = first.capacity.get(accelerator)
    if has is None:
        raise NotKnown
    return first if mine == has or gangs.amount(pods, accelerator) > has else None


def across_nodes(pods: PodTemplate) -> NodeOffer | None:
    """A pool with a fabric on whose nodes pods work together, several of them for sure; else None."""
    return on_fabric(pods) if span_nodes(pods) else None


def span_nodes(pods: PodTemplate) -> bool:
    """Return whether pods are several that work together, and not as many tasks or servers on their own."""
    return any(pods is member for member, _ in gangs.members(pods.workload))


def users(pods: PodTemplate) -> list[Block]:
    """The containers with accelerators whose libraries move data over a fabric."""
    return [each for each in pods.containers if not requested(each).keys().isdisjoint(OVER_FABRIC)]


def fabric_of(pods: PodTemplate) -> PodFabric | None:
    """The fabric that pods are meant to use: they request its devices, or work together on nodes that have it.

    Pods without accelerators, such as launchers, have that of the pods that they work with.

    Raises:
        NotKnown: the pools that may take them are not known.
    """
    if not users(pods):
        others = [member for member, _ in gangs.members(pods.workload) if users(member)]
        return fabric_of(others[0]) if others else None
    devices = sorted(name for name, amount in pods.requests.items() if amount)
    if EFA in devices:
        return PodFabric(frozenset({"efa"}), f"requests {EFA}")
    rdma = next((name for name in devices if name.startswith(RDMA)), None)
    if rdma is not None:
        return PodFabric(frozenset({"infiniband", "rdma"}), f"requests {rdma}")
    offer = on_fabric(pods) if span_nodes(pods) or gke_networks.interfaces(pods) else None
    if offer is None or offer.fabric is None:
        return None
    return PodFabric(frozenset({offer.fabric}), f"lands on {offer.pool.name}, which has {offer.fabric}", offer)
