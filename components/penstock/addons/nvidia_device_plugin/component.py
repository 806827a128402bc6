"""NVIDIA's device plugin on nodes that have the driver alone."""

from __future__ import annotations

from typing import Final

import pulumi

from penstock.kubernetes.components.device_sharing import plan
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.nvidia import NvidiaDevicePlugin

_GPU: Final = "nvidia.com/gpu"
_BOUNDS: Final = {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": "512Mi"}}
"""CPU has no limit: a throttled plugin is a node without GPUs."""


def plugin_for_pools(
    name: str, _spec: None, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
) -> NvidiaDevicePlugin:
    """Install the plugin for the pools of a cluster whose nodes have the driver alone, such as those of k3s."""
    pools = [
        pool
        for pool in cluster.accelerated
        if pool.software is not None and (pool.software.resource, pool.software.advertiser) == (_GPU, "plugin")
    ]
    return NvidiaDevicePlugin(
        name,
        image_mirror=cluster.image_mirror,
        sharing=plan(pools),
        nodes=[pool.selector for pool in pools],
        runtime_class=next((pool.runtime_class for pool in pools if pool.runtime_class is not None), None),
        resources=_BOUNDS,
        opts=opts,
    )
