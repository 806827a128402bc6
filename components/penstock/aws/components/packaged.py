"""The components for AWS that programs in other languages use."""

from __future__ import annotations

from typing import Annotated, Final

from typing_extensions import Doc

from penstock.aws.components.handles import BucketHandle, ClusterHandle, KeyHandle, NetworkHandle, VolumeHandle
from penstock.description.network import NetworkSpec
from penstock.description.node_pool import NodePoolSpec, Taint
from penstock.description.storage import BucketSpec, LustreSpec
from penstock.model.packaged import PackagedComponent

COMPONENTS: Final = (
    PackagedComponent(
        name="Network",
        description="A VPC with private subnets, flow logs, and no public address on any machine.",
        spec=NetworkSpec,
        arguments={
            "zones": Annotated[tuple[str, ...], Doc("Full names of the zones, such as us-east-1a.")],
            "region": Annotated[str, Doc("Region of the zones.")],
            "key": Annotated[KeyHandle, Doc("Encrypts the flow logs. Its policy must admit CloudWatch Logs.")],
            "log_days": Annotated[int | None, Doc("Days that flow logs are kept.")],
        },
        outputs={"handle": Annotated[NetworkHandle, Doc("What other components take as their network.")]},
        left_out=("allowed_cidrs", "mtu", "image_mirror", "chart_mirror", "existing"),
    ),
    PackagedComponent(
        name="NodePool",
        description="A managed node group of an EKS cluster, with EFA, a placement group and reserved capacity.",
        spec=NodePoolSpec,
        arguments={
            "cluster": Annotated[ClusterHandle, Doc("Cluster that the nodes join.")],
            "network": Annotated[NetworkHandle, Doc("Network of the cluster.")],
            "key": Annotated[KeyHandle, Doc("Encrypts the disks.")],
            "lustre_over_efa": Annotated[bool | None, Doc("Set up the Lustre client of each node for EFA.")],
            "startup_taint": Annotated[Taint | None, Doc("Taint that nodes join with.")],
        },
        outputs={
            "group_name": Annotated[str, Doc("Name of the node group.")],
            "role_arn": Annotated[str, Doc("ARN of the role of the nodes.")],
        },
        left_out=("devices", "fabric_networks"),
    ),
    PackagedComponent(
        name="Lustre",
        description="An FSx for Lustre file system in one zone, which nodes in the fabric group of the network mount.",
        spec=LustreSpec,
        arguments={
            "network": Annotated[NetworkHandle, Doc("Network with a subnet in the zone.")],
            "zone": Annotated[str, Doc("Full name of the zone, such as us-east-1a.")],
            "key": Annotated[KeyHandle, Doc("Encrypts the file system.")],
            "source": Annotated[BucketHandle | None, Doc("Bucket that the file system imports from.")],
        },
        outputs={
            "filesystem_id": Annotated[str, Doc("Id of the file system.")],
            "dns_name": Annotated[str, Doc("DNS name of the file system.")],
            "mount_name": Annotated[str, Doc("Mount name of the file system.")],
            "volume": Annotated[VolumeHandle, Doc("What a persistent volume needs to mount it.")],
        },
        left_out=("importer", "server", "path"),
    ),
    PackagedComponent(
        name="Bucket",
        description="A private, encrypted, versioned S3 bucket that answers over TLS only.",
        spec=BucketSpec,
        arguments={
            "key": Annotated[KeyHandle, Doc("Encrypts the bucket. Readers and writers need kms:Decrypt on it.")],
            "logs": Annotated[BucketHandle | None, Doc("Bucket that takes the access logs.")],
        },
        outputs={
            "handle": Annotated[BucketHandle, Doc("What other components take as their bucket.")],
            "name": Annotated[str, Doc("Name of the bucket, with its random suffix.")],
            "arn": Annotated[str, Doc("ARN of the bucket.")],
        },
        left_out=("readers", "writers"),
    ),
)
