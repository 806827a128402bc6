"""Karpenter beside a control plane, with machines that it simulates in place of those of a cloud."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from tests.cluster import binaries
from tests.cluster.api import Object
from tests.cluster.control_plane import ControlPlane, free_port
from tests.cluster.controllers import rendered
from tests.cluster.stand_ins import MIRROR

PROGRAM: Final = "karpenter-kwok"
NODE_POOL: Final = "karpenter.sh/nodepool"
_CHART: Final = "karpenter-crd"
_NODE_CLASS: Final = {"group": "karpenter.kwok.sh", "kind": "KWOKNodeClass", "name": "default"}


def missing() -> str:
    """The reason why Karpenter cannot run on this machine; empty where it can."""
    if not (binaries.find(PROGRAM) and binaries.find("helm")):
        return f"{PROGRAM} and helm are not both there"
    if not (MIRROR and Path(MIRROR, _CHART).is_dir()):
        return f"PENSTOCK_CHARTS names no folder with the chart {_CHART}"
    return ""


def start(cluster: ControlPlane, folder: Path, machines: Iterable[Mapping[str, Any]]) -> None:
    """Define Karpenter's kinds, and start it with the machine types that it may choose among."""
    for each in rendered(_CHART, "kube-system", {}, folder):
        if each["kind"] == "CustomResourceDefinition":
            cluster.api.apply(each, strict=False)
            cluster.api.await_kind(f"{each['spec']['group']}/{_served(each)}", each["spec"]["names"]["kind"])
    cluster.api.apply(_definition())
    cluster.api.await_kind("karpenter.kwok.sh/v1alpha1", "KWOKNodeClass")
    cluster.api.apply(_node_class())
    file = folder / "machines.json"
    file.write_text(json.dumps(list(machines)), encoding="utf-8")
    cluster.start(
        PROGRAM,
        f"--instance-types-file-path={file}",
        f"--metrics-port={free_port()}",
        f"--health-probe-port={free_port()}",
        "--disable-leader-election=true",
        "--feature-gates=NodeOverlay=true",
        variables={"SYSTEM_NAMESPACE": "kube-system"},
    )


def machine(name: str, resources: Mapping[str, str], *, ways: Iterable[str], zones: Iterable[str]) -> dict[str, Any]:
    """A machine type as the simulated provider sells it."""
    return {
        "name": name,
        "architecture": "amd64",
        "operatingSystems": ["linux"],
        "offerings": [_offering(way, zone) for way in ways for zone in zones],
        "resources": {"pods": "110", **resources},
    }


def on_simulated_machines(manifest: Object) -> Object:
    """A pool whose machines are simulated, in place of those of a cloud."""
    if manifest["kind"] != "NodePool":
        return manifest
    template = manifest["spec"]["template"]
    of_pool = {**template["spec"], "nodeClassRef": _NODE_CLASS}
    return {**manifest, "spec": {**manifest["spec"], "template": {**template, "spec": of_pool}}}


def started(cluster: ControlPlane) -> list[Object]:
    """The nodes that Karpenter has started."""
    return [each for each in cluster.api.objects("v1", "Node") if NODE_POOL in each["metadata"]["labels"]]


def _offering(way: str, zone: str) -> dict[str, Any]:
    sold = {"karpenter.sh/capacity-type": way, "topology.kubernetes.io/zone": zone}
    wanted = [{"key": key, "operator": "In", "values": [value]} for key, value in sold.items()]
    return {"Price": 98.32, "Available": True, "Requirements": wanted}


def _served(definition: Object) -> str:
    return str(next(each["name"] for each in definition["spec"]["versions"] if each["served"]))


def _definition() -> Object:
    """The kind of the simulated machines, without fields of its own."""
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {
        "name": "v1alpha1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": free},
    }
    names = {
        "kind": "KWOKNodeClass",
        "plural": "kwoknodeclasses",
        "singular": "kwoknodeclass",
        "listKind": "KWOKNodeClassList",
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "kwoknodeclasses.karpenter.kwok.sh"},
        "spec": {"group": "karpenter.kwok.sh", "names": names, "scope": "Cluster", "versions": [version]},
    }


def _node_class() -> Object:
    """The class of the simulated machines; ready, as the provider of a cloud would say of its own."""
    ready = {
        "type": "Ready",
        "status": "True",
        "reason": "Simulated",
        "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
        "observedGeneration": 1,
    }
    return {
        "apiVersion": "karpenter.kwok.sh/v1alpha1",
        "kind": "KWOKNodeClass",
        "metadata": {"name": "default"},
        "status": {"conditions": [ready]},
    }
