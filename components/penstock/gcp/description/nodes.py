"""The nodes of a pool on GKE."""

from __future__ import annotations

import json
from dataclasses import replace

from penstock.catalog import limits
from penstock.description import sharing
from penstock.description.node_pool import NodePoolSpec, Taint
from penstock.description.nodes.claims import DeviceClaim, of_nvlink
from penstock.description.nodes.nccl import variables
from penstock.description.nodes.pool_nodes import HOSTNAME, PoolNodes, distinct_taints
from penstock.description.nodes.startup import startup_taint
from penstock.description.platform import Spec, zones
from penstock.gcp.description import pools
from penstock.gcp.description.node_pool_block import own_settings
from penstock.gcp.facts import fabrics, tpus
from penstock.gcp.facts.machines import GcpMachine
from penstock.kubernetes.facts.device_software import find_software
from penstock.kubernetes.facts.fabric_plugins import find_plugin
from penstock.kubernetes.facts.node_labels import ARCHITECTURE, ARCHITECTURES, INSTANCE_TYPE, ZONE

_DRANET = "cloud.google.com/gke-networking-dra-driver"
_INTERFACES = {"RDMA": "mrdma.google.com", "NetDevice": "netdev.google.com"}
"""The device classes of interfaces (GKE documentation, allocate network resources by GKE managed DRANET)."""
"""On nodes where GKE's network driver gives pods the interfaces of the fabric."""

_SECONDS_OF_AN_HOUR = 3600
_RESOURCES = {"gpu": "nvidia.com/gpu", "tpu": "google.com/tpu"}
_PROVISIONING = {"spot": "spot", "flex_start": "flex_start", "reserved": "reservation"}

_GCSFUSE = {"gke-gcsfuse/volumes": "true"}
"""What GKE adds its driver of buckets to a pod for."""

_GIB = {name: {"/usr/local/gib": "/home/kubernetes/bin/gib"} for name in ("rdma", "rdma-nvl72", "rdma-metal")}
"""NCCL's plug-in for RDMA, which `Gib` puts on the nodes (GoogleCloudPlatform/container-engine-accelerators)."""

_TOPOLOGY = tuple(f"cloud.google.com/gce-topology-{level}" for level in ("block", "subblock", "host"))
"""Labels of GKE on nodes that are placed compactly (GKE documentation, topology-aware scheduling)."""


def labels(spec: NodePoolSpec, machine: GcpMachine, *, dranet: bool) -> dict[str, str]:
    """The labels that the pool gives its nodes: which pool, what they have, and those of the description, which win.

    What GKE itself says of accelerators and topologies comes beside them. `dranet` says whether GKE wires the fabric
    itself.
    """
    derived = {"penstock.dev/pool": spec.name}
    if machine.accelerator is not None:
        derived["penstock.dev/accelerator"] = machine.accelerator
    if dranet:
        derived[_DRANET] = "true"
    elif machine.fabric == "rdma-metal":
        # Pods get their interfaces from the driver there, too (cluster-toolkit v1.95, examples/gke-a4x-max-bm).
        derived |= {_DRANET: "true", "cloud.google.com/gke-dpv2-unified-cni": "cni-migration"}
    if own_settings(spec).queued:
        # GKE taints the nodes for queued jobs, but only labels let these find them.
        derived["cloud.google.com/gke-queued"] = "true"
    return derived | spec.labels


def taints(spec: NodePoolSpec, machine: GcpMachine) -> tuple[Taint, ...]:
    """The taint of GPUs, and those of the description, which win.

    GKE taints TPU nodes itself, and GPU nodes only in clusters that have others.
    """
    own = (Taint(key="nvidia.com/gpu", value="present"),) if machine.accelerator_kind == "gpu" else ()
    return distinct_taints(own, spec.taints)


def read(pool: NodePoolSpec, spec: Spec) -> PoolNodes:
    """The nodes of a pool."""
    machine = pools.machine(pool)
    resource = _RESOURCES.get(machine.accelerator_kind or "")
    fabric = machine.fabric if pool.fabric != "none" else None
    slice_ = pools.slice_(pool)
    shared = sharing.shared_devices(pool, machine.accelerator, sharing.gib(machine))
    if shared is not None and resource is not None:
        shared = replace(shared, resource=resource)  # GKE's plugin keeps the name of whole GPUs
    return PoolNodes(
        pool=pool.name,
        machine_type=machine.machine_type,
        nodes=pool.nodes,
        capacity=pool.capacity,
        selector={"penstock.dev/pool": pool.name},
        labels=_given(pool, machine, spec) | labels(pool, machine, dranet=pools.dranet(pool)),
        taints=distinct_taints(_by_gke(pool, machine), taints(pool, machine)),
        accelerator=machine.accelerator,
        accelerator_kind=machine.accelerator_kind,
        accelerators=machine.accelerators,
        resource=resource,
        accelerator_memory_gib=sharing.gib(machine),
        fabric=fabric,
        devices={resource: machine.accelerators * (shared.parts if shared is not None else 1)}
        if resource is not None
        else {},
        slice_hosts=slice_.hosts if slice_ is not None else 1,
        claims=_claims(pool, machine),
        pod_annotations=_annotations(pool, spec),
        node_directories=_GIB.get(fabric or "", {}),
        bucket_annotations=_GCSFUSE,
        plugin=find_plugin("gcp", fabric, resource),
        nccl=variables(fabric, machine.accelerator, "gcp"),
        vcpu=machine.vcpu,
        memory_gib=machine.ram_gib,
        cache_gib=pools.local_ssds(pool, machine) * machine.local_ssd_gib or None,
        topology=(*_TOPOLOGY, HOSTNAME) if fabric is not None else (HOSTNAME,),
        queued_hours=_queued_hours(pool),
        software=find_software("gcp", resource, None) if resource is not None else None,
        shared=shared,
        startup_taint=_startup_taint(pool, spec, resource),
    )


