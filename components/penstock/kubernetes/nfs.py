"""NFS servers that exist: their driver, and what they export as claims of a namespace."""

from __future__ import annotations

from typing import Final

import pulumi

from penstock.kubernetes.in_cluster import InCluster
from penstock.kubernetes.release import image, release
from penstock.kubernetes.system_nodes import without_accelerators
from penstock.kubernetes.volumes import Volume
from penstock.spec.storage import SharedFilesSpec

_CHART: Final = "csi-driver-nfs"
_DRIVER: Final = "nfs.csi.k8s.io"
_NOMINAL_GIB: Final = 1024
"""Kubernetes wants a size; the server alone knows and bounds it."""


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


def claim(name: str, item: SharedFilesSpec, *, namespace: pulumi.Input[str], opts: pulumi.ResourceOptions) -> Volume:
    """Make an export ready to mount in a namespace that exists: a claim called as in the description."""
    export = {"server": item.server, "share": item.path}
    return Volume(
        name,
        claim=item.name,
        driver=_DRIVER,
        handle=name,  # any text that no other volume has: several volumes are of one export, as each has one claim
        gib=_NOMINAL_GIB,
        attributes={key: value for key, value in export.items() if value is not None},
        # Locks and all else go through one port; older versions want several.
        mount_options=["nfsvers=4.1"],
        namespace=namespace,
        opts=opts,
    )
