"""Node pools: machines of one type that join the cluster by themselves."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi

from penstock.description.node_pool import NodePoolSpec, Taint
from penstock.gcp.components.capacity import size, zones_for
from penstock.gcp.components.gke_pool import DECIDED_BY, fabric_words, gke_pool
from penstock.gcp.components.handles import ClusterHandle, FabricHandle, KeyHandle, NetworkHandle
from penstock.gcp.components.placement import placement
from penstock.gcp.description import pools


class NodePool(pulumi.ComponentResource):
    """A node pool of GKE and all that its machines need: GPU drivers, interfaces of the fabric, placement, reservation.

    A pool of a fixed number of nodes keeps it. Any other starts with `nodes.min` machines, or a few more where several
    zones must start alike; from then on their number belongs to the autoscaler and is left alone. Slices of TPUs are
    for `TpuPool`.
    """

    pool_name: pulumi.Output[str]

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
        startup_taint: Taint | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the pool.

        Args:
            name: The start of every name in it.
            spec: What to build.
            cluster: What the machines join.
            network: What they wait for, such as their way out.
            key: Encrypts the boot disks (`Keys.data`).
            zones: Full names, such as us-central1-a; a pool is in those that sell its machines, and one that must be
                in a single zone takes its own, or the first of them.
            fabric: The networks that the machines are wired to; none for DRANET, whose networks GKE makes.
            startup_taint: Keeps work off new nodes until somebody removes it from them.
            opts: Pulumi's options.
        """
        super().__init__("penstock:gcp:NodePool", name, spec.inputs(DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        zone = pools.zone_of(spec, zones)
        among = pools.zones_for(spec, zones) if zone is None else [zone]
        stands_in = zones_for(among, smallest=spec.nodes.min, largest=spec.nodes.max)
        machine = pools.machine(spec)

        pool = gke_pool(
            name,
            spec,
            cluster=cluster,
            network=network,
            key=key,
            zones=stands_in,
            size=size(
                spec,
                smallest=spec.nodes.min,
                largest=spec.nodes.max,
                zones=len(stands_in),
                scarce=machine.accelerators > 0,
            ),
            placement=placement(name, spec, region=network.region, after=cluster.apis, opts=child),
            fabric=fabric,
            startup_taint=startup_taint,
            opts=child,
        )

        self.pool_name = pool.name
        self.register_outputs(
            {"pool_name": pool.name, "summary": _summary(spec, machine.machine_type, _where(stands_in, zones))}
        )


def _where(stands_in: Sequence[str], zones: Sequence[str]) -> str:
    return "all zones" if len(stands_in) == len(zones) > 1 else ", ".join(stands_in)


def _summary(spec: NodePoolSpec, machine_type: str, where: str) -> str:
    """One line for people: how many machines of which type, how they are bought, and where they stand."""
    smallest, largest = spec.nodes.min, spec.nodes.max
    count = str(largest) if smallest == largest else f"{smallest} to {largest}"
    return f"{count} × {machine_type}, {spec.capacity.replace('_', ' ')}{fabric_words(spec)}, {where}"
