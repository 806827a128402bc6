"""The nodes of a pool of a cluster that no component of ours creates."""

from __future__ import annotations

from penstock.description import sharing
from penstock.description.node_pool import NodePoolSpec
from penstock.description.nodes.claims import of_nvlink
from penstock.description.nodes.nccl import variables
from penstock.description.nodes.pool_nodes import PoolNodes
from penstock.description.nodes.startup import startup_taint
from penstock.description.platform import Spec
from penstock.kubernetes.description import pools
from penstock.kubernetes.facts.fabric_plugins import find_plugin
from penstock.kubernetes.facts.profiles import ClusterProfile
from penstock.kubernetes.facts.rdma_software import software_of

LOCAL_NVME = "penstock.dev/local-nvme"
"""The label, with value true, of nodes whose kubelet keeps its directory on local NVMe."""

_NETWORKS = "k8s.v1.cni.cncf.io/networks"


def read(pool: NodePoolSpec, spec: Spec) -> PoolNodes:
    """The nodes of a pool: what the description says of them, and what clusters of their profile bring."""
    profile, accelerator = pools.profile(spec), pools.accelerator(pool)
    count, fabric = pools.count(pool), pools.fabric_resource(pool, profile)
    resource = accelerator.resource if accelerator is not None else None
    memory_gib = accelerator.memory_gib if accelerator is not None else None
    shared = sharing.shared_devices(pool, pool.accelerator, memory_gib)
    if shared is not None:
        resource = shared.resource
    return PoolNodes(
        pool=pool.name,
        machine_type=pool.machine_type,
        nodes=pool.nodes,
        capacity=pool.capacity,
        selector=pool.labels,
        labels=pool.labels,
        taints=pool.taints,
        accelerator=pool.accelerator,
        accelerator_kind=accelerator.kind if accelerator is not None else None,
        accelerators=count,
        resource=resource,
        accelerator_memory_gib=memory_gib,
        fabric=pool.fabric if fabric is not None else None,
        fabric_resource=fabric[0] if fabric is not None else None,
        fabric_devices=fabric[1] if fabric is not None else 0,
        devices={
            **({resource: count * (shared.parts if shared is not None else 1)} if resource is not None else {}),
            **dict([fabric] if fabric else ()),
            **pool.devices,
        },
        claims=of_nvlink(pool.accelerator),
        plugin=find_plugin("kubernetes", pool.fabric if fabric is not None else None, resource),
        nccl=variables(
            pool.fabric if fabric is not None and accelerator is not None else None,
            pool.accelerator,
            "kubernetes",
            profile.profile,
        ),
        cache_gib=0 if pool.labels.get(LOCAL_NVME) == "true" else None,
        pod_annotations=_attached(pool, profile),
        topology=profile.topology,
        runtime_class=profile.runtime_class if accelerator is not None else None,
        software=pools.software(pool, spec),
        rdma=software_of("kubernetes", profile.profile, pool.fabric) if fabric is not None else None,
        shared=shared,
        startup_taint=startup_taint(spec, resource),
    )


def _attached(pool: NodePoolSpec, profile: ClusterProfile) -> dict[str, str]:
    """What a pod says to get its devices as interfaces, where a request alone does not bring them (Multus)."""
    networks = pools.fabric_networks(pool, profile)
    return {_NETWORKS: ",".join(networks)} if networks else {}
