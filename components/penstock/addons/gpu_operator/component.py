"""NVIDIA's GPU Operator: driver, container toolkit and device plugin on nodes that lack some of them."""

from __future__ import annotations

from typing import Any

import pulumi

from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components import device_sharing
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.monitored import to_monitoring
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import EVERYWHERE, release
from penstock.kubernetes.components.system_nodes import without_accelerators
from penstock.kubernetes.facts import charts
from penstock.kubernetes.facts.device_software import DeviceSoftware
from penstock.kubernetes.facts.gpu_counters import counter_file
from penstock.kubernetes.facts.node_drivers import find_driver
from penstock.kubernetes.facts.scraped import gpu_exporter

_CHART = "gpu-operator"
_METRICS = 9400
_COUNTERS = "dcgm-counters"
_HTTP = 80
"""Driver containers fetch the headers of their kernel from the distribution."""

_REGISTRY = "nvcr.io/nvidia"
_MANAGERS = f"{_REGISTRY}/cloud-native"
_REPOSITORIES = {
    "validator": _REGISTRY,
    "operator": _REGISTRY,
    "driver": _REGISTRY,
    "toolkit": f"{_REGISTRY}/k8s",
    "devicePlugin": _REGISTRY,
    "dcgmExporter": f"{_REGISTRY}/k8s",
    "gfd": _REGISTRY,
    "migManager": _MANAGERS,
}
"""Where the chart pulls what the operator runs from, by the part of its values."""

_NFD = "registry.k8s.io/nfd/node-feature-discovery"

_AGENT = {"requests": {"cpu": "10m", "memory": "128Mi"}, "limits": {"memory": "1Gi"}}
"""For agents that mostly wait. CPU has no limit: a throttled agent is a node without GPUs."""

_BOUNDED = ("validator", "toolkit", "devicePlugin", "dcgmExporter", "gfd", "migManager")


class GpuOperator(pulumi.ComponentResource):
    """The operator, with all that nodes bring by themselves switched off.

    It is the only one that advertises GPUs where it runs. NVIDIA's network operator brings node feature discovery for
    both where it is installed, too.
    """

    def __init__(
        self, name: str, _spec: None, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it for the pools of a cluster."""
        super().__init__("penstock:kubernetes:GpuOperator", name, None, opts)
        namespace = Namespace(
            name,
            namespace=charts.find_chart(_CHART).namespace,
            pod_security="privileged",
            openings=to_monitoring(cluster, _METRICS, {"app": "nvidia-dcgm-exporter"}),
            ways_out=[_HTTP],
            critical_pods=True,
            quota=None,  # its validation asks for devices
            opts=pulumi.ResourceOptions(parent=self),
        )
        release(
            name,
            _CHART,
            values=_values(cluster),
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        self.register_outputs({})


def _values(cluster: InCluster) -> dict[str, Any]:
    pools = [pool for pool in cluster.accelerated if _is_here(pool)]
    adapters = [pool.rdma for pool in pools if pool.rdma is not None]
    software = next(pool.software for pool in pools if pool.software is not None)
    away = without_accelerators(cluster.pools)
    values: dict[str, Any] = {
        "operator": {"affinity": away},
        # Two node feature discoveries overwrite each other's labels.
        "nfd": {"enabled": not _has_network_operator(cluster)},
        "daemonsets": {"tolerations": EVERYWHERE},
        "driver": _driver(software),
        "toolkit": {"enabled": software.toolkit == "operator"},
        "dcgmExporter": _exporter(cluster),
        "node-feature-discovery": {
            "worker": {"tolerations": EVERYWHERE},
            "master": {"affinity": away},
            "gc": {"affinity": away},
        },
    }
    if software.driver == "operator" and adapters:
        values["driver"]["rdma"] = {
            "enabled": True,
            "useHostMofed": all(each.driver == "node" for each in adapters),
        }
    if software.toolkit == "operator":
        # Otherwise any pod gets all GPUs of its node by an environment variable, whatever it requested.
        values["toolkit"]["env"] = [
            {"name": "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED", "value": "false"},
            {"name": "ACCEPT_NVIDIA_VISIBLE_DEVICES_AS_VOLUME_MOUNTS", "value": "true"},
        ]
    sharing = device_sharing.plan(pools)
    values["migManager"] = {"enabled": sharing.partitions}
    return _merged(values, device_sharing.operator_values(sharing), _bounds(), _mirrored(cluster.image_mirror))


def _driver(software: DeviceSoftware) -> dict[str, Any]:
    """The driver at a version of its own, which no other version of the chart changes.

    Replacing it ends what runs on the GPUs of a node: a new version reaches new nodes, and others when a person deletes
    their driver pod.
    """
    if software.driver != "operator":
        return {"enabled": False}
    return {"enabled": True, "version": find_driver("nvidia").version, "upgradePolicy": {"autoUpgrade": False}}


def _exporter(cluster: InCluster) -> dict[str, Any]:
    """The operator's exporter: off where observability has one on all nodes, for two take counters from each other.

    Otherwise it has the counters that alerts read, where there are any: its own choice leaves most of these out.
    """
    if not cluster.addons.has("observability"):
        return {"serviceMonitor": {"enabled": False}}
    if gpu_exporter(cluster.kind).exporter == "penstock":
        return {"enabled": False}
    counters = {"name": _COUNTERS, "create": True, "data": counter_file()}
    # The kind of a monitor may not exist yet, and what scrapes it brings its own.
    return {"serviceMonitor": {"enabled": False}, "config": counters}


def _has_network_operator(cluster: InCluster) -> bool:
    offered = (pool.rdma for pool in cluster.pools if pool.rdma is not None)
    return "network-operator" in cluster.installed or any(each.advertiser == "operator" for each in offered)


def _is_here(pool: PoolNodes) -> bool:
    return pool.software is not None and pool.software.advertiser == "operator"


def _bounds() -> dict[str, Any]:
    return {part: {"resources": _AGENT} for part in _BOUNDED}


def _mirrored(mirror: pulumi.Input[str] | None) -> dict[str, Any]:
    if mirror is None:
        return {}
    own: dict[str, Any] = {part: {"repository": _at(mirror, registry)} for part, registry in _REPOSITORIES.items()}
    own["driver"]["manager"] = {"repository": _at(mirror, _MANAGERS)}
    return {**own, "node-feature-discovery": {"image": {"repository": _at(mirror, _NFD)}}}


def _at(mirror: pulumi.Input[str], public: str) -> pulumi.Output[str]:
    return pulumi.Output.concat(mirror, "/", public.partition("/")[2])


def _merged(*layers: dict[str, Any]) -> dict[str, Any]:
    """Values by the parts of the chart, of all layers."""
    found: dict[str, Any] = {}
    for layer in layers:
        for part, values in layer.items():
            found[part] = {**found.get(part, {}), **values}
    return found
