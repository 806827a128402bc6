"""What the nodes of one pool offer to pods, whatever cloud they stand in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from penstock.rehearsal.rules.view import View


class Taint(NamedTuple):
    """What keeps pods off a node, with the effect as Kubernetes spells it."""

    key: str
    value: str
    effect: str

    def __str__(self) -> str:
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeOffer:
    """One pool.

    Attributes:
        pool: the resource that starts its nodes.
        machine_type: for messages.
        labels: the values that a label has on some node of the pool; None where it is there with a value not known.
        other_labels: whether nodes may have labels that are not listed, beside those of the cloud and of add-ons.
        capacity: the most of each resource that a node has before it keeps some for itself; None where not known.
        count: the most nodes of the pool; None where not known.
        accelerators: the resource that its accelerators are asked for by, such as nvidia.com/gpu; None without any.
        fabric: whether it has EFA interfaces.
        brings_plugin: whether its image itself advertises the accelerators.
        brings_driver: whether its image has the accelerators' driver.
    """

    pool: View
    machine_type: str
    labels: Mapping[str, frozenset[str] | None]
    other_labels: bool
    taints: tuple[Taint, ...]
    capacity: Mapping[str, Decimal | None]
    count: int | None
    accelerators: str | None
    fabric: bool
    brings_plugin: bool
    brings_driver: bool
