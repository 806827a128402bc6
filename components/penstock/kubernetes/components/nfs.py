"""The driver of NFS servers that exist."""

from __future__ import annotations

from typing import Final

import pulumi

from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.release import image, release
from penstock.kubernetes.components.system_nodes import without_accelerators

_CHART: Final = "csi-driver-nfs"


class NfsDriver(pulumi.ComponentResource):
    """The driver by which nodes mount NFS, and without snapshots, whose resource types clusters may lack."""

    def __init__(self, name: str, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None) -> None:
        """Install it."""
        super().__init__("penstock:kubernetes:NfsDriver", name, None, opts)
        images: dict[str, pulumi.Input[object]] = {"nfs": {"repository": image(_CHART, cluster.image_mirror)}}
        if cluster.image_mirror is not None:
            images["baseRepo"] = cluster.image_mirror
        release(
            name,
            _CHART,
            values={
                "image": images,
                "controller": {
                    "enableSnapshotter": False,
                    # The chart's default deletes a directory of the server together with its claim.
                    "defaultOnDeletePolicy": "retain",
                    "affinity": without_accelerators(cluster.pools),
                },
            },
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})
