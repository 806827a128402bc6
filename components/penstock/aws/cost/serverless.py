"""The cost of tasks on Fargate, and of functions that are kept warm."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.aws.cost.storage import linked, service
from penstock.aws.types import (
    ECS_SERVICE,
    ECS_TASK_DEFINITION,
    ECS_TASK_SET,
    LAMBDA_FUNCTION,
    LAMBDA_PROVISIONED_CONCURRENCY_CONFIG,
)
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.cost.words import quantity
from penstock.graph.view import View

_Items = Iterator[Line | Unpriced]

_UNITS: Final = 1024
"""CPU units in a vCPU, and MiB in a GB."""
_SIZE: Final = re.compile(r"(?P<number>\d+(\.\d+)?|\.\d+) ?(?P<unit>[a-z]*)")
_FARGATE: Final = ("FARGATE", "FARGATE_SPOT")
_TASK_STORAGE_GB: Final = 20
"""The storage of a task that is in its price (ECS developer guide, Fargate task storage)."""
_HOUR_S: Final = 3600
_FUNCTION_MIB: Final = 128
"""The default memory of a function (Lambda API reference, CreateFunction MemorySize)."""


def _tasks(view: View) -> _Items:
    """Tasks on Fargate are billed by vCPU and GB; those on machines are paid with the machines."""
    provider = _provider(view)
    if provider not in _FARGATE:
        why = "tasks on machines of the cluster, which are billed in their place"
        yield Unpriced(view.urn, why, "its machines", missing="elsewhere")
        return
    count = view.integer("desiredCount") or 0
    task = linked(view, "taskDefinition", ECS_TASK_DEFINITION)
    if task is None or provider != "FARGATE" or _platform(task).startswith("WINDOWS"):
        sold = "on Fargate Spot" if provider != "FARGATE" else "on Fargate"
        yield Unpriced(view.urn, f"{count} tasks {sold}: no price known", "the vCPU and GB of its tasks")
        return
    arm = " on Arm" if _platform(task).endswith("ARM64") else ""
    cpu, memory = _amount_of(task.text("cpu"), "vcpu"), _amount_of(task.text("memory"), "gb")
    note = "" if count else "desiredCount is not set: no task runs"
    for what, each, item in (("vCPU", cpu, f"vCPU{arm}"), ("GB of memory", memory, f"GB{arm}")):
        hours = count * each * HOURS_A_MONTH if each is not None else None
        words = f"{count} tasks, {quantity(each, what)} each"
        yield line(view.resource, words, hours, service(view, "fargate", item), assumes=note)
    disk = task.block("ephemeralStorage")
    gib = (disk.number("sizeInGib") if disk is not None else None) or _TASK_STORAGE_GB
    if gib > _TASK_STORAGE_GB:
        beyond = (gib - _TASK_STORAGE_GB) * count
        what = f"{beyond:g} GB of task storage over {_TASK_STORAGE_GB} each"
        yield line(view.resource, what, beyond * HOURS_A_MONTH, service(view, "fargate", "storage over 20 GB"))


def _provider(view: View) -> str:
    """Return the capacity provider of a service; of several, the one with the largest weight."""
    strategies = view.blocks("capacityProviderStrategies")
    if strategies:
        return max(strategies, key=lambda each: each.number("weight") or 0).text("capacityProvider") or ""
    return view.text("launchType") or "EC2"


def _platform(task: View) -> str:
    platform = task.block("runtimePlatform")
    if platform is None:
        return "LINUX X86_64"
    family, architecture = platform.text("operatingSystemFamily"), platform.text("cpuArchitecture")
    return f"{family or 'LINUX'} {architecture or 'X86_64'}"


def _amount_of(text: str | None, unit: str) -> float | None:
    """Return the vCPU or GB of a task, which are units of 1/1024, or numbers with their unit such as `.5 vCPU`."""
    read = _SIZE.fullmatch(text.strip().lower()) if text is not None else None
    if read is None or read["unit"] not in ("", unit):
        return None
    return float(read["number"]) / (1 if read["unit"] else _UNITS)


def _kept_warm(view: View) -> _Items:
    function = linked(view, "functionName", LAMBDA_FUNCTION)
    count = view.integer("provisionedConcurrentExecutions")
    if function is None:
        what = quantity(count, "instances kept warm")
        yield Unpriced(view.urn, f"{what}: the memory of the function is not known", "its memorySize", missing="amount")
        return
    gb = (function.number("memorySize") or _FUNCTION_MIB) / _UNITS
    arm = " on Arm" if "arm64" in function.texts("architectures") else ""
    seconds = count * gb * HOURS_A_MONTH * _HOUR_S if count is not None else None
    what = f"{quantity(count, 'instances kept warm')}, {gb:g} GB each"
    yield line(view.resource, what, seconds, service(view, "lambda", f"provisioned GB-second{arm}"))


PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {
    ECS_SERVICE: _tasks,
    ECS_TASK_SET: _tasks,
    LAMBDA_PROVISIONED_CONCURRENCY_CONFIG: _kept_warm,
}
"""The functions that price them, by type token."""
