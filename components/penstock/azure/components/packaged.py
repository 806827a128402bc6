"""The components for Azure that programs in other languages use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from pulumi import Output
from typing_extensions import Doc

from penstock.azure.components.handles import (
    BucketHandle,
    ClusterHandle,
    GroupHandle,
    IdentityHandle,
    KeyHandle,
    NetworkHandle,
    VolumeHandle,
)
from penstock.description.network import NetworkSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.description.storage import BucketSpec, LustreSpec
from penstock.model.packaged import PackagedComponent

COMPONENTS: Final = (
    PackagedComponent(
        name="Network",
        description="A virtual network with closed subnets, private endpoints, and no public address on any machine.",
        spec=NetworkSpec,
        arguments={
            "group": Annotated[GroupHandle, Doc("Resource group of the network.")],
            "services": Annotated[
                tuple[str, ...], Doc("Sub-resources with private endpoints, such as blob and vault.")
            ],
            "lustre": Annotated[int | None, Doc("Number of Lustre file systems, each with a subnet of its own.")],
            "machines": Annotated[int | None, Doc("Maximum number of machines, from which NAT addresses follow.")],
        },
        outputs={"handle": Annotated[NetworkHandle, Doc("What other components take as their network.")]},
        left_out=(
            "egress",
            "private_endpoints",
            "nat",
            "allowed_cidrs",
            "mtu",
            "image_mirror",
            "chart_mirror",
            "existing",
        ),
    ),
    PackagedComponent(
        name="NodePool",
        description="A node pool of an AKS cluster, with GPU drivers, InfiniBand, reservation and placement.",
        spec=NodePoolSpec,
        arguments={
            "cluster": Annotated[ClusterHandle, Doc("Cluster that the nodes join.")],
            "network": Annotated[NetworkHandle, Doc("Network of the cluster.")],
            "group": Annotated[GroupHandle, Doc("Resource group of the cluster.")],
            "zones": Annotated[tuple[str, ...], Doc("Full names of the zones, such as eastus-1.")],
        },
        outputs={"pool_name": Annotated[str, Doc("Name of the node pool.")]},
        left_out=("devices", "fabric_networks"),
    ),
    PackagedComponent(
        name="Lustre",
        description="A Managed Lustre file system in one zone, in a subnet of its own.",
        spec=LustreSpec,
        arguments={
            "group": Annotated[GroupHandle, Doc("Resource group of the file system.")],
            "subnet": Annotated[Output[str], Doc("Id of its subnet, one of those in NetworkHandle.lustre.")],
            "key": Annotated[KeyHandle, Doc("Encrypts the file system. Its vault must admit trusted services.")],
            "zone": Annotated[
                str | None, Doc("Full name of the zone, such as eastus-1; none in a region without zones.")
            ],
            "source": Annotated[BucketHandle | None, Doc("Bucket that the file system imports from.")],
        },
        outputs={
            "address": Annotated[str, Doc("Address of the file system.")],
            "volume": Annotated[VolumeHandle, Doc("What a persistent volume needs to mount it.")],
        },
        left_out=("fabric", "export", "server", "path"),
    ),
    PackagedComponent(
        name="Bucket",
        description="A private, encrypted container of blobs in a storage account of its own.",
        spec=BucketSpec,
        arguments={
            "group": Annotated[GroupHandle, Doc("Resource group of the account.")],
            "network": Annotated[NetworkHandle, Doc("Network with the private endpoints of the account.")],
            "key": Annotated[KeyHandle, Doc("Encrypts the account.")],
            "importer": Annotated[
                str | None, Doc("Object id of the service principal that Managed Lustre imports from the bucket as.")
            ],
            "identities": Annotated[
                Mapping[str, IdentityHandle] | None, Doc("Identity of each service account that reads or writes.")
            ],
        },
        outputs={
            "handle": Annotated[BucketHandle, Doc("What other components take as their bucket.")],
            "name": Annotated[str, Doc("Name of the account, with its random suffix.")],
            "url": Annotated[str, Doc("URL of the container.")],
        },
    ),
)
