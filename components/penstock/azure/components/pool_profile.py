"""The machines of a node pool as AKS takes them: the same words for the first pool of a cluster and any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from penstock.azure.components.handles import NetworkHandle
from penstock.azure.description import nodes, pools
from penstock.azure.facts import os_skus
from penstock.catalog import limits
from penstock.description import node_pool
from penstock.description.node_pool import NodePoolSpec

_OS, _OS_OF_ARM = "Ubuntu", "Ubuntu2404"
_RELEASE_OF_ARM = "24.04"
"""GB200 and GB300 run on it alone (Azure/ai-infrastructure-on-azure, AKS)."""


def pool_profile(spec: NodePoolSpec, *, network: NetworkHandle, zones: Sequence[str], version: str) -> dict[str, Any]:
    """What holds for every pool: numbers, reservation, size, image, disks, labels, taints and zones.

    Args:
        spec: The pool.
        network: Its subnet of nodes.
        zones: Those that the pool is in, full names; none in a region without zones.
        version: Of Kubernetes.
    """
    machine = pools.machine(spec)
    disk_gib = node_pool.boot_disk_gib(spec, machine)
    ephemeral = machine.ephemeral_os and machine.temp_gib >= disk_gib
    own_os = machine.architecture == "arm64" and not os_skus.find_os_sku(_OS).is_release(_RELEASE_OF_ARM, version)
    smallest, largest = spec.nodes.min, spec.nodes.max
    return {
        "count": smallest,
        "enable_auto_scaling": smallest != largest,
        **({"min_count": smallest, "max_count": largest} if smallest != largest else {}),
        **({"capacity_reservation_group_id": spec.reservation} if spec.reservation is not None else {}),
        "type": "VirtualMachineScaleSets",  # others have neither InfiniBand nor zones
        "vm_size": machine.machine_type,
        "os_type": "Linux",
        "os_sku": _OS_OF_ARM if own_os else _OS,
        "os_disk_type": "Ephemeral" if ephemeral else "Managed",
        "os_disk_size_gb": disk_gib,
        "kubelet_disk_type": "OS",
        "max_pods": limits.find_limit("pods_per_node", "azure").most,
        "vnet_subnet_id": network.nodes,
        "enable_node_public_ip": False,
        "enable_encryption_at_host": machine.host_encryption is True,
        "enable_fips": False,
        "node_labels": nodes.labels(spec, machine),
        "node_taints": [f"{taint.key}={taint.value}:{taint.effect}" for taint in nodes.taints(spec, machine)],
        "tags": spec.tags,
        **({"availability_zones": [zone.rpartition("-")[2] for zone in zones]} if zones else {}),
    }
