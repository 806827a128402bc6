"""Components for Azure, each usable alone: `from penstock.azure import NodePool`.

They load when they are asked for, because each brings a part of a large SDK with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.lazy import lazy

if TYPE_CHECKING:
    from penstock.azure.bucket import Bucket as Bucket
    from penstock.azure.budget import Budget as Budget
    from penstock.azure.cluster import Cluster as Cluster
    from penstock.azure.database import Database as Database
    from penstock.azure.handles import BucketHandle as BucketHandle
    from penstock.azure.handles import ClusterHandle as ClusterHandle
    from penstock.azure.handles import GroupHandle as GroupHandle
    from penstock.azure.handles import IdentityHandle as IdentityHandle
    from penstock.azure.handles import KeyHandle as KeyHandle
    from penstock.azure.handles import NetworkHandle as NetworkHandle
    from penstock.azure.handles import VolumeHandle as VolumeHandle
    from penstock.azure.keys import Keys as Keys
    from penstock.azure.lustre import Lustre as Lustre
    from penstock.azure.network import Network as Network
    from penstock.azure.node_pool import NodePool as NodePool
    from penstock.azure.registry import Registry as Registry
    from penstock.azure.resource_group import ResourceGroup as ResourceGroup
    from penstock.azure.secret_store import SecretStore as SecretStore
    from penstock.azure.shared_files import SharedFiles as SharedFiles
    from penstock.azure.workload_identity import WorkloadIdentity as WorkloadIdentity

__getattr__, __all__ = lazy(
    __name__,
    {
        "bucket": "Bucket",
        "budget": "Budget",
        "cluster": "Cluster",
        "database": "Database",
        "handles": "BucketHandle ClusterHandle GroupHandle IdentityHandle KeyHandle NetworkHandle VolumeHandle",
        "keys": "Keys",
        "lustre": "Lustre",
        "network": "Network",
        "node_pool": "NodePool",
        "registry": "Registry",
        "resource_group": "ResourceGroup",
        "secret_store": "SecretStore",
        "shared_files": "SharedFiles",
        "workload_identity": "WorkloadIdentity",
    },
)
