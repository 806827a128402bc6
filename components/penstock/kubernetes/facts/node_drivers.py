"""Drivers that are installed on nodes from their makers' packages or images."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeDriver:
    """One driver.

    Attributes:
        repository: address of the packages, one folder for each version; or of the image, a tag for each.
        key: address of the key that signs packages; None for an image.
    """

    name: str
    version: str
    repository: str
    key: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_driver(name: str) -> NodeDriver:
    """The driver of that name.

    Raises:
        UnknownFact: Penstock installs no such driver.
    """
    return record_of(NodeDriver, "kubernetes/node_drivers", name, "driver")
