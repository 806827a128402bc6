"""Kubernetes objects and the clusters that they go to, as programs for cases of rules."""

from __future__ import annotations

from typing import Any

from tests.programs import Program, Ref

from penstock.rules.aws.types import CLUSTER, LAUNCH_TEMPLATE, NODE_GROUP
from penstock.rules.kubernetes.types import DEPLOYMENT, JOB, NAMESPACE, POD, PROVIDER, RELEASE

GPU = "nvidia.com/gpu"
GPU_TAINT = {"key": GPU, "value": "present", "effect": "NO_SCHEDULE"}
ANYWHERE = [{"operator": "Exists"}]


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


def deployment(template: Any = None, **spec: Any) -> Program:
    """A Deployment called `it`, whose pods have the label `app: it`."""
    pods = {"metadata": {"labels": {"app": "it"}}, "spec": {"containers": [container()]}}
    inner = {"selector": {"matchLabels": {"app": "it"}}, "template": template or pods, **spec}
    return {"it": (DEPLOYMENT, {"metadata": {"name": "it"}, "spec": inner})}


def job(**spec: Any) -> Program:
    """A Job called `it`, whose pods are never restarted."""
    template = {"spec": {"containers": [container()], "restartPolicy": "Never"}}
    return {"it": (JOB, {"metadata": {"name": "it"}, "spec": {"template": template, **spec}})}


def namespace(name: Any = "team", **metadata: Any) -> Program:
    """A namespace; the resource is called `namespace`."""
    return {"namespace": (NAMESPACE, {"metadata": {"name": name, **metadata}})}


def release(chart: Any = "nvidia-device-plugin", resource: Any = "it", **inputs: Any) -> Program:
    """A Helm release; the resource is called `it` unless it has another name."""
    own = {"chart": chart, "name": chart, "namespace": "kube-system", "repositoryOpts": {"repo": "https://charts"}}
    return {resource: (RELEASE, own | inputs)}


def cluster(version: Any = "1.35", **groups: dict[str, Any]) -> Program:
    """A cluster with node groups by name, and the provider that reaches it."""
    program: dict[str, tuple[str, dict[str, Any]]] = {
        "cluster": (CLUSTER, {"name": "cluster", "version": version}),
        "provider": (PROVIDER, {"kubeconfig": Ref("cluster", "kubeconfig")}),
    }
    for name, inputs in groups.items():
        own = {"clusterName": Ref("cluster", "name"), "scalingConfig": {"minSize": 0, "maxSize": 2, "desiredSize": 0}}
        program[name] = (NODE_GROUP, own | inputs)
    return program


def plain(**inputs: Any) -> dict[str, Any]:
    """A node group of plain machines."""
    return {"amiType": "AL2023_x86_64_STANDARD", "instanceTypes": ["m6i.2xlarge"]} | inputs


def gpus(**inputs: Any) -> dict[str, Any]:
    """A node group of machines with eight GPUs, which keep other pods off."""
    return {"amiType": "AL2023_x86_64_NVIDIA", "instanceTypes": ["p5.48xlarge"], "taints": [GPU_TAINT]} | inputs


def with_efa(**inputs: Any) -> Program:
    """A cluster with one group of GPU machines that have two EFA interfaces."""
    interfaces = [{"interfaceType": "efa", "networkCardIndex": card} for card in range(2)]
    template = {"instanceType": "p5.48xlarge", "networkInterfaces": interfaces}
    group = gpus(launchTemplate={"id": Ref("template"), "version": "1"}) | inputs
    del group["instanceTypes"]
    return {"template": (LAUNCH_TEMPLATE, template)} | dict(cluster(train=group))
