"""Pods of jobs: all that a pod says to take whole nodes of a pool, with their accelerators and fabric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from penstock.description.nodes import PoolNodes
from penstock.kubernetes.components import claim_templates, whole_node
from penstock.kubernetes.components.fabric_daemon import LIBRARIES, add_daemon, find_daemon

if TYPE_CHECKING:
    import pulumi

CONTAINER = "node"
"""The name of the container that trains, which Kubeflow Trainer asks for."""

TOPOLOGY_FILE = "topology.xml"
"""The key of a ConfigMap with a topology."""

FINISHED_TTL_S = 86_400
"""The time that a finished job stays, with its logs, before Kubernetes deletes it."""

GRACE_S = 120
"""The time to write a last checkpoint: AWS gives as much notice before it takes a spot machine back."""

# Two hyphens: volumes of claims have the names of storage, which have single ones.
_MEMORY, _MEMORY_PATH = "shared--memory", "/dev/shm"  # noqa: S108 - by which processes of one node pass data
_CACHE, _CACHE_PATH = "local--cache", "/mnt/cache"

_CACHE_SHARE = 3 / 4
"""Of the local disks: images, logs and what the kubelet keeps free take the rest."""

_TOPOLOGY, _TOPOLOGY_PATH = "nccl--topology", "/etc/nccl-topology"

_NCCL_LOGS = {
    "NCCL_DEBUG": "WARN",
    "TORCH_NCCL_ASYNC_ERROR_HANDLING": "1",
    "TORCH_NCCL_TRACE_BUFFER_SIZE": "20000",
    "TORCH_NCCL_DUMP_ON_TIMEOUT": "1",
}
"""Errors of collectives end the job, with a trace of the last ones (PyTorch documentation, ProcessGroupNCCL)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A claim of the namespace, mounted where jobs expect it."""

    claim: str
    path: str
    read_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PodParts:
    """What a job adds to the pods of a pool.

    Attributes:
        image: of the container that trains.
        command: its command; empty for the image's own.
        env: variables beside those of the fabric.
        mounts: claims.
        service_account: whose rights the pod has; empty for the namespace's default.
        annotations: of the pod, beside those of the fabric.
        labels: of the pod.
        claims: the templates of its claims, by what the pod calls them.
    """

    image: pulumi.Input[str]
    command: Sequence[str] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    mounts: Sequence[Mount] = ()
    service_account: str = ""
    annotations: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    claims: Mapping[str, str] = field(default_factory=dict)


def metadata(annotations: Mapping[str, str], labels: Mapping[str, str]) -> dict[str, Any]:
    """The metadata of a template, without what is empty; nothing where all is."""
    found = {"annotations": dict(annotations), "labels": dict(labels)}
    kept = {key: value for key, value in found.items() if value}
    return {"metadata": kept} if kept else {}


def mounts_of_node(nodes: PoolNodes) -> bool:
    """Return whether pods mount directories of the node for the fabric."""
    return bool(nodes.node_directories) or find_daemon(nodes.fabric) is not None


def capabilities(nodes: PoolNodes) -> tuple[str, ...]:
    """What pods add to lock memory for adapters, past what nodes allow (NVIDIA network operator documentation)."""
    return () if nodes.rdma is None else ("IPC_LOCK",)


def resources(nodes: PoolNodes) -> dict[str, dict[str, str]]:
    """Requests and limits of a pod that takes a whole node: all devices but claimed ones, half of all memory and CPU.

    The other half is left to the daemons of the node, the page cache, and what Kubernetes keeps. Where nobody says what
    a node has, the pod requests what any has, and no limit keeps it from using the rest.
    """
    exact = {name: str(count) for name, count in nodes.requested.items()}
    if nodes.huge_pages_mib:
        exact["hugepages-2Mi"] = f"{nodes.huge_pages_mib}Mi"
    if nodes.vcpu:
        exact["cpu"] = str(max(nodes.vcpu // 2, 1))
    if nodes.memory_gib:
        exact["memory"] = f"{max(int(nodes.memory_gib / 2), 1)}Gi"
    least = {"cpu": str(whole_node.cpu(nodes)), "memory": f"{whole_node.memory_gib(nodes)}Gi"}
    return {"requests": least | exact, "limits": exact}


def pod_template(nodes: PoolNodes, parts: PodParts) -> dict[str, Any]:
    """The template of a pod that takes a whole node: metadata and spec, as plain data.

    What it writes to `/mnt/cache` is on local NVMe, where nodes have that, and goes with the pod.
    """
    asked, adds = resources(nodes), list(capabilities(nodes))
    container: dict[str, Any] = {
        "name": CONTAINER,
        "image": parts.image,
        **({"command": list(parts.command)} if parts.command else {}),
        "env": [{"name": name, "value": value} for name, value in variables(nodes, parts.env).items()],
        "resources": {**asked, **claim_templates.of_container(parts.claims)},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]} | ({"add": adds} if adds else {}),
        },
        "volumeMounts": [
            {"name": _MEMORY, "mountPath": _MEMORY_PATH},
            *([{"name": _CACHE, "mountPath": _CACHE_PATH}] if nodes.cache_gib is not None else []),
            *({"name": _called(path), "mountPath": path, "readOnly": True} for path in nodes.node_directories),
            *([{"name": _TOPOLOGY, "mountPath": _TOPOLOGY_PATH, "readOnly": True}] if nodes.topology_file else []),
            *(_mounted(mount) for mount in parts.mounts),
        ],
    }
    volumes: list[dict[str, Any]] = [
        {"name": _MEMORY, "emptyDir": {"medium": "Memory", **_quarter(asked["limits"].get("memory"))}}
    ]
    if nodes.cache_gib is not None:
        most = int(nodes.cache_gib * _CACHE_SHARE)
        volumes.append({"name": _CACHE, "emptyDir": {"sizeLimit": f"{most}Gi"} if most else {}})
    volumes += [{"name": _called(path), "hostPath": {"path": at}} for path, at in nodes.node_directories.items()]
    if nodes.topology_file is not None:
        # A namespace that the platform did not make has none, and NCCL then warns and goes on.
        volumes.append({"name": _TOPOLOGY, "configMap": {"name": topology_name(nodes), "optional": True}})
    volumes += [{"name": mount.claim, "persistentVolumeClaim": {"claimName": mount.claim}} for mount in parts.mounts]
    template: dict[str, Any] = {
        **metadata({**nodes.pod_annotations, **parts.annotations}, parts.labels),
        "spec": {
            **({"serviceAccountName": parts.service_account} if parts.service_account else {}),
            **({"runtimeClassName": nodes.runtime_class} if nodes.runtime_class else {}),
            "automountServiceAccountToken": bool(parts.service_account),
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": GRACE_S,
            "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
            **claim_templates.of_pod(parts.claims),
            "nodeSelector": selector(nodes),
            "tolerations": tolerations(nodes),
            "containers": [container],
            "volumes": volumes,
        },
    }
    daemon = find_daemon(nodes.fabric)
    if daemon is not None:
        add_daemon(template, daemon)
    return template


def selector(nodes: PoolNodes) -> dict[str, str]:
    """The labels by which a job finds the pool; a TPU slice is also chosen by its accelerator and topology."""
    tpu = ("cloud.google.com/gke-tpu-accelerator", "cloud.google.com/gke-tpu-topology")
    return {**nodes.selector, **{key: nodes.labels[key] for key in tpu if key in nodes.labels}}


def tolerations(nodes: PoolNodes) -> list[dict[str, str]]:
    """The taints of the pool that keep other pods away."""
    return [
        {"key": taint.key, "effect": taint.effect}
        | ({"operator": "Equal", "value": taint.value} if taint.value else {"operator": "Exists"})
        for taint in nodes.taints
        if taint.effect != "PreferNoSchedule"
    ]


def variables(nodes: PoolNodes, further: Mapping[str, str]) -> dict[str, str]:
    """The variables of a pod on a pool: of collectives, of the fabric, and the job's own."""
    own = _NCCL_LOGS if nodes.resource == "nvidia.com/gpu" else {}
    libraries = {"LD_LIBRARY_PATH": LIBRARIES} if mounts_of_node(nodes) else {}
    placed = {"NCCL_TOPO_FILE": f"{_TOPOLOGY_PATH}/{TOPOLOGY_FILE}"} if nodes.topology_file else {}
    return {**own, **nodes.nccl, **placed, **libraries, **further}


def topology_name(nodes: PoolNodes) -> str:
    """The ConfigMap with the topology of a pool's machines."""
    return f"nccl-topology-{nodes.accelerator}"


def _mounted(mount: Mount) -> dict[str, Any]:
    return {"name": mount.claim, "mountPath": mount.path} | ({"readOnly": True} if mount.read_only else {})


def _called(path: str) -> str:
    return f"node--{path.rpartition('/')[2]}"


def _quarter(memory: str | None) -> dict[str, str]:
    """The bound of a volume in memory; without any, the kubelet's own is what the node has."""
    return {} if memory is None else {"sizeLimit": f"{max(int(memory.removesuffix('Gi')) // 4, 1)}Gi"}
