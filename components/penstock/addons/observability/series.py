"""The metrics by which a pool's nodes and devices are found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from penstock.description.nodes import PoolNodes

NVIDIA = "nvidia.com/"


def nodes_series(selector: Mapping[str, str]) -> str:
    """The series of the nodes with some labels, as kube-state-metrics has one for each node."""
    matchers = ",".join(f'label_{sanitized(key)}="{value}"' for key, value in sorted(selector.items()))
    return f"kube_node_labels{{{matchers}}}"


def sanitized(name: str) -> str:
    """The name of a label or a resource as metrics have it: `nvidia.com/gpu` is nvidia_com_gpu."""
    return re.sub(r"[^a-zA-Z0-9_]", "_", name)


def node_labels(pools: Iterable[PoolNodes]) -> tuple[str, ...]:
    """The labels of nodes that metrics must have, so that pools are found by them."""
    return tuple(sorted({key for pool in pools for key in pool.selector}))


def has_nvidia(pool: PoolNodes) -> bool:
    """Return whether the nodes of a pool have GPUs of NVIDIA, which DCGM knows."""
    return pool.accelerator_kind == "gpu" and (pool.resource or "").startswith(NVIDIA)
