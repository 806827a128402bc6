"""Claims of further namespaces on the storage of a description."""

from __future__ import annotations

import pulumi

from penstock.description.storage import ExistingFilesSpec, StorageSpec
from penstock.kubernetes.components import existing_files, volumes
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.namespace import Namespace


def claim(
    name: str,
    item: StorageSpec,
    *,
    cluster: InCluster,
    namespace: Namespace,
    directory: str = "",
    opts: pulumi.ResourceOptions,
) -> None:
    """Make storage ready to mount in a namespace, by a claim of its name; nothing of what pods do not mount.

    `directory` is the one of its path that is mounted, where a file system that exists has directories as volumes.
    """
    if item.name in cluster.volumes:
        volumes.mount(name, cluster.volumes[item.name], claim=item.name, namespace=namespace.name, opts=opts)
    elif isinstance(item, ExistingFilesSpec):
        existing_files.claim(name, item, namespace=namespace.name, directory=directory, opts=opts)
