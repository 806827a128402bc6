"""How many replicas a workload has at least, whoever sets their number."""

from __future__ import annotations

from typing import Final

from penstock.graph.view import View

_SCALERS: Final = {
    "kubernetes:autoscaling/v2:HorizontalPodAutoscaler": ("minReplicas", 1),
    "kubernetes:autoscaling/v1:HorizontalPodAutoscaler": ("minReplicas", 1),
    "kubernetes:keda.sh/v1alpha1:ScaledObject": ("minReplicaCount", 0),
}
"""What scales workloads: where it says how many replicas there are at least, and how many if it does not say."""


def least_replicas(workload: View) -> int:
    """How many replicas run at least: as given, or as an autoscaler of the program sets them.

    Raises:
        NotKnown: the number is not known yet.
    """
    for scaler in workload.site.of_type(*_SCALERS):
        if _scales(scaler, workload):
            key, otherwise = _SCALERS[scaler.type]
            spec = scaler.block("spec")
            least = None if spec is None else spec.integer(key)
            return otherwise if least is None else least
    spec = workload.block("spec")
    given = None if spec is None else spec.integer("replicas")
    return 1 if given is None else given


def _scales(scaler: View, workload: View) -> bool:
    if workload.urn in {it.urn for it in scaler.sources("spec", workload.type)}:
        return True
    spec, metadata = scaler.block("spec"), workload.block("metadata")
    target = None if spec is None else spec.block("scaleTargetRef")
    if target is None or metadata is None:
        return False
    scaled = (target.text("kind") or "Deployment", target.text("name"))
    return scaled == (workload.type.rpartition(":")[2], metadata.text("name"))
