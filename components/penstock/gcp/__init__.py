"""Components for Google Cloud, each usable alone: `from penstock.gcp import NodePool`.

They load when they are asked for, because each brings a part of a large SDK with it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penstock.gcp.access_logs import AccessLogs
    from penstock.gcp.bucket import Bucket
    from penstock.gcp.budget import Budget
    from penstock.gcp.cluster import Cluster
    from penstock.gcp.database import Database
    from penstock.gcp.fabric import Fabric
    from penstock.gcp.handles import (
        BucketHandle,
        ClusterHandle,
        FabricHandle,
        KeyHandle,
        NetworkHandle,
        ProjectHandle,
    )
    from penstock.gcp.keys import Keys
    from penstock.gcp.lustre import Lustre
    from penstock.gcp.network import Network
    from penstock.gcp.node_pool import NodePool
    from penstock.gcp.project import Project
    from penstock.gcp.registry import Registry
    from penstock.gcp.secret_store import SecretStore
    from penstock.gcp.shared_files import SharedFiles
    from penstock.gcp.tpu_pool import TpuPool

_MODULES = {
    "AccessLogs": "access_logs",
    "Bucket": "bucket",
    "BucketHandle": "handles",
    "Budget": "budget",
    "Cluster": "cluster",
    "ClusterHandle": "handles",
    "Database": "database",
    "Fabric": "fabric",
    "FabricHandle": "handles",
    "KeyHandle": "handles",
    "Keys": "keys",
    "Lustre": "lustre",
    "Network": "network",
    "NetworkHandle": "handles",
    "NodePool": "node_pool",
    "Project": "project",
    "ProjectHandle": "handles",
    "Registry": "registry",
    "SecretStore": "secret_store",
    "SharedFiles": "shared_files",
    "TpuPool": "tpu_pool",
}

__all__ = [
    "AccessLogs",
    "Bucket",
    "BucketHandle",
    "Budget",
    "Cluster",
    "ClusterHandle",
    "Database",
    "Fabric",
    "FabricHandle",
    "KeyHandle",
    "Keys",
    "Lustre",
    "Network",
    "NetworkHandle",
    "NodePool",
    "Project",
    "ProjectHandle",
    "Registry",
    "SecretStore",
    "SharedFiles",
    "TpuPool",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
