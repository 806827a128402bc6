"""Mounts of a description's storage in pods."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.description.offer import offer_of
from penstock.kubernetes.facts import file_systems
from penstock.kubernetes.facts.mounts import MountSemantics, find_mount, mounts_of_driver
from penstock.providers import built_clouds


def mounts_of(cloud: str) -> Mapping[str, MountSemantics]:
    """The mount of each kind of storage that pods mount by a claim."""
    if cloud in built_clouds():
        return {kind: find_mount(mount) for kind, mount in offer_of(cloud).mounts.items()}
    drivers = {kind: file_systems.driver_of(kind).driver for kind in file_systems.kinds()}
    return {kind: mounts_of_driver(driver)[0] for kind, driver in drivers.items()}
