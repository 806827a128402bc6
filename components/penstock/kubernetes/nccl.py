"""NCCL's variables for a fabric, for pods to take as they are."""

from __future__ import annotations

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from penstock.catalog.gcp import nccl_profiles


class NcclProfile(pulumi.ComponentResource):
    """A ConfigMap `nccl-PROFILE` for each accelerator that a fabric comes with, such as nccl-tcpxo or nccl-rdma-h200.

    Pods in its namespace take it with `envFrom`. Paths in it are those at which `Tcpx`, `Tcpxo` and `Gib` say to mount
    what they install.
    """

    names: tuple[str, ...]

    def __init__(
        self, name: str, *, fabric: str, namespace: str = "default", opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Write the profiles of `fabric`, a name of `penstock.catalog.fabrics`, into a namespace."""
        super().__init__("penstock:kubernetes:NcclProfile", name, None, opts)
        profiles = nccl_profiles.profiles(fabric)
        for profile in profiles:
            core.ConfigMap(
                f"{name}-{profile.name}",
                metadata=meta.ObjectMetaArgs(name=f"nccl-{profile.name}", namespace=namespace),
                data={variable.name: variable.value for variable in profile.variables},
                opts=pulumi.ResourceOptions(parent=self),
            )
        self.names = tuple(f"nccl-{profile.name}" for profile in profiles)
        self.register_outputs({"names": list(self.names)})
