"""Observability: metrics of accelerators, queues and storage, alerts on them, and dashboards."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.rbac import v1 as rbac

from penstock.addons.observability.alert_rules import groups
from penstock.addons.observability.block import ObservabilitySpec
from penstock.addons.observability.dashboards import dashboards
from penstock.addons.observability.gpu_metrics import GpuMetrics
from penstock.addons.observability.logs import Logs
from penstock.addons.observability.monitors import monitor_controllers, monitor_jobs
from penstock.addons.observability.series import has_nvidia
from penstock.addons.observability.stack_values import ADMIN, READER, values
from penstock.addons.prometheus_crds.component import NAMESPACE
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.release import release

_CHART = "kube-prometheus-stack"
_PASSWORD_LENGTH = 32


class Observability(pulumi.ComponentResource):
    """Prometheus, Alertmanager and Grafana, with an exporter of GPU metrics where nobody else has one.

    Alerts go nowhere before somebody says where: by an AlertmanagerConfig, which may name Secrets that Pulumi never
    sees. Grafana's password is made by Pulumi's `random` provider and so is encrypted in the state; something in the
    cluster that made it would need the right to write Secrets, and an image to run.
    """

    offers: Mapping[str, pulumi.Input[str]]

    def __init__(
        self, name: str, spec: ObservabilitySpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install all of it."""
        super().__init__("penstock:kubernetes:Observability", name, spec.inputs(), opts)
        child = pulumi.ResourceOptions(parent=self)
        before = [self._admin(name), self._reader(name), *self._dashboards(name, cluster)]
        stack = release(
            name,
            _CHART,
            values=values(spec, cluster),
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=before),
        )
        CustomResource(
            f"{name}-alerts",
            api_version="monitoring.coreos.com/v1",
            kind="PrometheusRule",
            metadata=meta.ObjectMetaArgs(name="penstock", namespace=NAMESPACE),
            spec={"groups": groups(cluster)},
            opts=pulumi.ResourceOptions(parent=self, depends_on=[stack]),
        )
        monitor_jobs(name, child)
        monitor_controllers(name, cluster, child)
        if any(map(has_nvidia, cluster.pools)):
            GpuMetrics(f"{name}-gpus", cluster=cluster, opts=child)
        if spec.logs is not None:
            Logs(f"{name}-logs", spec.logs, cluster=cluster, opts=child)
        self.offers = {
            "grafana": f"kubectl -n {NAMESPACE} port-forward service/{_CHART}-grafana 3000:80",
            "sign_in": f"kubectl -n {NAMESPACE} get secret {ADMIN} -o jsonpath='{{.data.admin-password}}' | base64 -d",
        }
        self.register_outputs(self.offers)

    def _admin(self, name: str) -> pulumi.Resource:
        import pulumi_random

        password = pulumi_random.RandomPassword(
            f"{name}-grafana", length=_PASSWORD_LENGTH, special=False, opts=pulumi.ResourceOptions(parent=self)
        )
        return core.Secret(
            f"{name}-grafana",
            metadata=meta.ObjectMetaArgs(name=ADMIN, namespace=NAMESPACE),
            string_data={"admin-user": "admin", "admin-password": password.result},
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _reader(self, name: str) -> pulumi.Resource:
        return rbac.Role(
            f"{name}-grafana",
            metadata=meta.ObjectMetaArgs(name=READER, namespace=NAMESPACE),
            rules=[rbac.PolicyRuleArgs(api_groups=[""], resources=["configmaps"], verbs=["get", "list", "watch"])],
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _dashboards(self, name: str, cluster: InCluster) -> list[pulumi.Resource]:
        return [
            core.ConfigMap(
                f"{name}-dashboard-{title}",
                metadata=meta.ObjectMetaArgs(
                    name=f"dashboard-{title}", namespace=NAMESPACE, labels={"grafana_dashboard": "1"}
                ),
                data={f"penstock-{title}.json": text},
                opts=pulumi.ResourceOptions(parent=self),
            )
            for title, text in dashboards(cluster).items()
        ]
