"""Labels and taint effects of nodes, as Kubernetes and the APIs of managed node pools spell them."""

from __future__ import annotations

from typing import Final, TypeVar

ARCHITECTURE: Final = "kubernetes.io/arch"
INSTANCE_TYPE: Final = "node.kubernetes.io/instance-type"
ZONE: Final = "topology.kubernetes.io/zone"
_OPERATING_SYSTEM: Final = "kubernetes.io/os"

ARCHITECTURES: Final = {"x86_64": "amd64", "arm64": "arm64"}
"""Processor architectures of the catalogue to those of the architecture label."""

TAINT_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
POOL_TAINT_EFFECTS: Final = {
    "NoSchedule": "NO_SCHEDULE",
    "PreferNoSchedule": "PREFER_NO_SCHEDULE",
    "NoExecute": "NO_EXECUTE",
}
"""Taint effects of Kubernetes to those of the node pools of EKS and GKE."""

_OF_POOLS: Final = {theirs: ours for ours, theirs in POOL_TAINT_EFFECTS.items()}

Values = TypeVar("Values")


def taint_effect(of_pool: str | None) -> str:
    """Return the Kubernetes effect of a taint of an EKS or GKE node pool; empty for an unknown effect."""
    return _OF_POOLS.get(of_pool or "", "")


def kubelet_labels(
    *, architecture: Values, operating_system: Values, instance_type: Values, zone: Values
) -> dict[str, Values]:
    """Return the labels that every kubelet sets, under their present and their former names."""
    return {
        ARCHITECTURE: architecture,
        "beta.kubernetes.io/arch": architecture,
        _OPERATING_SYSTEM: operating_system,
        "beta.kubernetes.io/os": operating_system,
        INSTANCE_TYPE: instance_type,
        "beta.kubernetes.io/instance-type": instance_type,
        ZONE: zone,
        "failure-domain.beta.kubernetes.io/zone": zone,
    }
