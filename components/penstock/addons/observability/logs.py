"""Logs of all pods: collected on each node, kept by Loki, shown in Grafana beside the metrics."""

from __future__ import annotations

import json
from typing import Any, Final

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.observability.block import LogsSpec
from penstock.addons.observability.log_collector import LogCollector
from penstock.addons.prometheus_crds.component import AGENTS, NAMESPACE
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.namespace import Namespace, PortOpening
from penstock.kubernetes.components.release import release
from penstock.kubernetes.components.system_nodes import without_accelerators
from penstock.kubernetes.facts import charts

_CHART: Final = "loki"
_PORT: Final = 3100
_FIRST_DAY: Final = "2026-01-01"
"""From when the schema holds: any day before the first log."""

_OFF: Final = ("gateway", "chunksCache", "resultsCache", "lokiCanary", "test")
"""Parts that serve larger installations, or test this one."""


class Logs(pulumi.ComponentResource):
    """Loki on a volume, a collector on every node, and Grafana's way to Loki."""

    def __init__(
        self, name: str, spec: LogsSpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install all of it; Grafana is in the namespace of monitoring."""
        super().__init__("penstock:kubernetes:Logs", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        home = charts.find_chart(_CHART).namespace
        namespace = Namespace(
            name,
            namespace=home,
            pod_security="restricted",
            openings=[
                PortOpening(port=_PORT, namespaces={"kubernetes.io/metadata.name": reader})
                for reader in (AGENTS, NAMESPACE)
            ],
            opts=child,
        )
        kept = release(
            name,
            _CHART,
            values=_values(spec, cluster),
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        address = f"http://{_CHART}.{home}.svc:{_PORT}"
        LogCollector(
            f"{name}-collector",
            endpoint=f"{address}/otlp",
            image_mirror=cluster.image_mirror,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[kept]),
        )
        source = {"name": "Loki", "type": "loki", "access": "proxy", "url": address}
        core.ConfigMap(
            f"{name}-source",
            metadata=meta.ObjectMetaArgs(
                name="datasource-loki", namespace=NAMESPACE, labels={"grafana_datasource": "1"}
            ),
            data={"loki.yaml": json.dumps({"apiVersion": 1, "datasources": [source]})},
            opts=child,
        )
        self.register_outputs({})


def _values(spec: LogsSpec, cluster: InCluster) -> dict[str, Any]:
    """One server for all: it takes some tens of GB a day, as much as a thousand pods that train write."""
    schema = {
        "from": _FIRST_DAY,
        "store": "tsdb",
        "object_store": "filesystem",
        "schema": "v13",
        "index": {"prefix": "index_", "period": "24h"},
    }
    storage_class = cluster.profile.block_class if cluster.profile is not None else None
    volume = {"enabled": True, "size": f"{spec.storage_gib}Gi"}
    return {
        **({"global": {"imageRegistry": cluster.image_mirror}} if cluster.image_mirror is not None else {}),
        "deploymentMode": "Monolithic",
        "loki": {
            # Teams have no way to Loki but Grafana, which has one set of readers.
            "auth_enabled": False,
            "commonConfig": {"replication_factor": 1},
            "storage": {"type": "filesystem"},
            "schemaConfig": {"configs": [schema]},
            "limits_config": {"retention_period": f"{spec.retention_days * 24}h"},
            "compactor": {"retention_enabled": True, "delete_request_store": "filesystem"},
        },
        "singleBinary": {
            "replicas": 1,
            "persistence": volume | ({"storageClass": storage_class} if storage_class is not None else {}),
            "resources": {"requests": {"cpu": "500m", "memory": "2Gi"}, "limits": {"memory": "4Gi"}},
            "affinity": without_accelerators(cluster.pools),
        },
        **{part: {"enabled": False} for part in _OFF},
        **{part: {"replicas": 0} for part in ("write", "read", "backend")},
        # It would read each ConfigMap and Secret of the cluster, for rules that are Prometheus' here.
        "sidecar": {"rules": {"enabled": False}},
        "rbac": {"namespaced": True},
        "monitoring": {"serviceMonitor": {"enabled": True}},
    }
