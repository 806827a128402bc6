"""Kyverno: the controllers that hold a cluster to policies."""

from __future__ import annotations

from typing import Any, Final

import pulumi

from penstock.addons.security.block import SecuritySpec
from penstock.kubernetes.components.egress_ports import registry_ports
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.monitored import to_monitoring
from penstock.kubernetes.components.namespace import Namespace, PortOpening
from penstock.kubernetes.components.release import release
from penstock.kubernetes.components.system_nodes import without_accelerators
from penstock.kubernetes.facts import charts

CHART: Final = "kyverno"
_WEBHOOK, _METRICS = 9443, 8000
_MEMORY: Final = {"requests": {"cpu": "100m", "memory": "256Mi"}, "limits": {"memory": "1Gi"}}
"""More than the chart gives: the admission controller keeps every policy and every namespace in memory."""

_SYSTEM: Final = ("kube-system", "kube-node-lease", "kube-public")


def install(name: str, cluster: InCluster, opts: pulumi.ResourceOptions) -> pulumi.Resource:
    """Install it in a namespace of its own; in prod, losing a machine stops no admission.

    Its webhooks refuse what they cannot judge, but for the namespaces of the cluster itself and of add-ons: a cluster
    whose Kyverno is down still starts what brings it back.
    """
    security = cluster.addons.get(SecuritySpec)
    signed = [image for each in (security.signatures if security is not None else ()) for image in each.images]
    namespace = Namespace(
        name,
        namespace=charts.find_chart(CHART).namespace,
        pod_security="restricted",
        openings=[PortOpening(port=_WEBHOOK), *to_monitoring(cluster, _METRICS)],
        ways_out=registry_ports(*signed),  # signatures are in the registries of their images
        critical_pods=True,
        opts=opts,
    )
    return release(
        name,
        CHART,
        values=_values(cluster),
        mirrored=cluster.image_mirror is not None,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[namespace])),
    )


def spared_namespaces() -> tuple[str, ...]:
    """The namespaces of the cluster itself and of every chart, in alphabetical order."""
    return tuple(sorted({*_SYSTEM, *(chart.namespace for chart in charts.all_charts())}))


def _values(cluster: InCluster) -> dict[str, Any]:
    lasting = cluster.environment == "prod"
    its: dict[str, Any] = {
        "priorityClassName": "system-cluster-critical",
        "nodeAffinity": without_accelerators(cluster.pools).get("nodeAffinity", {}),
        "serviceMonitor": {"enabled": cluster.addons.has("observability")},
    }
    spared = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": list(spared_namespaces())}
    mirror = cluster.image_mirror
    return {
        **({"global": {"image": {"registry": mirror}}} if mirror is not None else {}),
        # Who administers a namespace would else make policies, and see all reports.
        "rbac": {"roles": {"aggregate": {"admin": False, "view": True}}},
        "config": {
            "webhooks": {"namespaceSelector": {"matchExpressions": [spared]}},
            "enableDefaultRegistryMutation": False,
        },
        "features": {"policyExceptions": {"enabled": False}},
        "webhooksCleanup": {
            "enabled": True,
            "nodeAffinity": its["nodeAffinity"],
            **({"image": {"registry": mirror}} if mirror is not None else {}),
        },
        "admissionController": {
            **its,
            "replicas": 3 if lasting else 1,
            "container": {"resources": _MEMORY},
        },
        "backgroundController": {**its, "replicas": 2 if lasting else 1, "resources": _MEMORY},
        "reportsController": {**its, "replicas": 2 if lasting else 1, "resources": _MEMORY},
        "cleanupController": {"enabled": False},
    }
