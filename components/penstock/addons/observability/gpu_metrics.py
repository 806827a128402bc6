"""Metrics of NVIDIA's GPUs: from exactly one exporter on each node."""

from __future__ import annotations

from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.observability.series import has_nvidia
from penstock.addons.prometheus_crds.component import AGENTS, NAMESPACE
from penstock.kubernetes.components.fabric_daemon import LIBRARIES
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.release import EVERYWHERE, image, release
from penstock.kubernetes.components.system_nodes import on_pools
from penstock.kubernetes.facts.gpu_counters import counter_file
from penstock.kubernetes.facts.scraped import GpuExporter, gpu_exporter

_CHART, _COUNTERS = "dcgm-exporter", "dcgm-counters"
_FOLDER, _FILE = "/etc/dcgm-exporter/penstock", "counters.csv"

_BOUNDS = {"requests": {"cpu": "10m", "memory": "128Mi"}, "limits": {"memory": "1Gi"}}
"""Those of the exporter that the GPU Operator runs. CPU has no limit: a throttled exporter misses its scrapes."""

OWN_LABELS = [{"action": "labeldrop", "regex": "namespace|pod|container"}]
"""The exporter's own pod is no pod that has GPUs: without its labels, GPUs that nobody has show none."""


class GpuMetrics(pulumi.ComponentResource):
    """DCGM's exporter on every node with GPUs of NVIDIA; where the GPU operator runs one, that one is read."""

    def __init__(self, name: str, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None) -> None:
        """Install the exporter, or say where the other is."""
        super().__init__("penstock:kubernetes:GpuMetrics", name, None, opts)
        exporter = gpu_exporter(cluster.kind)
        if exporter.exporter == "penstock":
            self._install(name, cluster, exporter)
        else:
            self._read(name, exporter)
        self.register_outputs({})

    def _install(self, name: str, cluster: InCluster, exporter: GpuExporter) -> None:
        text = counter_file()
        counters = core.ConfigMap(
            f"{name}-counters",
            metadata=meta.ObjectMetaArgs(name=_COUNTERS, namespace=AGENTS),
            data={_FILE: text},
            opts=pulumi.ResourceOptions(parent=self),
        )
        runtime_class = cluster.profile.runtime_class if cluster.profile is not None else None
        values: dict[str, Any] = {
            "namespaceOverride": AGENTS,
            "image": {"repository": image(_CHART, cluster.image_mirror)},
            "arguments": ["-f", f"{_FOLDER}/{_FILE}"],
            "extraConfigMapVolumes": [{"name": "counters", "configMap": {"name": _COUNTERS}}],
            "extraVolumeMounts": [{"name": "counters", "mountPath": _FOLDER, "readOnly": True}],
            # It reads its counters once: other ones are for new pods.
            "podAnnotations": {"penstock.dev/counters": sha256(text.encode()).hexdigest()[:16]},
            "resources": _BOUNDS,
            "tolerations": EVERYWHERE,
            "affinity": on_pools([pool for pool in cluster.pools if has_nvidia(pool)]),
            "serviceMonitor": {"honorLabels": True, "relabelings": OWN_LABELS},
            **({"runtimeClassName": runtime_class} if runtime_class is not None else {}),
        }
        if any(has_nvidia(pool) and pool.resource not in pool.requested for pool in cluster.pools):
            values["kubernetesDRA"] = {"enabled": True}  # otherwise GPUs that pods claim show no pod
        if exporter.driver_directory is not None:
            _mount_driver(values, exporter.driver_directory)
        release(
            name,
            _CHART,
            values=values,
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[counters]),
        )

    def _read(self, name: str, exporter: GpuExporter) -> None:
        key, _, value = (exporter.pods or "").partition("=")
        CustomResource(
            name,
            api_version="monitoring.coreos.com/v1",
            kind="PodMonitor",
            metadata=meta.ObjectMetaArgs(name="gpu-exporter", namespace=NAMESPACE),
            spec={
                "namespaceSelector": {"matchNames": [exporter.namespace]},
                "selector": {"matchLabels": {key: value}},
                "podMetricsEndpoints": [{"port": exporter.port, "honorLabels": True, "relabelings": OWN_LABELS}],
            },
            opts=pulumi.ResourceOptions(parent=self),
        )


def _mount_driver(values: dict[str, Any], directory: str) -> None:
    """Give the exporter what GKE gives only containers that request GPUs: the driver's libraries and devices.

    An exporter that starts before GKE has installed the driver exits, and finds it when it is restarted.
    """
    where = str(PurePosixPath(LIBRARIES).parent)
    values["extraHostVolumes"] = [{"name": "driver", "hostPath": directory}]
    values["extraVolumeMounts"].append({"name": "driver", "mountPath": where, "readOnly": True})
    values["extraEnv"] = [
        {"name": "LD_LIBRARY_PATH", "value": LIBRARIES},
        # GKE's device plugin names GPUs nvidia0 and so on, not by their UUID: otherwise metrics show no pod.
        {"name": "DCGM_EXPORTER_KUBERNETES_GPU_ID_TYPE", "value": "device-name"},
    ]
    # The API server refuses privileged containers that may not escalate, which is the chart's own choice.
    values["securityContext"] = {"privileged": True, "allowPrivilegeEscalation": True}
