"""The components for Google Cloud that programs in other languages use."""

from __future__ import annotations

from typing import Annotated, Final

from typing_extensions import Doc

from penstock.description.network import NetworkSpec
from penstock.description.node_pool import NodePoolSpec, Taint
from penstock.description.storage import BucketSpec, LustreSpec
from penstock.gcp.components.handles import (
    BucketHandle,
    ClusterHandle,
    FabricHandle,
    KeyHandle,
    NetworkHandle,
    ProjectHandle,
    VolumeHandle,
)
from penstock.model.packaged import PackagedComponent

COMPONENTS: Final = (
    PackagedComponent(
        name="Network",
        description="A VPC with one subnetwork, flow logs, and no public address on any machine.",
        spec=NetworkSpec,
        arguments={
            "region": Annotated[str, Doc("Region of the subnetwork.")],
            "project": Annotated[ProjectHandle, Doc("Project of the network.")],
            "peered": Annotated[bool, Doc("Reach services in a network of Google: Lustre, Filestore, Cloud SQL.")],
            "machines": Annotated[int | None, Doc("Maximum number of machines, from which NAT addresses follow.")],
        },
        outputs={"handle": Annotated[NetworkHandle, Doc("What other components take as their network.")]},
        left_out=("private_endpoints", "nat", "allowed_cidrs", "image_mirror", "chart_mirror", "existing"),
    ),
    PackagedComponent(
        name="NodePool",
        description="A node pool of a GKE cluster, with GPU drivers, fabric interfaces, placement and reservation.",
        spec=NodePoolSpec,
        arguments={
            "cluster": Annotated[ClusterHandle, Doc("Cluster that the nodes join.")],
            "network": Annotated[NetworkHandle, Doc("Network of the cluster.")],
            "key": Annotated[KeyHandle, Doc("Encrypts the boot disks.")],
            "zones": Annotated[tuple[str, ...], Doc("Full names of the zones, such as us-central1-a.")],
            "fabric": Annotated[FabricHandle | None, Doc("Networks that the machines are wired to.")],
            "startup_taint": Annotated[Taint | None, Doc("Taint that nodes join with.")],
        },
        outputs={"pool_name": Annotated[str, Doc("Name of the node pool.")]},
        left_out=("devices", "fabric_networks"),
    ),
    PackagedComponent(
        name="Lustre",
        description="A Managed Lustre file system in one zone, which every client in the network reaches.",
        spec=LustreSpec,
        arguments={
            "network": Annotated[NetworkHandle, Doc("Network of the clients.")],
            "project": Annotated[ProjectHandle, Doc("Project of the file system.")],
            "zone": Annotated[str, Doc("Full name of the zone, such as us-central1-a.")],
            "key": Annotated[KeyHandle, Doc("Encrypts the file system.")],
            "source": Annotated[BucketHandle | None, Doc("Bucket that the file system may read.")],
        },
        outputs={
            "filesystem_id": Annotated[str, Doc("Id of the file system.")],
            "filesystem": Annotated[str, Doc("Name of the file system.")],
            "mount_point": Annotated[str, Doc("Mount point of the file system.")],
            "import_command": Annotated[str | None, Doc("Command that imports from the source.")],
            "volume": Annotated[VolumeHandle, Doc("What a persistent volume needs to mount it.")],
        },
        left_out=("export", "importer", "server", "path"),
    ),
    PackagedComponent(
        name="Bucket",
        description="A private, encrypted bucket in one region, with folders that are renamed at once.",
        spec=BucketSpec,
        arguments={
            "region": Annotated[str, Doc("Region of the bucket.")],
            "project": Annotated[ProjectHandle, Doc("Project of the bucket.")],
            "key": Annotated[KeyHandle, Doc("Encrypts the bucket.")],
            "cluster": Annotated[ClusterHandle | None, Doc("Cluster of the service accounts that read and write.")],
        },
        outputs={
            "handle": Annotated[BucketHandle, Doc("What other components take as their bucket.")],
            "name": Annotated[str, Doc("Name of the bucket, with its random suffix.")],
            "volume": Annotated[VolumeHandle, Doc("What a persistent volume needs to mount it.")],
        },
    ),
)
