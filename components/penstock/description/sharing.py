"""GPUs that several pods share: what the pods request, and what makes a node share its GPUs so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from penstock.catalog.machine import Machine
from penstock.catalog.tables import unknown
from penstock.core.quantities import MIB_PER_GIB
from penstock.description.node_pool import NodePoolSpec, Sharing
from penstock.kubernetes.facts import mig
from penstock.kubernetes.facts.device_software import SharingWay

PLUGIN_CONFIG: Final = "nvidia.com/device-plugin.config"
"""The label by which NVIDIA's device plugin chooses one of its configurations for a node."""

MIG_CONFIG: Final = "nvidia.com/mig.config"
"""The label by which the GPU Operator's MIG manager partitions the GPUs of a node."""

MPS_CAPABLE: Final = "nvidia.com/mps.capable"
"""On nodes where the control daemon of MPS runs, by the chart of NVIDIA's device plugin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDevices:
    """One way to share the GPUs of a node.

    Attributes:
        parts: how many pods one GPU serves.
        resource: what a pod requests one of.
        config: the configuration of the MIG manager, or of the device plugin for the other ways.
    """

    way: SharingWay
    parts: int
    resource: str
    config: str


def ways_of(sharing: Sharing) -> tuple[SharingWay, ...]:
    """The ways of sharing that a description names."""
    named: dict[SharingWay, object] = {
        "mig": sharing.mig,
        "time_slicing": sharing.time_slicing,
        "mps": sharing.mps,
    }
    return tuple(way for way, value in named.items() if value is not None)


def gib(machine: Machine) -> float | None:
    """The memory of one accelerator of a machine, in GiB."""
    return machine.memory_mib_each / MIB_PER_GIB if machine.memory_mib_each is not None else None


def shared_devices(pool: NodePoolSpec, accelerator: str | None, memory_gib: float | None) -> SharedDevices | None:
    """How pods share the GPUs of a pool, with the names that NVIDIA's device plugin gives; None for whole GPUs.

    Raises:
        UnknownFact: the GPU has no such partitions. A pool of a description that was checked never raises.
    """
    sharing = pool.sharing
    if sharing is None or accelerator is None:
        return None
    if sharing.mig is not None:
        sizes = mig.profiles(accelerator, memory_gib)
        if sharing.mig not in sizes:
            raise unknown("MIG profile", sharing.mig, sizes)
        return SharedDevices(
            way="mig",
            parts=sizes[sharing.mig].parts,
            resource=f"nvidia.com/mig-{sharing.mig}",
            config=f"all-{sharing.mig}",
        )
    if sharing.mps is not None:
        return _replicated("mps", sharing.mps)
    return _replicated("time_slicing", sharing.time_slicing) if sharing.time_slicing is not None else None


def plugin_labels(shared: SharedDevices) -> dict[str, str]:
    """The labels that make NVIDIA's device plugin, installed by its own chart, share the GPUs of a node so."""
    return {PLUGIN_CONFIG: shared.config, **({MPS_CAPABLE: "true"} if shared.way == "mps" else {})}


def operator_labels(shared: SharedDevices) -> dict[str, str]:
    """The labels that make the GPU Operator share the GPUs of a node so."""
    return {MIG_CONFIG if shared.way == "mig" else PLUGIN_CONFIG: shared.config}


def _replicated(way: SharingWay, pods: int) -> SharedDevices:
    return SharedDevices(
        way=way, parts=pods, resource="nvidia.com/gpu.shared", config=f"{way.replace('_', '-')}-{pods}"
    )
