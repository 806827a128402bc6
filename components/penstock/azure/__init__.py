"""Components for Azure, each usable alone: `from penstock.azure import NodePool`.

They load when they are asked for, because each brings a part of a large SDK with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.lazy import lazy

if TYPE_CHECKING:
    from penstock.azure.bucket import Bucket as Bucket
    from penstock.azure.handles import BucketHandle as BucketHandle
    from penstock.azure.handles import GroupHandle as GroupHandle
    from penstock.azure.handles import IdentityHandle as IdentityHandle
    from penstock.azure.handles import KeyHandle as KeyHandle
    from penstock.azure.handles import NetworkHandle as NetworkHandle
    from penstock.azure.keys import Keys as Keys
    from penstock.azure.network import Network as Network
    from penstock.azure.registry import Registry as Registry
    from penstock.azure.resource_group import ResourceGroup as ResourceGroup
    from penstock.azure.secret_store import SecretStore as SecretStore

__getattr__, __all__ = lazy(
    __name__,
    {
        "bucket": "Bucket",
        "handles": "BucketHandle GroupHandle IdentityHandle KeyHandle NetworkHandle",
        "keys": "Keys",
        "network": "Network",
        "registry": "Registry",
        "resource_group": "ResourceGroup",
        "secret_store": "SecretStore",
    },
)
