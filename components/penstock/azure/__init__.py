"""Components for Azure, each usable alone: `from penstock.azure import NodePool`.

They load when they are asked for, because each brings a part of a large SDK with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.core.lazy import lazy

if TYPE_CHECKING:
    from penstock.azure.components.bucket import Bucket as Bucket
    from penstock.azure.components.budget import Budget as Budget
    from penstock.azure.components.cluster import Cluster as Cluster
    from penstock.azure.components.database import Database as Database
    from penstock.azure.components.handles import BucketHandle as BucketHandle
    from penstock.azure.components.handles import ClusterHandle as ClusterHandle
    from penstock.azure.components.handles import GroupHandle as GroupHandle
    from penstock.azure.components.handles import IdentityHandle as IdentityHandle
    from penstock.azure.components.handles import KeyHandle as KeyHandle
    from penstock.azure.components.handles import NetworkHandle as NetworkHandle
    from penstock.azure.components.handles import VolumeHandle as VolumeHandle
    from penstock.azure.components.keys import Keys as Keys
    from penstock.azure.components.lustre import Lustre as Lustre
    from penstock.azure.components.lustre_driver import AzureLustreDriver as AzureLustreDriver
    from penstock.azure.components.network import Network as Network
    from penstock.azure.components.node_pool import NodePool as NodePool
    from penstock.azure.components.registry import Registry as Registry
    from penstock.azure.components.resource_group import ResourceGroup as ResourceGroup
    from penstock.azure.components.secret_store import SecretStore as SecretStore
    from penstock.azure.components.shared_files import SharedFiles as SharedFiles
    from penstock.azure.components.state_backend import StateBackend as StateBackend
    from penstock.azure.components.workload_identity import WorkloadIdentity as WorkloadIdentity

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
        "lustre_driver": "AzureLustreDriver",
        "network": "Network",
        "node_pool": "NodePool",
        "registry": "Registry",
        "resource_group": "ResourceGroup",
        "secret_store": "SecretStore",
        "shared_files": "SharedFiles",
        "state_backend": "StateBackend",
        "workload_identity": "WorkloadIdentity",
    },
    below="components",
)
