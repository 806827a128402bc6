"""The values of kube-prometheus-stack that a platform needs, and the insecure or useless ones that they flip."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

import pulumi

from penstock.addons.observability.block import ObservabilitySpec
from penstock.addons.observability.series import node_labels
from penstock.addons.prometheus_crds.component import AGENTS, NAMESPACE
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.release import EVERYWHERE
from penstock.kubernetes.components.system_nodes import without_accelerators

ADMIN, READER = "grafana-admin", "grafana-dashboards"
"""The Secret with Grafana's password, and the Role by which it finds its dashboards."""

_BASE_GIB, _GIB_PER_NODE = 2, 0.05
"""Memory of Prometheus: some 15,000 series for each node with eight GPUs, at about 3 KiB."""

_CONTROL_PLANE = ("kubeEtcd", "kubeScheduler", "kubeControllerManager", "kubeProxy")
_ITS_RULES = ("etcd", "kubeControllerManager", "kubeProxy", "kubeSchedulerAlerting", "kubeSchedulerRecording")
_TEAMS = ("penstock.dev/team", "kueue.x-k8s.io/queue-name")
"""Labels of namespaces and pods by which usage and cost are distinguished."""


def values(spec: ObservabilitySpec, cluster: InCluster) -> dict[str, Any]:
    """All values."""
    affinity = without_accelerators(cluster.pools)
    return {
        "crds": {"enabled": False},
        "global": {"imageRegistry": cluster.image_mirror} if cluster.image_mirror is not None else {},
        # Clouds hide their control planes, and kubeadm's listen on their own machines only.
        **{each: {"enabled": False} for each in _CONTROL_PLANE},
        "defaultRules": {"rules": {**dict.fromkeys(_ITS_RULES, False), "windows": False}},
        "prometheus": _prometheus(spec, cluster, affinity),
        "alertmanager": _alertmanager(cluster, affinity),
        "prometheusOperator": _operator(affinity),
        "grafana": _grafana(affinity),
        "kube-state-metrics": _state_metrics(cluster, affinity),
        "prometheus-node-exporter": {
            "namespaceOverride": AGENTS,
            "tolerations": EVERYWHERE,
            "resources": _bounded("100m", "64Mi", "256Mi"),
        },
    }


def memory_gib(cluster: InCluster) -> int:
    """The memory that Prometheus needs for all nodes that the pools may have."""
    nodes = sum(pool.nodes.max for pool in cluster.pools)
    return ceil(_BASE_GIB + _GIB_PER_NODE * nodes)


def _replicas(cluster: InCluster) -> int:
    return 2 if cluster.environment == "prod" else 1


def _budget(cluster: InCluster) -> dict[str, Any]:
    return {"podDisruptionBudget": {"enabled": True}} if _replicas(cluster) > 1 else {}


def _prometheus(spec: ObservabilitySpec, cluster: InCluster, affinity: Mapping[str, Any]) -> dict[str, Any]:
    memory = memory_gib(cluster)
    return {
        **_budget(cluster),
        "prometheusSpec": {
            "replicas": _replicas(cluster),
            # By default only what this very chart brings is read, and other add-ons in vain say what is to be watched.
            **{
                f"{kind}SelectorNilUsesHelmValues": False
                for kind in ("serviceMonitor", "podMonitor", "probe", "rule", "scrapeConfig")
            },
            "retention": f"{spec.retention_days}d",
            "retentionSize": f"{spec.storage_gib * 9 // 10}GB",
            "storageSpec": _volume(spec.storage_gib, cluster),
            "resources": _bounded("500m", f"{memory}Gi", f"{2 * memory}Gi"),
            "affinity": affinity,
        },
    }


def _alertmanager(cluster: InCluster, affinity: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **_budget(cluster),
        "alertmanagerSpec": {
            "replicas": _replicas(cluster),
            "storage": _volume(1, cluster),
            "resources": _bounded("20m", "64Mi", "256Mi"),
            "affinity": affinity,
        },
    }


def _operator(affinity: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "admissionWebhooks": {
            # A rule that nobody checked does less harm than an operator whose restart stops all changes.
            "failurePolicy": "Ignore",
            "certManager": {"enabled": True},
            "patch": {"enabled": False},
        },
        "resources": _bounded("50m", "128Mi", "512Mi"),
        "prometheusConfigReloader": {"resources": _bounded("10m", "32Mi", "128Mi")},
        "affinity": affinity,
    }


def _grafana(affinity: Mapping[str, Any]) -> dict[str, Any]:
    found = {"searchNamespace": NAMESPACE, "resource": "configmap"}
    return {
        "admin": {"existingSecret": ADMIN},
        # The chart's own roles read every Secret, of the cluster or of the namespace.
        "rbac": {"namespaced": True, "useExistingRole": READER},
        "sidecar": {"dashboards": found, "datasources": found, "resources": _bounded("20m", "96Mi", "256Mi")},
        "initChownData": {"enabled": False},  # runs as root, for a volume that there is not
        "testFramework": {"enabled": False},
        "grafana.ini": {"analytics": {"check_for_updates": False}},
        "resources": _bounded("100m", "256Mi", "512Mi"),
        "affinity": affinity,
    }


def _state_metrics(cluster: InCluster, affinity: Mapping[str, Any]) -> dict[str, Any]:
    nodes, teams = ",".join(node_labels(cluster.pools)), ",".join(_TEAMS)
    return {
        "collectorsExclude": ["secrets"],  # to count them, it would read all
        "metricLabelsAllowlist": [f"nodes=[{nodes}]", f"namespaces=[{teams}]", f"pods=[{teams}]"],
        "resources": _bounded("50m", "128Mi", "1Gi"),
        "affinity": affinity,
    }


def _volume(gib: int, cluster: InCluster) -> dict[str, Any]:
    storage_class = cluster.profile.block_class if cluster.profile is not None else None
    claim = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": f"{gib}Gi"}},
        **({"storageClassName": storage_class} if storage_class is not None else {}),
    }
    return {"volumeClaimTemplate": {"spec": claim}}


def _bounded(cpu: str, memory: str, limit: str) -> dict[str, pulumi.Input[Any]]:
    # No limit of cpu: it would slow down what watches the others, just when there is much to see.
    return {"requests": {"cpu": cpu, "memory": memory}, "limits": {"memory": limit}}
