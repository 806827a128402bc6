"""The way of Prometheus into namespaces that are closed to others."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.namespace import PortOpening
from penstock.kubernetes.facts.scraped import scraped_controllers

MONITORING = "monitoring"

JOB_LABEL, JOB_PORT = "penstock.dev/metrics", "metrics"
"""Pods of jobs with this label set to "true" are read at their port of this name."""


def to_monitoring(cluster: InCluster, port: int | str, pods: Mapping[str, str] | None = None) -> list[PortOpening]:
    """Open a port to Prometheus where the description has it: who else asks is nobody's concern."""
    if not cluster.addons.has("observability"):
        return []
    return [PortOpening(port=port, pods=pods or {}, namespaces={"kubernetes.io/metadata.name": MONITORING})]


def controllers_to_monitoring(cluster: InCluster, namespace: str) -> list[PortOpening]:
    """Open the ports of the controllers in a namespace that `scraped_controllers` has."""
    ports = {each.pod_port for each in scraped_controllers() if each.namespace == namespace}
    return [opening for port in sorted(ports) for opening in to_monitoring(cluster, port)]
