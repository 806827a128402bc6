"""Device plugins for RDMA adapters, as the program configures them: NVIDIA's NicClusterPolicy."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.kubernetes.rules.types import NIC_POLICY

_PLUGINS = (("sriovDevicePlugin", "resourceList", "nvidia.com"), ("rdmaSharedDevicePlugin", "configList", "rdma"))
"""The paths of a plugin's configuration in the policy and of its list of resources, and the prefix that they have
otherwise (NVIDIA network operator documentation, NicClusterPolicy)."""


class AdvertisedRdma(NamedTuple):
    """A resource by which pods request adapters; `shared` is one that gives a pod all of them at once."""

    resource: str
    shared: bool


def advertised(site: Site) -> list[AdvertisedRdma]:
    """The resources that the policies of a program advertise, as far as they are known."""
    return site.once(_advertised)


def _advertised(site: Site) -> list[AdvertisedRdma]:
    found: list[AdvertisedRdma] = []
    for policy in site.of_type(NIC_POLICY):
        try:
            found += _resources(policy)
        except (NotKnown, TypeMismatch):
            continue
    return found


def _resources(policy: View) -> list[AdvertisedRdma]:
    spec = policy.block("spec")
    found = []
    for plugin, listed, prefix in _PLUGINS:
        part = spec.block(plugin) if spec is not None else None
        for each in _listed(part.text("config") if part is not None else None, listed):
            name = f"{each.get('resourcePrefix') or prefix}/{each.get('resourceName')}"
            found.append(AdvertisedRdma(name, shared=plugin == "rdmaSharedDevicePlugin"))
    return found


def _listed(config: str | None, key: str) -> list[dict[str, Any]]:
    try:
        read = json.loads(config or "{}")
    except ValueError:
        raise TypeMismatch from None
    found = read.get(key) if isinstance(read, dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
