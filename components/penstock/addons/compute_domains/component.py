"""Compute domains for the pools of a platform."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.compute_domains import ComputeDomains
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.node_terms import required
from penstock.kubernetes.facts import accelerators

_BY_OPERATOR = "/run/nvidia/driver"
"""Where the GPU Operator's driver containers have the driver."""


def domains_of_pools(
    name: str, _spec: None, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
) -> ComputeDomains:
    """Install the driver for the pools of a cluster whose accelerators NVLink joins beyond their node."""
    pools = [pool for pool in cluster.accelerated if accelerators.spans_nodes(pool.accelerator)]
    by_operator = any(pool.software is not None and pool.software.driver == "operator" for pool in pools)
    return ComputeDomains(
        name,
        image_mirror=cluster.image_mirror,
        nodes=required([pool.selector for pool in pools]),
        driver_root=_BY_OPERATOR if by_operator else "/",
        opts=opts,
    )
