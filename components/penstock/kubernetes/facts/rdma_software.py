"""Who offers the adapters of a fabric (InfiniBand, RoCE) to pods, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import record_of, records


@dataclass(frozen=True, slots=True, kw_only=True)
class RdmaSoftware:
    """The owners of the software for one fabric, on one kind of cluster.

    Attributes:
        on: the kind of cluster; None for any of the provider.
        fabric: as a pool names it.
        advertiser: the cluster itself, or a device plugin that NVIDIA's network operator runs; `driver` likewise.
        plugin: sriov hands out each adapter to one pod, shared hands out all adapters to many.
        link_type: of the adapters, as Linux names it; others of the same maker are for storage and management.
        device_ids: the PCI devices, where one maker's others must be left alone; empty for all.
        driver_env: what the driver's container needs in its environment, each NAME=value.
    """

    provider: str
    on: str | None
    fabric: str
    advertiser: Literal["node", "operator"]
    driver: Literal["node", "operator"]
    plugin: Literal["sriov", "shared"]
    link_type: Literal["infiniband", "ether"]
    device_ids: tuple[str, ...]
    driver_env: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NicImage:
    """An image that the network operator runs at the version that goes with its chart.

    Attributes:
        digest: SHA-256 of what the version represents; None where the operator adds the system of the node to it.
    """

    image: str
    repository: str
    version: str
    digest: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def software_of(provider: str, on: str | None, fabric: str | None) -> RdmaSoftware | None:
    """The owners of the software for a fabric; None where the fabric is not one that this table knows."""
    for each in records(RdmaSoftware, "kubernetes/rdma_software"):
        if (each.provider, each.fabric) == (provider, fabric) and each.on in (on, None):
            return each
    return None


def find_image(name: str) -> NicImage:
    """An image of the network operator.

    Raises:
        UnknownFact: there is none of that name.
    """
    return record_of(NicImage, "kubernetes/nic_images", name, "image of the network operator")
