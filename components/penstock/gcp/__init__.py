"""Components for Google Cloud, each usable alone: `from penstock.gcp import NodePool`.

They load when they are asked for, because each brings a part of a large SDK with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.lazy import lazy

if TYPE_CHECKING:
    from penstock.gcp.access_logs import AccessLogs as AccessLogs
    from penstock.gcp.bucket import Bucket as Bucket
    from penstock.gcp.budget import Budget as Budget
    from penstock.gcp.cluster import Cluster as Cluster
    from penstock.gcp.database import Database as Database
    from penstock.gcp.disks import Disks as Disks
    from penstock.gcp.fabric import Fabric as Fabric
    from penstock.gcp.handles import BucketHandle as BucketHandle
    from penstock.gcp.handles import ClusterHandle as ClusterHandle
    from penstock.gcp.handles import FabricHandle as FabricHandle
    from penstock.gcp.handles import KeyHandle as KeyHandle
    from penstock.gcp.handles import NetworkHandle as NetworkHandle
    from penstock.gcp.handles import ProjectHandle as ProjectHandle
    from penstock.gcp.handles import VolumeHandle as VolumeHandle
    from penstock.gcp.image_mirror import ImageMirror as ImageMirror
    from penstock.gcp.keys import Keys as Keys
    from penstock.gcp.lustre import Lustre as Lustre
    from penstock.gcp.network import Network as Network
    from penstock.gcp.node_pool import NodePool as NodePool
    from penstock.gcp.project import Project as Project
    from penstock.gcp.registry import Registry as Registry
    from penstock.gcp.runner import Runner as Runner
    from penstock.gcp.secret_store import SecretStore as SecretStore
    from penstock.gcp.shared_files import SharedFiles as SharedFiles
    from penstock.gcp.tpu_pool import TpuPool as TpuPool

__getattr__, __all__ = lazy(
    __name__,
    {
        "access_logs": "AccessLogs",
        "bucket": "Bucket",
        "budget": "Budget",
        "cluster": "Cluster",
        "database": "Database",
        "disks": "Disks",
        "fabric": "Fabric",
        "handles": "BucketHandle ClusterHandle FabricHandle KeyHandle NetworkHandle ProjectHandle VolumeHandle",
        "image_mirror": "ImageMirror",
        "keys": "Keys",
        "lustre": "Lustre",
        "network": "Network",
        "node_pool": "NodePool",
        "project": "Project",
        "registry": "Registry",
        "runner": "Runner",
        "secret_store": "SecretStore",
        "shared_files": "SharedFiles",
        "tpu_pool": "TpuPool",
    },
)
