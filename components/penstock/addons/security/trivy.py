"""Trivy: reports of known vulnerabilities and of forgotten secrets in the images that run."""

from __future__ import annotations

from typing import Any, Final

import pulumi

from penstock.kubernetes.components.egress_ports import registry_ports
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.components.monitored import to_monitoring
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import release
from penstock.kubernetes.components.system_nodes import without_accelerators
from penstock.kubernetes.facts import charts

CHART: Final = "trivy-operator"
_METRICS = 8080
_PUBLIC: Final = "mirror.gcr.io"
_DATABASES: Final = {"db": "aquasec/trivy-db", "javaDb": "aquasec/trivy-java-db"}
_TIMEOUT: Final = "30m0s"
"""Images of CUDA have ten gigabytes and more: the five minutes and 500 MB of the chart are for small ones."""

_SCANS: Final = {"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"memory": "4Gi"}}
_OPERATOR: Final = {"requests": {"cpu": "100m", "memory": "256Mi"}, "limits": {"memory": "1Gi"}}
_CONFINED: Final = {"runAsNonRoot": True, "runAsUser": 65534, "seccompProfile": {"type": "RuntimeDefault"}}
_CONTAINER: Final = {
    "privileged": False,
    "allowPrivilegeEscalation": False,
    "readOnlyRootFilesystem": True,
    "capabilities": {"drop": ["ALL"]},
}


def install(name: str, cluster: InCluster, opts: pulumi.ResourceOptions) -> pulumi.Resource:
    """Install the operator in a namespace of its own, which has the pods of its scans, too."""
    namespace = Namespace(
        name,
        namespace=charts.find_chart(CHART).namespace,
        pod_security="restricted",
        openings=to_monitoring(cluster, _METRICS),
        ways_out=registry_ports(f"{cluster.image_mirror}/") if isinstance(cluster.image_mirror, str) else (),
        opts=opts,
    )
    return release(
        name,
        CHART,
        values=_values(cluster),
        mirrored=cluster.image_mirror is not None,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[namespace])),
    )


def _values(cluster: InCluster) -> dict[str, Any]:
    mirror = cluster.image_mirror
    registry = {"registry": mirror} if mirror is not None else {}
    affinity = without_accelerators(cluster.pools)
    for path in _DATABASES.values():
        from_mirror(f"{_PUBLIC}/{path}", mirror)
    return {
        "affinity": affinity,
        "resources": _OPERATOR,
        "podSecurityContext": _CONFINED,
        "securityContext": _CONTAINER,
        "image": registry,
        "serviceMonitor": {"enabled": cluster.addons.has("observability")},
        "operator": {
            "accessGlobalSecretsAndServiceAccount": False,
            "scanJobsConcurrentLimit": 3,
            "scanJobTimeout": _TIMEOUT.removesuffix("0s"),
            # Kyverno judges how objects are written; nodes would be read by pods with rights of root.
            "configAuditScannerEnabled": False,
            "rbacAssessmentScannerEnabled": False,
            "infraAssessmentScannerEnabled": False,
            "clusterComplianceEnabled": False,
            # A list of all packages is larger than what an object may be, for images of machine learning.
            "sbomGenerationEnabled": False,
        },
        "trivyOperator": {
            "scanJobAffinity": affinity,
            "scanJobPodTemplatePodSecurityContext": _CONFINED,
            "scanJobPodTemplateContainerSecurityContext": _CONTAINER,
        },
        "trivy": {
            "image": registry,
            "severity": "HIGH,CRITICAL",
            "ignoreUnfixed": True,
            "timeout": _TIMEOUT,
            "resources": _SCANS,
            **({f"{kind}Registry": mirror for kind in _DATABASES} if mirror is not None else {}),
        },
    }
