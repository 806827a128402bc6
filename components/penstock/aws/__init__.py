"""Components for AWS, each usable alone: `from penstock.aws import NodePool`.

They load when they are asked for, because each brings a part of a large SDK with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.core.lazy import lazy

if TYPE_CHECKING:
    from penstock.aws.components.access_logs import AccessLogs as AccessLogs
    from penstock.aws.components.autoscaler import AutoscalerRole as AutoscalerRole
    from penstock.aws.components.bucket import Bucket as Bucket
    from penstock.aws.components.budget import Budget as Budget
    from penstock.aws.components.cluster import Cluster as Cluster
    from penstock.aws.components.database import Database as Database
    from penstock.aws.components.disks import Disks as Disks
    from penstock.aws.components.efa_device_plugin import EfaClaims as EfaClaims
    from penstock.aws.components.efa_device_plugin import EfaDevicePlugin as EfaDevicePlugin
    from penstock.aws.components.handles import BucketHandle as BucketHandle
    from penstock.aws.components.handles import ClusterHandle as ClusterHandle
    from penstock.aws.components.handles import KeyHandle as KeyHandle
    from penstock.aws.components.handles import NetworkHandle as NetworkHandle
    from penstock.aws.components.handles import VolumeHandle as VolumeHandle
    from penstock.aws.components.image_mirror import ImageMirror as ImageMirror
    from penstock.aws.components.karpenter import KarpenterAccess as KarpenterAccess
    from penstock.aws.components.karpenter_controller import Karpenter as Karpenter
    from penstock.aws.components.karpenter_controller import ScaledPool as ScaledPool
    from penstock.aws.components.keys import Keys as Keys
    from penstock.aws.components.lustre import Lustre as Lustre
    from penstock.aws.components.mountpoint import bucket_volume as bucket_volume
    from penstock.aws.components.network import Network as Network
    from penstock.aws.components.node_class import NodeClass as NodeClass
    from penstock.aws.components.node_pool import NodePool as NodePool
    from penstock.aws.components.registry import Registry as Registry
    from penstock.aws.components.runner import Runner as Runner
    from penstock.aws.components.secret_store import SecretStore as SecretStore
    from penstock.aws.components.shared_files import SharedFiles as SharedFiles
    from penstock.aws.components.state_backend import StateBackend as StateBackend
    from penstock.aws.components.storage_drivers import StorageDrivers as StorageDrivers
    from penstock.aws.components.workload_roles import BucketUse as BucketUse
    from penstock.aws.components.workload_roles import WorkloadRoles as WorkloadRoles

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
        "efa_device_plugin": "EfaClaims EfaDevicePlugin",
        "handles": "BucketHandle ClusterHandle KeyHandle NetworkHandle VolumeHandle",
        "image_mirror": "ImageMirror",
        "karpenter": "KarpenterAccess",
        "karpenter_controller": "Karpenter ScaledPool",
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
        "state_backend": "StateBackend",
        "storage_drivers": "StorageDrivers",
        "workload_roles": "BucketUse WorkloadRoles",
    },
    below="components",
)
