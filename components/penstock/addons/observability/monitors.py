"""The targets of Prometheus beside the nodes: controllers of other add-ons, and jobs that report how they fare."""

from __future__ import annotations

from typing import Any

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.prometheus_crds.component import NAMESPACE
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.monitored import JOB_LABEL, JOB_PORT
from penstock.kubernetes.facts.scraped import ScrapedController, scraped_controllers

_TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token"  # noqa: S105 - where it is, not what


def monitor_jobs(name: str, opts: pulumi.ResourceOptions) -> None:
    """Read the pods of jobs, in all namespaces, that ask for it by a label."""
    _monitor(
        f"{name}-jobs",
        "PodMonitor",
        "jobs",
        {
            "namespaceSelector": {"any": True},
            "selector": {"matchLabels": {JOB_LABEL: "true"}},
            "podMetricsEndpoints": [{"port": JOB_PORT}],
        },
        opts,
    )


def monitor_controllers(name: str, cluster: InCluster, opts: pulumi.ResourceOptions) -> None:
    """Read the controllers of the add-ons that the description enables."""
    for each in scraped_controllers():
        if cluster.addons.has(each.addon):
            _monitor(f"{name}-{each.namespace}", "ServiceMonitor", each.namespace, _of_controller(each), opts)


def _of_controller(controller: ScrapedController) -> dict[str, Any]:
    return {
        "namespaceSelector": {"matchNames": [controller.namespace]},
        "selector": {},
        "endpoints": [
            {
                "port": controller.port,
                "scheme": "https",
                "bearerTokenFile": _TOKEN,
                "tlsConfig": {"insecureSkipVerify": True},  # they sign their own certificates
            }
        ],
    }


def _monitor(name: str, kind: str, title: str, spec: dict[str, Any], opts: pulumi.ResourceOptions) -> None:
    CustomResource(
        name,
        api_version="monitoring.coreos.com/v1",
        kind=kind,
        metadata=meta.ObjectMetaArgs(name=title, namespace=NAMESPACE),
        spec=spec,
        opts=opts,
    )
