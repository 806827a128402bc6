"""NCCL's variables for a fabric, for pods to take as they are."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from penstock.catalog import nccl_profiles
from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.job_pods import TOPOLOGY_FILE, topology_name


class NcclProfile(pulumi.ComponentResource):
    """A ConfigMap `nccl-PROFILE` for each accelerator that a fabric comes with, such as nccl-efa or nccl-rdma-h200.

    Pods in its namespace take it with `envFrom`. On Google Cloud paths in it are those at which `Tcpx`, `Tcpxo` and
    `Gib` say to mount what they install.
    """

    names: tuple[str, ...]

    def __init__(
        self,
        name: str,
        *,
        fabric: str,
        provider: str,
        profile: str | None = None,
        accelerators: Collection[str] = (),
        namespace: str = "default",
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Write the variables of a fabric into a namespace.

        Args:
            name: The component's name.
            fabric: A fabric of the provider, as a pool has it: such as tcpxo, efa, infiniband or rdma.
            provider: Whose fabric it is.
            profile: The kind of cluster that exists, which may need values of its own.
            accelerators: The accelerators in use; empty for all that the fabric comes with.
            namespace: The namespace of the pods.
            opts: Pulumi's options.
        """
        super().__init__("penstock:kubernetes:NcclProfile", name, None, opts)
        used = [nccl_profiles.find_profile(fabric, each, provider, profile) for each in sorted(accelerators)]
        profiles = dict.fromkeys(filter(None, used)) if used else nccl_profiles.profiles(fabric, provider, profile)
        for settings in profiles:
            core.ConfigMap(
                f"{name}-{settings.name}",
                metadata=meta.ObjectMetaArgs(name=f"nccl-{settings.name}", namespace=namespace),
                data={variable.name: variable.value for variable in settings.variables},
                opts=pulumi.ResourceOptions(parent=self),
            )
        self.names = tuple(f"nccl-{settings.name}" for settings in profiles)
        self.register_outputs({"names": list(self.names)})


def variables(name: str, cluster: InCluster, namespace: str, opts: pulumi.ResourceOptions) -> None:
    """Write into a namespace the variables for the pools of a cluster, called as in the namespace default."""
    kind = cluster.profile.profile if cluster.profile is not None else None
    found = [
        nccl_profiles.find_profile(pool.fabric, pool.accelerator, cluster.provider, kind)
        for pool in cluster.open_pools
        if pool.nccl and pool.fabric is not None
    ]
    for settings in {each.name: each for each in found if each is not None}.values():
        core.ConfigMap(
            f"{name}-nccl-{settings.name}",
            metadata=meta.ObjectMetaArgs(name=f"nccl-{settings.name}", namespace=namespace),
            data={variable.name: variable.value for variable in settings.variables},
            opts=opts,
        )


def topologies(name: str, pools: Sequence[PoolNodes], namespace: str, opts: pulumi.ResourceOptions) -> None:
    """Write into a namespace where the accelerators and adapters of machines are that do not show it themselves."""
    for called, text in {topology_name(pool): pool.topology_file for pool in pools if pool.topology_file}.items():
        core.ConfigMap(
            f"{name}-{called}",
            metadata=meta.ObjectMetaArgs(name=called, namespace=namespace),
            data={TOPOLOGY_FILE: text},
            opts=opts,
        )
