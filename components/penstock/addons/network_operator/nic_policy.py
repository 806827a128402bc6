"""The objects by which NVIDIA's network operator offers adapters to pods: what it makes of a description.

They are the same on every provider: who describes a fabric gives the resource's name, how it is handed out, the devices
and the owner of the driver (`RdmaSoftware`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pulumi

from penstock.kubernetes.components.release import EVERYWHERE
from penstock.kubernetes.facts import rdma_software
from penstock.kubernetes.facts.rdma_software import RdmaSoftware

POLICY = "nic-cluster-policy"
"""The operator acts on the policy of this name alone."""

_VENDOR = "15b3"
WITH_ADAPTERS = {f"feature.node.kubernetes.io/pci-{_VENDOR}.present": "true"}
"""The label that node feature discovery gives nodes with adapters of the fabrics."""

_CLASSES = {"infiniband": "0207", "ether": "0200"}
"""PCI classes of the adapters by the type of their link."""

_MOST_PODS = 63
"""Of a shared adapter at once (Azure/aks-rdma-infiniband)."""

Place = Callable[[str], pulumi.Input[str]]
"""Where a public repository's images are pulled from."""


class RdmaResource(NamedTuple):
    """What pods request of a fabric, such as rdma/ib, and how it comes about."""

    resource: str
    software: RdmaSoftware


def node_feature_rules(offered: Sequence[RdmaResource]) -> dict[str, Any]:
    """The spec of a NodeFeatureRule that marks nodes with adapters of these fabrics.

    The chart's own rule marks every node with an adapter of the maker, those for plain Ethernet too, and the driver
    would be installed on all of these.
    """
    return {
        "rules": [
            {
                "name": f"adapters of {each.resource}",
                "labels": WITH_ADAPTERS,
                "matchFeatures": [{"feature": "pci.device", "matchExpressions": _devices(each.software)}],
            }
            for each in offered
        ]
    }


def policy(offered: Sequence[RdmaResource], place: Place) -> dict[str, Any]:
    """The spec of the policy: one device plugin of each kind that is needed, and the driver where nodes lack it."""
    spec: dict[str, Any] = {"tolerations": EVERYWHERE}
    drivers = [each.software for each in offered if each.software.driver == "operator"]
    if drivers:
        env = dict(pair.split("=", 1) for each in drivers for pair in each.driver_env)
        given = {"env": [{"name": name, "value": value} for name, value in sorted(env.items())]} if env else {}
        spec["ofedDriver"] = {**_image("doca-driver", place), **given, **_DRIVER}
    apart = [each for each in offered if each.software.plugin == "sriov"]
    shared = [each for each in offered if each.software.plugin == "shared"]
    if apart:
        spec["sriovDevicePlugin"] = {
            **_image("sriov-network-device-plugin", place),
            "config": json.dumps({"resourceList": [_apart(each) for each in apart]}),
        }
    if shared:
        spec["rdmaSharedDevicePlugin"] = {
            **_image("k8s-rdma-shared-dev-plugin", place),
            "config": json.dumps({"configList": [_shared(each) for each in shared]}),
        }
    return spec


_DRIVER = {
    # A driver that is replaced takes the fabric from all pods of its node: a new version reaches new nodes, and others
    # when a person deletes their driver pod.
    "upgradePolicy": {"autoUpgrade": False},
    "startupProbe": {"initialDelaySeconds": 10, "periodSeconds": 20},
    "livenessProbe": {"initialDelaySeconds": 30, "periodSeconds": 30},
    "readinessProbe": {"initialDelaySeconds": 10, "periodSeconds": 30},
}


def _devices(software: RdmaSoftware) -> dict[str, Any]:
    found = {
        "vendor": {"op": "In", "value": [_VENDOR]},
        "class": {"op": "In", "value": [_CLASSES[software.link_type]]},
    }
    return found | ({"device": {"op": "In", "value": list(software.device_ids)}} if software.device_ids else {})


def _apart(each: RdmaResource) -> dict[str, Any]:
    prefix, _, name = each.resource.rpartition("/")
    return {"resourcePrefix": prefix, "resourceName": name, "selectors": {**_selectors(each.software), "isRdma": True}}


def _shared(each: RdmaResource) -> dict[str, Any]:
    prefix, _, name = each.resource.rpartition("/")
    return {
        "resourcePrefix": prefix,
        "resourceName": name,
        "rdmaHcaMax": _MOST_PODS,
        "selectors": _selectors(each.software),
    }


def _selectors(software: RdmaSoftware) -> dict[str, Any]:
    devices = {"deviceIDs" if software.plugin == "shared" else "devices": list(software.device_ids)}
    return {"vendors": [_VENDOR], **(devices if software.device_ids else {}), "linkTypes": [software.link_type]}


def _image(name: str, place: Place) -> dict[str, Any]:
    its = rdma_software.find_image(name)
    # The operator reads a digest in place of a version (Mellanox/network-operator, pkg/render: imagePath).
    version = its.version if its.digest is None else f"sha256:{its.digest}"
    return {"image": its.image, "repository": place(its.repository), "version": version}
