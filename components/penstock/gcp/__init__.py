"""Components for Google Cloud, each usable alone: `from penstock.gcp import NodePool`.

They load when they are asked for, because each brings a part of a large SDK with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.core.lazy import lazy

if TYPE_CHECKING:
    from penstock.gcp.components.access_logs import AccessLogs as AccessLogs
    from penstock.gcp.components.asapd import AsapdLite as AsapdLite
    from penstock.gcp.components.bucket import Bucket as Bucket
    from penstock.gcp.components.budget import Budget as Budget
    from penstock.gcp.components.cluster import Cluster as Cluster
    from penstock.gcp.components.database import Database as Database
    from penstock.gcp.components.disks import Disks as Disks
    from penstock.gcp.components.fabric import Fabric as Fabric
    from penstock.gcp.components.gib import Gib as Gib
    from penstock.gcp.components.handles import BucketHandle as BucketHandle
    from penstock.gcp.components.handles import ClusterHandle as ClusterHandle
    from penstock.gcp.components.handles import FabricHandle as FabricHandle
    from penstock.gcp.components.handles import KeyHandle as KeyHandle
    from penstock.gcp.components.handles import NetworkHandle as NetworkHandle
    from penstock.gcp.components.handles import ProjectHandle as ProjectHandle
    from penstock.gcp.components.handles import VolumeHandle as VolumeHandle
    from penstock.gcp.components.image_mirror import ImageMirror as ImageMirror
    from penstock.gcp.components.keys import Keys as Keys
    from penstock.gcp.components.lustre import Lustre as Lustre
    from penstock.gcp.components.network import Network as Network
    from penstock.gcp.components.node_pool import NodePool as NodePool
    from penstock.gcp.components.project import Project as Project
    from penstock.gcp.components.registry import Registry as Registry
    from penstock.gcp.components.runner import Runner as Runner
    from penstock.gcp.components.secret_store import SecretStore as SecretStore
    from penstock.gcp.components.shared_files import SharedFiles as SharedFiles
    from penstock.gcp.components.state_backend import StateBackend as StateBackend
    from penstock.gcp.components.tcpx import Tcpx as Tcpx
    from penstock.gcp.components.tcpxo import Tcpxo as Tcpxo
    from penstock.gcp.components.tpu_pool import TpuPool as TpuPool

__getattr__, __all__ = lazy(
    __name__,
    {
        "access_logs": "AccessLogs",
        "asapd": "AsapdLite",
        "bucket": "Bucket",
        "budget": "Budget",
        "cluster": "Cluster",
        "database": "Database",
        "disks": "Disks",
        "fabric": "Fabric",
        "gib": "Gib",
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
        "state_backend": "StateBackend",
        "tcpx": "Tcpx",
        "tcpxo": "Tcpxo",
        "tpu_pool": "TpuPool",
    },
    below="components",
)
