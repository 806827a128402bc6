"""Counters of NVIDIA's DCGM that its exporter exports here.

The exporter's own file leaves those of ECC, NVLink errors and throttling out, and alerts on them would never fire.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuCounter:
    """One counter, whose metric is called as the field.

    Attributes:
        type: of the metric, as Prometheus has it.
    """

    field: str
    type: Literal["gauge", "counter"]
    help: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def gpu_counters() -> tuple[GpuCounter, ...]:
    """Each counter, in the order of the table."""
    return records(GpuCounter, "kubernetes/gpu_counters")


def counter_file() -> str:
    """The file that the exporter reads."""
    return "".join(f"{each.field}, {each.type}, {each.help}\n" for each in gpu_counters())
