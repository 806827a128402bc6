"""The network library by which NCCL, RCCL and Neuron use each fabric, and where pods get it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricPlugin:
    """The network library for one fabric and one maker of accelerators.

    Attributes:
        devices: the domain of the resource that pods request, such as nvidia.com.
        library: its name in `image_contents`.
        needs: what an image must contain, in words.
        brought_by: the image, or the node, whose directories pods mount.
        image: the workload image with PyTorch that contains it.
    """

    provider: str
    fabric: str
    devices: str
    library: str
    needs: str
    brought_by: Literal["image", "node"]
    image: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_plugin(provider: str, fabric: str | None, resource: str | None) -> FabricPlugin | None:
    """The library by which accelerators use a fabric; None where they use none, or none is known."""
    devices = (resource or "").partition("/")[0]
    for each in records(FabricPlugin, "kubernetes/fabric_plugins"):
        if (each.provider, each.fabric, each.devices) == (provider, fabric, devices):
            return each
    return None


def find_plugin_in_image(fabrics: Collection[str], resource: str) -> FabricPlugin | None:
    """The library for one of some fabrics that must be in the image; None where none is, or the node brings it."""
    devices = resource.partition("/")[0]
    for each in records(FabricPlugin, "kubernetes/fabric_plugins"):
        if each.fabric in fabrics and each.devices == devices and each.brought_by == "image":
            return each
    return None
