"""GKE clusters with their node pools, and pods that use them, as programs for cases of rules."""

from __future__ import annotations

import json
from typing import Any

from tests.manifests import container, limited
from tests.programs import Program, Ref

from penstock.gcp.types import CONTAINER_CLUSTER, CONTAINER_NODE_POOL
from penstock.kubernetes.rules.gke_networks import ANNOTATION
from penstock.kubernetes.rules.types import DAEMON_SET, JOB, NETWORK_PARAMETERS, PROVIDER
from penstock.kubernetes.rules.types import NETWORK as NETWORK_OBJECT

MEMORY = [{"name": "shm", "emptyDir": {"medium": "Memory"}}]


def gke(*, version: Any = "1.34.1-gke.1829001", **pools: dict[str, Any]) -> Program:
    """A cluster with node pools by name, and the provider that reaches it."""
    own = {"name": "cluster", "location": "us-east4", "removeDefaultNodePool": True, "minMasterVersion": version}
    program: dict[str, tuple[str, dict[str, Any]]] = {
        "cluster": (CONTAINER_CLUSTER, own),
        "provider": (PROVIDER, {"kubeconfig": Ref("cluster", "endpoint")}),
    }
    for name, inputs in pools.items():
        program[name] = (CONTAINER_NODE_POOL, {"cluster": Ref("cluster", "name"), "name": name} | inputs)
    return program


def plain(**inputs: Any) -> dict[str, Any]:
    """A pool of plain machines, at most four of them."""
    return {"nodeConfig": {"machineType": "e2-standard-8"}, "autoscaling": {"totalMaxNodeCount": 4}} | inputs


def gpus(machine_type: str = "a3-megagpu-8g", networks: int = 8, **config: Any) -> dict[str, Any]:
    """A pool of machines with eight GPUs and further interfaces."""
    kinds = {"a3-megagpu-8g": "nvidia-h100-mega-80gb", "a3-highgpu-8g": "nvidia-h100-80gb"}
    gpu = {"type": kinds.get(machine_type, "nvidia-h200-141gb"), "count": 8}
    interfaces = [{"network": f"fabric-{index}", "subnetwork": f"fabric-{index}"} for index in range(networks)]
    return {
        "nodeConfig": {"machineType": machine_type, "guestAccelerators": [gpu]} | config,
        "networkConfig": {"additionalNodeNetworkConfigs": interfaces},
        "autoscaling": {"totalMaxNodeCount": 4},
    }


def interfaces(*networks: str) -> dict[str, Any]:
    """Metadata of a pod that asks for networks, as eth1 and so on."""
    asked = [("eth0", "default"), *((f"eth{index}", network) for index, network in enumerate(networks, start=1))]
    return annotated([{"interfaceName": name, "network": network} for name, network in asked])


def annotated(asked: Any, **annotations: str) -> dict[str, Any]:
    """Metadata of a pod that asks for interfaces."""
    text = asked if isinstance(asked, str) else json.dumps(asked)
    return {"annotations": {ANNOTATION: text, **annotations}}


def trainer(
    *, metadata: Any = None, gpu: Any = "8", pods: Any = 2, env: Any = (), first: Any = (), **spec: Any
) -> Program:
    """A Job called `it`, whose pods train together and take `gpu` GPUs each."""
    main = limited(gpu=gpu) | ({"env": list(env)} if env else {})
    inner = {
        "containers": [main],
        "restartPolicy": "Never",
        "subdomain": "it",
        **({"initContainers": list(first)} if first else {}),
        **spec,
    }
    template = {"spec": inner} | ({"metadata": metadata} if metadata is not None else {})
    return {"it": (JOB, {"metadata": {"name": "it"}, "spec": {"template": template, "parallelism": pods}})}


def network_object(name: str = "tcpxo-eth1", resource: str = "network", parameters: Any = None) -> Program:
    """A Network of GKE, and what its parameters are called."""
    reference = {"group": "networking.gke.io", "kind": "GKENetworkParamSet", "name": parameters or name}
    return {
        resource: (NETWORK_OBJECT, {"metadata": {"name": name}, "spec": {"type": "Device", "parametersRef": reference}})
    }


def parameters(resource: str = "it", name: str = "tcpxo-eth1", **spec: Any) -> Program:
    """Parameters of a network."""
    own = {"vpc": "fabric-0", "vpcSubnet": "fabric-0", "deviceMode": "NetDevice"} | spec
    given = {key: value for key, value in own.items() if value is not None}
    return {resource: (NETWORK_PARAMETERS, {"metadata": {"name": name}, "spec": given})}


def installer(tag: str = "v1.0.15", fabric: str = "tcpxo") -> Program:
    """A DaemonSet that installs NCCL's plug-in on the nodes."""
    image = f"us-docker.pkg.dev/gce-ai-infra/gpudirect-{fabric}/nccl-plugin-gpudirecttcpx-dev:{tag}"
    pods = {"metadata": {"labels": {"app": "i"}}, "spec": {"containers": [container(image=image)]}}
    spec = {"selector": {"matchLabels": {"app": "i"}}, "template": pods}
    return {"installer": (DAEMON_SET, {"metadata": {"name": "installer"}, "spec": spec})}


def daemon(tag: Any = "v1.0.21", fabric: str = "tcpxo", **fields: Any) -> dict[str, Any]:
    """The daemon of GPUDirect as a sidecar."""
    image = f"us-docker.pkg.dev/gce-ai-infra/gpudirect-{fabric}/tcpgpudmarxd-dev:{tag}"
    own = {"name": "daemon", "image": image, "restartPolicy": "Always"} | fields
    return {key: value for key, value in own.items() if value is not None}