def _startup_taint(pool: NodePoolSpec, spec: Spec, resource: str | None) -> Taint | None:
    """What keeps work off new nodes until they are tested; None for nodes that queue for a job.

    Such nodes are scaled down when the pods of their job do not start soon (kubernetes/autoscaler, proposals,
    provisioning-request), and a test takes the time.
    """
    whole = resource if pool.sharing is None and not own_settings(pool).queued else None
    return startup_taint(spec, whole, scaled=True)


def _given(pool: NodePoolSpec, machine: GcpMachine, spec: Spec) -> dict[str, str]:
    """The labels of GKE's own."""
    given = {
        INSTANCE_TYPE: machine.machine_type,
        "cloud.google.com/gke-provisioning": _PROVISIONING.get(pool.capacity, "standard"),
        ARCHITECTURE: ARCHITECTURES[machine.architecture],
    }
    if (zone := pools.zone_of(pool, zones(spec))) is not None:
        given[ZONE] = zone
    if machine.accelerator_kind == "gpu" and machine.label is not None:
        given["cloud.google.com/gke-accelerator"] = machine.label
        given |= _shared_by_gke(pool)
    if machine.accelerator_kind == "tpu" and machine.label is not None:
        given |= {"cloud.google.com/gke-tpu-accelerator": machine.label}
        if (topology := _tpu_topology(pool, machine)) is not None:
            given["cloud.google.com/gke-tpu-topology"] = topology
    return given


def _annotations(pool: NodePoolSpec, spec: Spec) -> dict[str, str]:
    """What a pod says to get every interface of its node; nothing where claims bring them."""
    fabric = pools.fabric(pool)
    if fabric is None or not all(group.subnetworks for group in fabric.groups):
        return {}
    prefix = pools.fabric_prefix(fabric, pools.zone_of(pool, zones(spec)))
    interfaces = [{"interfaceName": "eth0", "network": "default"}]
    interfaces += [
        {"interfaceName": f"eth{index}", "network": f"{prefix}-eth{index}"} for index in range(1, fabric.interfaces + 1)
    ]
    return {
        "networking.gke.io/default-interface": "eth0",
        "networking.gke.io/interfaces": json.dumps(interfaces),
    }


def _claims(pool: NodePoolSpec, machine: GcpMachine) -> tuple[DeviceClaim, ...]:
    """What a pod claims where GKE wires the fabric itself."""
    if machine.fabric is None or not pools.dranet(pool):
        return ()
    of_nodes = of_nvlink(machine.accelerator) if pools.in_nvlink_domain(machine) else ()
    of_fabric = (
        DeviceClaim("interfaces", _INTERFACES[group.device_mode], group.interfaces)
        for group in fabrics.find_fabric(machine.fabric).groups
        if group.role == "accelerator"
    )
    return (*of_nodes, *of_fabric)


def _queued_hours(pool: NodePoolSpec) -> int | None:
    """How long machines run at most that queue until all of a job can start."""
    if not own_settings(pool).queued:
        return None
    return (
        own_settings(pool).max_run_hours or limits.find_limit("flex_start_seconds", "gcp").most // _SECONDS_OF_AN_HOUR
    )


def _shared_by_gke(pool: NodePoolSpec) -> dict[str, str]:
    """Labels of nodes whose GPUs several pods share (GKE documentation, GPU sharing strategies)."""
    if pool.sharing is None:
        return {}
    if pool.sharing.mig is not None:
        return {"cloud.google.com/gke-gpu-partition-size": pool.sharing.mig}
    strategy = "mps" if pool.sharing.mps is not None else "time-sharing"
    return {
        "cloud.google.com/gke-gpu-sharing-strategy": strategy,
        "cloud.google.com/gke-max-shared-clients-per-gpu": str(pool.sharing.mps or pool.sharing.time_slicing),
    }


def _tpu_topology(pool: NodePoolSpec, machine: GcpMachine) -> str | None:
    if pool.topology is not None:
        return pool.topology
    single = (each for each in tpus.topologies(machine) if not tpus.slice_(machine, each).multi_host)
    return next(single, None)


def _by_gke(pool: NodePoolSpec, machine: GcpMachine) -> tuple[Taint, ...]:
    found = []
    if machine.accelerator_kind == "tpu":
        found.append(Taint(key="google.com/tpu", value="present"))
    if machine.architecture == "arm64":
        found.append(Taint(key=ARCHITECTURE, value="arm64"))
    if own_settings(pool).queued:
        found.append(Taint(key="cloud.google.com/gke-queued", value="true"))
    return tuple(found)
