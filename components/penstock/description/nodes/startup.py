"""The taint of untested nodes, if an add-on keeps work off nodes until it has tested them."""

from __future__ import annotations

from typing import Final

from penstock.description.node_pool import Taint
from penstock.description.platform import Spec

GPU: Final = "nvidia.com/gpu"
"""What pods request of whole GPUs of NVIDIA, which alone are tested."""

UNCHECKED: Final = "penstock.dev/unchecked"
"""The label of such nodes, by which their test finds them, and the key of their taint."""

_IGNORED: Final = "startup-taint.cluster-autoscaler.kubernetes.io/penstock-unchecked"
"""The key where the cluster autoscaler scales pools: by this prefix it knows a taint that goes by itself, and starts
nodes for pods that do not tolerate it (kubernetes/autoscaler, cluster-autoscaler/FAQ.md, startup taints)."""


def startup_taint(spec: Spec, resource: str | None, *, scaled: bool = False) -> Taint | None:
    """Return the taint of new nodes of a pool; None where they take work at once.

    `resource` is what pods request of whole accelerators of the pool; `scaled` says whether a cluster autoscaler starts
    the nodes: one that runs in the cluster, or that of GKE.
    """
    if not spec.addons.gate_nodes() or resource != GPU:
        return None
    return Taint(key=_IGNORED if scaled else UNCHECKED, value="true")
