"""Karpenter for the pools of a platform on AWS that it scales."""

from __future__ import annotations

from collections.abc import Callable

import pulumi

from penstock import aws
from penstock.aws.components import scheduling
from penstock.aws.description import karpenter_pools, pools
from penstock.aws.description import nodes as aws_nodes
from penstock.description.block import ComponentSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.description.nodes import pool_nodes
from penstock.description.platform import full_name
from penstock.kubernetes.facts.node_labels import INSTANCE_TYPE, ZONE
from penstock.platform.site import PlatformSite


def install(
    site: PlatformSite,
    *,
    cluster: aws.ClusterHandle,
    network: aws.NetworkHandle,
    key: aws.KeyHandle,
    account: pulumi.Input[str],
    image_mirror: pulumi.Input[str] | None,
    mounts_over_efa: Callable[[NodePoolSpec], bool],
    in_cluster: pulumi.ResourceOptions,
) -> None:
    """Install Karpenter, and describe to it each pool that it scales."""
    from penstock.aws import Karpenter, ScaledPool

    access = aws.KarpenterAccess(
        site.name_of("karpenter"),
        cluster=cluster,
        cluster_name=full_name(site.spec),
        region=site.region,
        account=account,
        tags=site.own(ComponentSpec()).tags,
        opts=site.child,
    )
    karpenter = Karpenter(
        site.name_of("karpenter"),
        cluster_name=cluster.name,
        queue=access.queue,
        replicas=_replicas(site),
        image_mirror=image_mirror,
        opts=pulumi.ResourceOptions.merge(in_cluster, pulumi.ResourceOptions(depends_on=list(access.ready))),
    )
    for pool in site.pools:
        if not karpenter_pools.is_scaled(pool, site.spec.cluster):
            continue
        machine, nodes = pools.machine(pool), pool_nodes(pool, site.spec)
        zone = pools.zone_of(pool, tuple(network.subnets))
        ScaledPool(
            site.name_of(pool.name),
            nodes,
            node_class=aws.NodeClass(
                site.name_of(pool.name),
                pool,
                cluster=cluster,
                network=network,
                key=key,
                instance_profile=access.instance_profile,
                lustre_over_efa=mounts_over_efa(pool),
                unchecked=nodes.startup_taint is not None,
                opts=site.child,
            ).spec,
            labels=aws_nodes.labels(pool, machine),
            requirements={
                INSTANCE_TYPE: [machine.machine_type],
                "karpenter.sh/capacity-type": [karpenter_pools.capacity_type(pool)],
                ZONE: [zone] if zone is not None else list(network.subnets),
            },
            unseen=scheduling.huge_pages(pool),
            described_at=site.path_of("node_pools", pool.name),
            opts=pulumi.ResourceOptions.merge(in_cluster, pulumi.ResourceOptions(depends_on=list(karpenter.ready))),
        )


def _replicas(site: PlatformSite) -> int:
    """Two in production, where two nodes that Karpenter did not start can hold them: it never shares a node."""
    own = [pool for pool in site.pools if not karpenter_pools.is_scaled(pool, site.spec.cluster)]
    free = sum(pool.nodes.min for pool in own if not pool.taints and not pools.machine(pool).accelerators)
    return 2 if site.spec.environment != "dev" and free > 1 else 1
