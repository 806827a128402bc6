"""Cost: OpenCost over the platform's own Prometheus, and the price of each pool's accelerators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.cost.block import CostSpec
from penstock.catalog import prices
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.monitored import MONITORING, to_monitoring
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import release
from penstock.kubernetes.components.system_nodes import without_accelerators

_CHART = "opencost"
_API, _PROMETHEUS = 9003, 9090


class OpenCost(pulumi.ComponentResource):
    """What namespaces, teams and queues use, in money; its figures are estimates from list prices.

    On clouds OpenCost takes the cloud's prices, on other clusters that of the description for accelerators. The price
    of each pool's accelerators is a series, too, with which dashboards and alerts reckon.
    """

    offers: Mapping[str, pulumi.Input[str]]

    def __init__(
        self, name: str, spec: CostSpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it."""
        super().__init__("penstock:kubernetes:OpenCost", name, spec.inputs(), opts)
        namespace = Namespace(
            name,
            namespace=_CHART,
            pod_security="restricted",
            openings=to_monitoring(cluster, _API),
            ways_out=[_PROMETHEUS],
            opts=pulumi.ResourceOptions(parent=self),
        )
        release(
            name,
            _CHART,
            values=_values(spec, cluster),
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        rules = price_rules(cluster, spec.accelerator_hour_usd)
        if rules:
            CustomResource(
                f"{name}-prices",
                api_version="monitoring.coreos.com/v1",
                kind="PrometheusRule",
                metadata=meta.ObjectMetaArgs(name="penstock-prices", namespace=MONITORING),
                spec={"groups": [{"name": "penstock-prices", "rules": rules}]},
                opts=pulumi.ResourceOptions(parent=self),
            )
        self.offers = {"api": f"kubectl -n {_CHART} port-forward service/{_CHART} {_API}"}
        self.register_outputs(self.offers)


def price_rules(cluster: InCluster, described: float | None) -> list[dict[str, Any]]:
    """The price of an accelerator of each pool for an hour, as a series that is always there.

    The whole machine's price is shared among its accelerators. Pools without a known price have none.
    """
    found = [(pool, _accelerator_hour_usd(pool, cluster, described)) for pool in cluster.accelerated]
    return [
        {
            "record": "penstock_accelerator_hour_usd",
            "expr": f"vector({usd:.6g})",
            "labels": {"pool": pool.pool, "resource": pool.resource or ""},
        }
        for pool, usd in found
        if usd is not None
    ]


def _accelerator_hour_usd(pool: PoolNodes, cluster: InCluster, described: float | None) -> float | None:
    if cluster.provider == "kubernetes":
        return described
    price = prices.machine_hour(pool.machine_type or "", cluster.region, pool.capacity, cluster.provider)
    return price.usd / pool.accelerators if price is not None and pool.accelerators else None


def _values(spec: CostSpec, cluster: InCluster) -> dict[str, Any]:
    memory = {"requests": {"cpu": "50m", "memory": "256Mi"}, "limits": {"memory": "2Gi"}}
    hardened = {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "runAsNonRoot": True,
        "runAsUser": 1001,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    registry = {"image": {"registry": cluster.image_mirror}} if cluster.image_mirror is not None else {}
    return {
        "opencost": {
            "exporter": {
                "defaultClusterId": cluster.platform,
                "resources": memory,
                "securityContext": hardened,
                **registry,
            },
            "prometheus": {
                "internal": {
                    "serviceName": "kube-prometheus-stack-prometheus",
                    "namespaceName": MONITORING,
                    "port": _PROMETHEUS,
                }
            },
            "metrics": {"serviceMonitor": {"enabled": True}},
            "customPricing": _custom_pricing(spec, cluster),
            # Both answer whoever reaches them, without a password; Grafana shows the same.
            "ui": {"enabled": False},
            "mcp": {"enabled": False},
            "affinity": without_accelerators(cluster.pools),
        },
    }


def _custom_pricing(spec: CostSpec, cluster: InCluster) -> dict[str, Any]:
    """The price of an accelerator as OpenCost 1.120 reads it from values: by the month, and of nodes with a label.

    It divides by 730 what it reads (`ProviderConfig.UpdateFromMap`), and takes nodes for those with GPUs by a label
    alone (`customProviderKey.GPUType`; opencost pull request 3830 changes both).
    """
    if cluster.provider != "kubernetes" or spec.accelerator_hour_usd is None:
        return {"enabled": False}
    model: dict[str, Any] = {"GPU": round(spec.accelerator_hour_usd * prices.HOURS_A_MONTH, 2)}
    label = _label_of_accelerators(cluster)
    return {"enabled": True, "costModel": model | ({"gpuLabel": label} if label is not None else {})}


def _label_of_accelerators(cluster: InCluster) -> str | None:
    """A label that all nodes with accelerators have, and no others; None where there is none."""
    of_all = [frozenset(pool.labels) for pool in cluster.accelerated]
    of_others = (frozenset(pool.labels) for pool in cluster.pools if not pool.accelerators)
    common = frozenset.intersection(*of_all) if of_all else frozenset()
    return min(common.difference(*of_others), default=None)
