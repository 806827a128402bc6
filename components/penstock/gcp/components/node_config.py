"""The configuration of a pool's machines: their type, accelerators, disks, account and kernel."""

from __future__ import annotations

from typing import cast

from pulumi_gcp import container

from penstock.catalog import limits
from penstock.description import node_pool
from penstock.description.node_pool import NodePoolSpec, Taint
from penstock.gcp.components import capacity, scheduling
from penstock.gcp.components.handles import ClusterHandle, KeyHandle
from penstock.gcp.description import nodes, pools
from penstock.gcp.description.node_pool_block import own_settings
from penstock.gcp.facts import sysctls
from penstock.gcp.facts.machines import GcpMachine


def node_config(
    spec: NodePoolSpec, *, cluster: ClusterHandle, key: KeyHandle, dranet: bool, startup_taint: Taint | None
) -> container.NodePoolNodeConfigArgsDict:
    """The configuration of the nodes of a pool.

    `dranet` says whether GKE wires their fabric itself, and the `startup_taint` keeps work off new ones.
    """
    machine = pools.machine(spec)
    metal = machine.machine_type.endswith("-metal")
    config: container.NodePoolNodeConfigArgsDict = {
        "machine_type": machine.machine_type,
        "guest_accelerators": _gpus(spec, machine),
        "image_type": "COS_CONTAINERD",  # the image for which GKE brings drivers, gVNIC and image streaming
        "disk_type": machine.boot_disks[0],
        "disk_size_gb": node_pool.boot_disk_gib(spec, machine),
        "boot_disk_kms_key": key.id,
        "ephemeral_storage_local_ssd_config": _local_ssds(spec, machine),
        "gvnic": {"enabled": True},
        "gcfs_config": {"enabled": True},
        "service_account": cluster.node_account,
        "oauth_scopes": ["https://www.googleapis.com/auth/cloud-platform"],  # the account's roles say what it may do
        "workload_metadata_config": {"mode": "GKE_METADATA"},  # pods get an identity of their own, not the node's
        "metadata": {"disable-legacy-endpoints": "true"},
        "shielded_instance_config": None
        if metal  # there is no virtual firmware to shield
        else {"enable_secure_boot": True, "enable_integrity_monitoring": True},
        "spot": spec.capacity == "spot" or None,
        "flex_start": spec.capacity == "flex_start" or None,
        "max_run_duration": capacity.longest_run(spec),
        "reservation_affinity": capacity.reservation(spec),
        "host_maintenance_policy": _maintenance(spec),
        "linux_node_config": _linux(machine, metal=metal),
        "labels": nodes.labels(spec, machine, dranet=dranet),
        "taints": scheduling.taints(spec, machine, startup_taint) or None,
        "resource_labels": spec.tags,
    }
    # A value of None in it would reach Google as a wish for nothing, and not as none.
    return cast(
        container.NodePoolNodeConfigArgsDict, {name: value for name, value in config.items() if value is not None}
    )


def _gpus(spec: NodePoolSpec, machine: GcpMachine) -> list[container.NodePoolNodeConfigGuestAcceleratorArgsDict] | None:
    if machine.accelerator_kind != "gpu" or machine.label is None:
        return None
    gpu: container.NodePoolNodeConfigGuestAcceleratorArgsDict = {
        "type": machine.label,
        "count": machine.accelerators,
        # Left out, GKE fills it in, and the pool would differ from its description forever.
        "gpu_driver_installation_config": {"gpu_driver_version": "DEFAULT"},
    }
    if spec.sharing is not None and spec.sharing.mig is not None:
        gpu["gpu_partition_size"] = spec.sharing.mig
    elif spec.sharing is not None:
        gpu["gpu_sharing_config"] = {
            "gpu_sharing_strategy": "MPS" if spec.sharing.mps is not None else "TIME_SHARING",
            "max_shared_clients_per_gpu": spec.sharing.mps or spec.sharing.time_slicing or 0,
        }
    return [gpu]


def _local_ssds(
    spec: NodePoolSpec, machine: GcpMachine
) -> container.NodePoolNodeConfigEphemeralStorageLocalSsdConfigArgsDict | None:
    """Those that come with the machine, or as many as asked for, as one place for what pods write and forget."""
    count = pools.local_ssds(spec, machine)
    return {"local_ssd_count": count} if count else None


def _maintenance(spec: NodePoolSpec) -> container.NodePoolNodeConfigHostMaintenancePolicyArgsDict | None:
    interval = own_settings(spec).host_maintenance
    return {"maintenance_interval": interval.upper()} if interval is not None else None


def _linux(machine: GcpMachine, *, metal: bool) -> container.NodePoolNodeConfigLinuxNodeConfigArgsDict | None:
    linux: container.NodePoolNodeConfigLinuxNodeConfigArgsDict = {}
    if settings := sysctls.of_nodes(machine.accelerator_kind):
        linux["sysctls"] = settings
    if metal:
        linux["hugepages_config"] = {"hugepage_size2m": limits.find_limit("metal_huge_pages", "gcp").most}
    return linux or None
