"""TPU pools: slices of machines that start together and act as one."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi
from pulumi_gcp import container

from penstock.description.node_pool import NodePoolSpec
from penstock.gcp.components.capacity import Size, size
from penstock.gcp.components.gke_pool import DECIDED_BY, fabric_words, gke_pool
from penstock.gcp.components.handles import ClusterHandle, FabricHandle, KeyHandle, NetworkHandle
from penstock.gcp.components.placement import placement
from penstock.gcp.description import pools as gcp_pools
from penstock.gcp.facts.tpus import Slice


class TpuPool(pulumi.ComponentResource):
    """Machines with TPU chips: single ones, or slices of several that their own network joins.

    Each slice of several machines is a node pool of its own, because GKE starts and stops a pool of TPUs as a whole:
    the pools NAME-0, NAME-1 and so on have all their machines or none. `nodes.min` machines are always there, in whole
    slices; the others come when a job asks for a slice. Machines that hold a slice alone share one pool.
    """

    pool_names: list[pulumi.Output[str]]

    def __init__(
        self,
        name: str,
        spec: NodePoolSpec,
        *,
        cluster: ClusterHandle,
        network: NetworkHandle,
        key: KeyHandle,
        zones: Sequence[str],
        fabric: FabricHandle | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the slices; the arguments are those of `NodePool`."""
        super().__init__("penstock:gcp:TpuPool", name, spec.inputs(DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        # TPUs of one kind are in few zones of a region, and GKE scales pools of them by zone.
        zone = gcp_pools.zone_of(spec, zones) or gcp_pools.zones_for(spec, zones)[0]
        slice_ = gcp_pools.slice_(spec)
        policy = placement(name, spec, region=network.region, after=cluster.apis, opts=child)

        def pool(pool_name: str, its_size: Size) -> container.NodePool:
            return gke_pool(
                pool_name,
                spec,
                cluster=cluster,
                network=network,
                key=key,
                zones=[zone],
                size=its_size,
                placement=policy,
                fabric=fabric,
                opts=child,
            )

        if slice_ is not None and slice_.multi_host:
            pools = [pool(f"{name}-{number}", _whole(spec, slice_, number)) for number in range(spec.slices or 1)]
        else:
            smallest, largest = spec.nodes.min, spec.nodes.max
            alone = size(spec, smallest=smallest, largest=largest, zones=1, scarce=True)
            pools = [pool(name, alone)]

        self.pool_names = [each.name for each in pools]
        self.register_outputs({"pool_names": self.pool_names, "summary": _summary(spec, slice_, zone)})


def _whole(spec: NodePoolSpec, slice_: Slice, number: int) -> Size:
    """All machines of a slice or none; the first slices, as far as `nodes.min` goes, are always there."""
    always = number < spec.nodes.min // slice_.hosts
    return size(spec, smallest=slice_.hosts if always else 0, largest=slice_.hosts, zones=1, scarce=True)


def _summary(spec: NodePoolSpec, slice_: Slice | None, where: str) -> str:
    """One line for people: how many slices of which machines, how they are bought, and where they stand."""
    machine_type = gcp_pools.machine(spec).machine_type
    if slice_ is None or not slice_.multi_host:
        smallest, largest = spec.nodes.min, spec.nodes.max
        count = str(largest) if smallest == largest else f"{smallest} to {largest}"
        what = f"{count} × {machine_type}"
    else:
        what = f"{spec.slices or 1} × {slice_.topology}, {slice_.hosts} × {machine_type} each"
    return f"{what}, {spec.capacity.replace('_', ' ')}{fabric_words(spec)}, {where}"
