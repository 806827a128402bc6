"""Configurations by which NVIDIA's software shares the GPUs of pools among pods."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from penstock.description.nodes import PoolNodes
from penstock.description.sharing import SharedDevices

_GPU = "nvidia.com/gpu"
_WHOLE = "whole"
_NOT_PARTITIONED = "all-disabled"

_WAYS = {"time_slicing": "timeSlicing", "mps": "mps"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingPlan:
    """How nodes share their GPUs: each by the label it has, those without one by the default.

    Attributes:
        configs: the device plugin's configurations by name; empty where no pool shares GPUs in its ways.
        default: that of nodes without a label.
        partitions: whether some pool has its GPUs partitioned.
        default_partition: the MIG manager's configuration for nodes without a label.
    """

    configs: dict[str, str]
    default: str
    partitions: bool
    default_partition: str


def plan(pools: Iterable[PoolNodes]) -> SharingPlan:
    """The configurations for pools with NVIDIA GPUs; what all of them share is the default, and needs no label."""
    with_gpus = [pool for pool in pools if pool.software is not None and pool.software.resource == _GPU]
    ways = [pool.shared for pool in with_gpus]
    same = ways[0] if ways and all(way == ways[0] for way in ways) else None
    replicated = [way for way in ways if way is not None and way.way != "mig"]
    configs = {way.config: _config(way) for way in replicated}
    return SharingPlan(
        configs={_WHOLE: "version: v1\n", **dict(sorted(configs.items()))} if configs else {},
        default=same.config if same is not None and same.way != "mig" else _WHOLE,
        partitions=len(replicated) < sum(way is not None for way in ways),
        default_partition=same.config if same is not None and same.way == "mig" else _NOT_PARTITIONED,
    )


def plugin_values(sharing: SharingPlan) -> dict[str, Any]:
    """The values of the device plugin's own chart; none where pods have whole GPUs."""
    return {"config": {"map": sharing.configs, "default": sharing.default}} if sharing.configs else {}


def operator_values(sharing: SharingPlan) -> dict[str, Any]:
    """The values of the GPU Operator; none where pods have whole GPUs."""
    values: dict[str, Any] = {}
    if sharing.configs:
        values["devicePlugin"] = {
            "config": {
                "create": True,
                "name": "device-plugin-configs",
                "default": sharing.default,
                "data": sharing.configs,
            }
        }
    if sharing.partitions:
        values["mig"] = {"strategy": "mixed"}  # so that each size of parts has a resource of its own name
        values["migManager"] = {"config": {"default": sharing.default_partition}}
    return values


def _config(shared: SharedDevices) -> str:
    """One configuration; whoever requests several parts of one GPU would get no more of it than with one."""
    lines = ["version: v1", "sharing:", f"  {_WAYS[shared.way]}:", "    renameByDefault: true"]
    if shared.way == "time_slicing":
        lines.append("    failRequestsGreaterThanOne: true")  # MPS knows no other behaviour
    lines += ["    resources:", f"      - name: {_GPU}", f"        replicas: {shared.parts}"]
    return "\n".join(lines) + "\n"
