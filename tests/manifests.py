"""Kubernetes objects and the clusters that they go to, as programs for cases of rules."""

from __future__ import annotations

from typing import Any

from tests.programs import Program

from penstock.kubernetes.rules.types import NAMESPACE, POD

GPU = "nvidia.com/gpu"


def container(name: Any = "main", **fields: Any) -> dict[str, Any]:
    """A container."""
    return {"name": name, "image": "busybox:1.37", **fields}


def limited(**limits: Any) -> dict[str, Any]:
    """A container with limits; `gpu` and `efa` stand for the names of these devices."""
    names = {"gpu": GPU, "efa": "vpc.amazonaws.com/efa"}
    return container(resources={"limits": {names.get(name, name): value for name, value in limits.items()}})


def pod(*containers: dict[str, Any], metadata: Any = None, **spec: Any) -> Program:
    """A pod called `it`."""
    inner = {"containers": list(containers or (container(),)), **spec}
    return {"it": (POD, {"metadata": metadata or {"name": "it"}, "spec": inner})}


def namespace(name: Any = "team", **metadata: Any) -> Program:
    """A namespace; the resource is called `namespace`."""
    return {"namespace": (NAMESPACE, {"metadata": {"name": name, **metadata}})}


def plain(**inputs: Any) -> dict[str, Any]:
    """A node group of plain machines."""
    return {"amiType": "AL2023_x86_64_STANDARD", "instanceTypes": ["m6i.2xlarge"]} | inputs
