"""The record of a machine type, as far as every cloud has one alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

AcceleratorKind = Literal["gpu", "neuron", "fpga", "tpu"]
Architecture = Literal["x86_64", "arm64"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The facts that every cloud publishes of a machine type; None is "not known".

    Attributes:
        sold_by: The cloud of a record that one cloud alone has.
        accelerator: lower case, such as h100; None for a machine without one.
        memory_mib_each: memory of one accelerator as the cloud's API reports it, not the round figure of its maker. On
            Google Cloud, whose API does not say, the GB of its documentation, taken as GiB.
        network_gbps: what it sustains; small machines may burst above it.
        quota: the family in `catalog.quotas`.
        sold: of on_demand, spot, reserved, capacity_block, flex_start.
        default: whether this is the machine that its accelerator's name alone finds.
        fabric: the fabric between its accelerators, where the cloud has several; None for a machine without one.
        unverified: the fields that no primary source confirms.
    """

    sold_by: ClassVar[str] = ""

    cloud: str
    machine_type: str
    family: str
    accelerator: str | None
    accelerator_kind: AcceleratorKind | None
    accelerators: int
    memory_mib_each: int | None
    vcpu: int
    ram_gib: float
    network_gbps: float | None
    architecture: Architecture
    quota: str
    sold: tuple[str, ...]
    default: bool
    fabric: str | None = None
    unverified: tuple[str, ...]
    source: str
    as_of: str
