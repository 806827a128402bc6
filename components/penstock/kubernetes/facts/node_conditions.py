"""Conditions of nodes that report broken accelerators or links, and what sets them where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeCondition:
    """One condition of nodes.

    Attributes:
        provider: of the cluster.
        condition: its type, as the node reports it.
        unhealthy: its status on a broken node.
        set_by: the cloud, on every cluster; penstock, by what it installs into each cluster that it creates; or health,
            the add-on of that name.
        nodes: which nodes it is set on: those with accelerators, with NVIDIA GPUs, with NVIDIA GPUs whose driver comes
            with the node's image, or with a fabric.
    """

    provider: str
    condition: str
    unhealthy: Literal["true", "false"]
    set_by: Literal["cloud", "penstock", "health"]
    nodes: Literal["accelerators", "nvidia", "nvidia-image-driver", "fabric"]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def node_conditions(provider: str) -> tuple[NodeCondition, ...]:
    """The conditions that something sets on the clusters of a provider."""
    return tuple(each for each in records(NodeCondition, "kubernetes/node_conditions") if each.provider == provider)
