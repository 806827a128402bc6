"""The client of Managed Lustre that nodes get, by their operating system."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records

IMAGE = "mcr.microsoft.com/oss/v2/kubernetes-csi/azurelustre-csi"
"""The driver, which installs the client on the node that it runs on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LustreClient:
    """The driver and the client for nodes of one operating system.

    Attributes:
        os_sku: the system, as AKS labels its nodes.
        tag: of the driver's image.
        client: the version of Lustre; `build` is that of its package.
    """

    os_sku: str
    tag: str
    client: str
    build: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def lustre_clients() -> tuple[LustreClient, ...]:
    """The clients, one for each operating system that has one."""
    return records(LustreClient, "azure/lustre_clients")
