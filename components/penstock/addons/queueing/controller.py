"""Kueue's controller: which jobs it holds back, and what its chart is given."""

from __future__ import annotations

import json
from typing import Any, Final

from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.release import image

CHART = "kueue"
WEBHOOK = 9443
VISIBILITY = 8082
METRICS = 8443
TEAM = "penstock.dev/team"
"""The label of the namespaces whose jobs wait in queues."""

_ALWAYS: Final = ("batch/job", "pod")
"""A pod of its own would take accelerators past the queue; what belongs to a job in a queue is left to the job."""

_BY_ADDON: Final = {
    "training": ("jobset.x-k8s.io/jobset", "trainer.kubeflow.org/trainjob"),
    "ray": ("ray.io/rayjob", "ray.io/raycluster", "ray.io/rayservice"),
}


def values(cluster: InCluster) -> dict[str, Any]:
    """The values of the chart.

    Its webhooks refuse jobs while nothing answers them: in prod two replicas do. Its limit of 512 MiB is too low for
    thousands of jobs.
    """
    twice = cluster.environment == "prod"
    return {
        "controllerManager": {
            "replicas": 2 if twice else 1,
            "podDisruptionBudget": {"enabled": twice},
            "manager": {
                "priorityClassName": "system-cluster-critical",
                "image": {"repository": image(CHART, cluster.image_mirror), "pullPolicy": "IfNotPresent"},
                "resources": {
                    "requests": {"cpu": "500m", "memory": "1Gi"},
                    "limits": {"cpu": "2", "memory": "2Gi"},
                },
            },
            **_place(cluster),
        },
        "managerConfig": {"controllerManagerConfigYaml": json.dumps(configuration(cluster))},
    }


def configuration(cluster: InCluster) -> dict[str, Any]:
    """The configuration of the controller, which takes JSON as it takes YAML."""
    return {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "health": {"healthProbeBindAddress": ":8081"},
        "metrics": {"bindAddress": f":{METRICS}", "enableClusterQueueResources": True},
        "webhook": {"port": WEBHOOK},
        "leaderElection": {"leaderElect": True, "resourceName": "c1f6bfd2.kueue.x-k8s.io"},
        "clientConnection": {"qps": 300, "burst": 500},
        # Jobs that name no queue wait in that of their namespace; the cluster's own pods never wait.
        "manageJobsWithoutQueueName": True,
        "managedJobsNamespaceSelector": {"matchExpressions": [{"key": TEAM, "operator": "Exists"}]},
        "integrations": {"frameworks": list(frameworks(cluster))},
        "fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]},
        # Teams have quotas of accelerators; processors and memory are the scheduler's.
        "resources": {"quotaCheckStrategy": "IgnoreUndeclared", **_claimed(cluster)},
        "waitForPodsReady": {
            "timeout": "30m",
            "recoveryTimeout": "15m",
            "blockAdmission": False,
            "requeuingStrategy": {
                "timestamp": "Eviction",
                "backoffLimitCount": 5,
                "backoffBaseSeconds": 60,
                "backoffMaxSeconds": 3600,
            },
        },
    }


def _claimed(cluster: InCluster) -> dict[str, Any]:
    """What pods claim, as the resources that queues have quotas of, or as others without a quota.

    Kueue admits no claims of a class that it does not know.
    """
    named = {
        claim.device_class: claim.resource or f"claims.penstock.dev/{claim.device_class}"
        for pool in cluster.open_pools
        for claim in pool.claims
    }
    mapped = [{"name": resource, "deviceClassNames": [each]} for each, resource in sorted(named.items())]
    return {"deviceClassMappings": mapped} if mapped else {}


def frameworks(cluster: InCluster) -> tuple[str, ...]:
    """The kinds of jobs that wait in queues: those of Kubernetes, and those of the add-ons that are enabled."""
    enabled = (kinds for addon, kinds in _BY_ADDON.items() if cluster.addons.has(addon))
    return (*_ALWAYS, *(kind for kinds in enabled for kind in kinds))


def _place(cluster: InCluster) -> dict[str, Any]:
    """Away from accelerators: clouds taint these, and of clusters that exist nobody says so."""
    if cluster.profile is None:
        return {}
    plain = (pool for pool in cluster.open_pools if not pool.devices and not pool.taints)
    return next(({"nodeSelector": dict(pool.selector)} for pool in plain), {})
