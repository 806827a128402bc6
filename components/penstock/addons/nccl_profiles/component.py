"""NCCL's variables for the pools of a platform, in the namespace of jobs without a team."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.nccl import NcclProfile, topologies


class NcclProfiles(pulumi.ComponentResource):
    """The variables for every fabric that pools with GPUs have, and the topologies of their machines."""

    names: tuple[str, ...]

    def __init__(
        self, name: str, _spec: None, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Write them for the pools of a cluster."""
        super().__init__("penstock:kubernetes:NcclProfiles", name, None, opts)
        wired = [pool for pool in cluster.accelerated if pool.accelerator_kind == "gpu" and pool.fabric]
        written = [
            NcclProfile(
                f"{name}-{fabric}",
                fabric=fabric,
                provider=cluster.provider,
                profile=cluster.profile.profile if cluster.profile is not None else None,
                accelerators={pool.accelerator for pool in wired if pool.fabric == fabric and pool.accelerator},
                opts=pulumi.ResourceOptions(parent=self),
            )
            for fabric in sorted({pool.fabric for pool in wired if pool.fabric})
        ]
        topologies(name, cluster.pools, "default", pulumi.ResourceOptions(parent=self))
        self.names = tuple(each for profile in written for each in profile.names)
        self.register_outputs({"names": list(self.names)})
