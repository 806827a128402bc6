"""Machine types of Compute Engine: what GKE needs to know to run them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from penstock.catalog.machine import Machine


@dataclass(frozen=True, slots=True, kw_only=True)
class GcpMachine(Machine):
    """A machine type of Compute Engine.

    Attributes:
        label: what GKE calls its accelerator in labels and requests, such as nvidia-h100-mega-80gb.
        local_ssds: how many local SSDs it can have; one number where they come with the machine.
        local_ssd_gib: the size of each.
        interfaces: physical network interfaces; None is "not known".
        boot_disks: the types of boot disk that it takes, its default first.
        compact_nodes: the most nodes of a pool that GKE's autoscaler places compactly; None where it does not.
    """

    sold_by: ClassVar[str] = "gcp"

    label: str | None
    local_ssds: tuple[int, ...]
    local_ssd_gib: int
    interfaces: int | None
    boot_disks: tuple[str, ...]
    compact_nodes: int | None


MACHINE = GcpMachine
"""What `catalog.machines` fills from this room's table."""
