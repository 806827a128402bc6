"""The offer of the nodes of one pool to pods, on any cloud."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, NamedTuple

from penstock.graph.view import View

_STARTUP: Final = (
    "startup-taint.cluster-autoscaler.kubernetes.io/",
    "ignore-taint.cluster-autoscaler.kubernetes.io/",
)
"""By these prefixes the cluster autoscaler knows taints that go by themselves, and starts nodes for pods that do not
tolerate them (kubernetes/autoscaler, cluster-autoscaler/FAQ.md, startup taints)."""


class NodeTaint(NamedTuple):
    """A taint that keeps pods off a node, with the effect as Kubernetes spells it."""

    key: str
    value: str
    effect: str

    @property
    def goes_by_itself(self) -> bool:
        """True where somebody removes it from a node that is ready for pods."""
        return self.key.startswith(_STARTUP)

    def __str__(self) -> str:
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Registries:
    """The registries of images that nodes reach without a way out of their network.

    Attributes:
        own: matches the hosts of the cloud's own registries.
        mirrored: hosts of others, of whose images the cloud has some.
        example: where to copy an image, for messages.
    """

    own: re.Pattern[str]
    mirrored: frozenset[str]
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeOffer:
    """One pool.

    Attributes:
        pool: the resource that starts its nodes.
        machine_type: for messages.
        labels: the values that a label has on some node of the pool; None where it is there with a value not known.
        label_domains: domains under which its cloud labels nodes, beside the labels that are listed.
        other_labels: whether nodes may have labels that are not listed, beside those of the cloud and of add-ons.
        taints: what keeps pods off its nodes; None where not known.
        capacity: the most of each resource that a node has before it keeps some for itself; None where not known.
        count: the most nodes of the pool; None where not known.
        accelerators: the resource by which pods request its accelerators, such as nvidia.com/gpu; None without any.
        fabric: what its interfaces make, such as efa or tcpxo; None without any.
        fabric_interfaces: the interfaces of the fabric that a node has for its accelerators, which pods ask for or
            claim; None where the fabric comes as devices, or there is none.
        networks: the further interfaces of a node that pods ask for by name; 0 where claims or devices bring them.
        slice_hosts: how many nodes start and stop together; 1 for nodes on their own, None where not known.
        brings_plugin: whether its nodes advertise the accelerators by themselves.
        brings_driver: whether its nodes have the accelerators' driver; None where its image is not known.
        brings_toolkit: whether its image has NVIDIA's container toolkit.
        admits_requests: whether its cluster lets pods past a taint of the name of a resource that they request.
        ethernet: the beginning of the names of its nodes' Ethernet interfaces, such as en; empty where not known.
    """

    pool: View
    machine_type: str
    labels: Mapping[str, frozenset[str] | None]
    label_domains: tuple[str, ...]
    other_labels: bool
    taints: tuple[NodeTaint, ...] | None
    capacity: Mapping[str, Decimal | None]
    count: int | None
    accelerators: str | None
    fabric: str | None
    fabric_interfaces: int | None = None
    networks: int
    slice_hosts: int | None
    brings_plugin: bool
    brings_driver: bool | None
    brings_toolkit: bool
    admits_requests: bool
    ethernet: str = ""
