"""Relations that exempt resources of Azure from rules."""

from __future__ import annotations

from typing import Final

from penstock.azure.types import STORAGE_BLOB_CONTAINER, STORAGECACHE_AML_FILESYSTEM
from penstock.graph.view import View

_WITHOUT_MACHINES: Final = frozenset(
    {
        "gatewaysubnet",
        "azurefirewallsubnet",
        "azurefirewallmanagementsubnet",
        "azurebastionsubnet",
        "routeserversubnet",
    }
)
"""Names of subnets that Azure keeps for its own gateways; it knows them by these names alone."""


def holds_no_machines(it: View) -> bool:
    """Return whether the subnets without a group of their own are those of Azure's gateways."""
    if it.type.endswith(":VirtualNetwork"):
        names = [subnet.text("name") for subnet in it.blocks("subnets") if "networkSecurityGroup" not in subnet]
    else:
        names = [it.text("subnetName") or it.text("name")]
    return bool(names) and all(name is not None and name.casefold() in _WITHOUT_MACHINES for name in names)


def feeds_a_file_system(it: View) -> bool:
    """Return whether a file system of Managed Lustre imports from a container of a storage account."""
    containers = {container.urn for container in it.referrers(STORAGE_BLOB_CONTAINER, "accountName")}
    imported = (
        each
        for lustre in it.site.of_type(STORAGECACHE_AML_FILESYSTEM)
        for each in lustre.sources("hsm", STORAGE_BLOB_CONTAINER)
    )
    return any(container.urn in containers for container in imported)


RELATIONS: Final = (holds_no_machines, feeds_a_file_system)
"""The relations that the table `exemptions` names."""
