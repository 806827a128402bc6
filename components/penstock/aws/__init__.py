"""Components for AWS, each usable alone: `from penstock.aws import NodePool`.

They load when they are asked for, because each brings a part of a large SDK with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.lazy import lazy

if TYPE_CHECKING:
    from penstock.aws.access_logs import AccessLogs as AccessLogs
    from penstock.aws.autoscaler import AutoscalerRole as AutoscalerRole
    from penstock.aws.bucket import Bucket as Bucket
    from penstock.aws.budget import Budget as Budget
    from penstock.aws.cluster import Cluster as Cluster
    from penstock.aws.database import Database as Database
    from penstock.aws.disks import Disks as Disks
    from penstock.aws.handles import BucketHandle as BucketHandle
    from penstock.aws.handles import ClusterHandle as ClusterHandle
    from penstock.aws.handles import KeyHandle as KeyHandle
    from penstock.aws.handles import NetworkHandle as NetworkHandle
    from penstock.aws.handles import VolumeHandle as VolumeHandle
    from penstock.aws.image_mirror import ImageMirror as ImageMirror
    from penstock.aws.karpenter import KarpenterAccess as KarpenterAccess
    from penstock.aws.keys import Keys as Keys
    from penstock.aws.lustre import Lustre as Lustre
    from penstock.aws.mountpoint import bucket_volume as bucket_volume
    from penstock.aws.network import Network as Network
    from penstock.aws.node_class import NodeClass as NodeClass
    from penstock.aws.node_pool import NodePool as NodePool
    from penstock.aws.registry import Registry as Registry
    from penstock.aws.runner import Runner as Runner
    from penstock.aws.secret_store import SecretStore as SecretStore
    from penstock.aws.shared_files import SharedFiles as SharedFiles
    from penstock.aws.storage_drivers import StorageDrivers as StorageDrivers
    from penstock.aws.workload_roles import BucketUse as BucketUse
    from penstock.aws.workload_roles import WorkloadRoles as WorkloadRoles

__getattr__, __all__ = lazy(
    __name__,
    {
        "access_logs": "AccessLogs",
        "autoscaler": "AutoscalerRole",
        "bucket": "Bucket",
        "budget": "Budget",
        "cluster": "Cluster",
        "database": "Database",
        "disks": "Disks",
        "handles": "BucketHandle ClusterHandle KeyHandle NetworkHandle VolumeHandle",
        "image_mirror": "ImageMirror",
        "karpenter": "KarpenterAccess",
        "keys": "Keys",
        "lustre": "Lustre",
        "mountpoint": "bucket_volume",
        "network": "Network",
        "node_class": "NodeClass",
        "node_pool": "NodePool",
        "registry": "Registry",
        "runner": "Runner",
        "secret_store": "SecretStore",
        "shared_files": "SharedFiles",
        "storage_drivers": "StorageDrivers",
        "workload_roles": "BucketUse WorkloadRoles",
    },
)
