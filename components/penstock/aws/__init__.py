"""Components for AWS, each usable alone: `from penstock.aws import NodePool`.

They load when they are asked for, because each brings a part of a large SDK with it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penstock.aws.access_logs import AccessLogs
    from penstock.aws.bucket import Bucket
    from penstock.aws.budget import Budget
    from penstock.aws.cluster import Cluster
    from penstock.aws.database import Database
    from penstock.aws.handles import BucketHandle, ClusterHandle, KeyHandle, NetworkHandle
    from penstock.aws.keys import Keys
    from penstock.aws.lustre import Lustre
    from penstock.aws.network import Network
    from penstock.aws.node_pool import NodePool
    from penstock.aws.registry import Registry
    from penstock.aws.secret_store import SecretStore
    from penstock.aws.shared_files import SharedFiles
    from penstock.aws.storage_drivers import StorageDrivers

_MODULES = {
    "AccessLogs": "access_logs",
    "Bucket": "bucket",
    "BucketHandle": "handles",
    "Budget": "budget",
    "Cluster": "cluster",
    "ClusterHandle": "handles",
    "Database": "database",
    "KeyHandle": "handles",
    "Keys": "keys",
    "Lustre": "lustre",
    "Network": "network",
    "NetworkHandle": "handles",
    "NodePool": "node_pool",
    "Registry": "registry",
    "SecretStore": "secret_store",
    "SharedFiles": "shared_files",
    "StorageDrivers": "storage_drivers",
}

__all__ = [
    "AccessLogs",
    "Bucket",
    "BucketHandle",
    "Budget",
    "Cluster",
    "ClusterHandle",
    "Database",
    "KeyHandle",
    "Keys",
    "Lustre",
    "Network",
    "NetworkHandle",
    "NodePool",
    "Registry",
    "SecretStore",
    "SharedFiles",
    "StorageDrivers",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
