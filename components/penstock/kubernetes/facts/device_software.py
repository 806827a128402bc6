"""Who installs the driver and the container toolkit of accelerators, and who offers them to pods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import records
from penstock.catalog.tables import unknown

Advertiser = Literal["node", "plugin", "operator", "cluster"]
SharingWay = Literal["mig", "time_slicing", "mps"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSoftware:
    """The owners of the software for one resource, on one kind of node.

    Attributes:
        on: the system of the node's image on a cloud, the kind of cluster elsewhere; None for any.
        driver: the node's image, the GPU Operator, or the daemon set that has the device plugin, too.
        toolkit: the node's image, or the GPU Operator.
        advertiser: the node's image, a device plugin of ours, that of the GPU Operator, or a plugin that the cluster
            must bring, because Penstock has none for it.
        sharing: the ways in which pods may share one accelerator there, as a description names them.
        most_pods: how many may, at most; None where no such limit is known.
        claims: whether its makers have pods claim accelerators there, in place of that advertiser.
    """

    provider: str
    on: str | None
    resource: str
    driver: Literal["node", "operator", "plugin"]
    toolkit: Literal["node", "operator"]
    advertiser: Advertiser
    sharing: tuple[SharingWay, ...]
    most_pods: int | None
    claims: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_software(provider: str, resource: str, on: str | None) -> DeviceSoftware:
    """The owners of the software for a resource, on a system or kind of cluster.

    Raises:
        UnknownFact: nobody is known to offer the resource there.
    """
    rows = [each for each in _table() if (each.provider, each.resource) == (provider, resource)]
    for each in rows:
        if each.on in (on, None):
            return each
    raise unknown("advertised resource", resource, [each.resource for each in _table() if each.provider == provider])


def resources() -> tuple[str, ...]:
    """What pods request of accelerators, of every maker, in alphabetical order."""
    return tuple(sorted({each.resource for each in _table()}))


def _table() -> tuple[DeviceSoftware, ...]:
    return records(DeviceSoftware, "kubernetes/device_software")
