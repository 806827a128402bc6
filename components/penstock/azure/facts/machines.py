"""Sizes of virtual machines: what AKS needs to know to run them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from penstock.catalog.machine import Machine


@dataclass(frozen=True, slots=True, kw_only=True)
class AzureMachine(Machine):
    """A size of Azure's virtual machines, whose `quota` is a family of vCPU as the API spells it.

    `network_gbps` is that of InfiniBand, all interfaces together, where the size has it, and of Ethernet elsewhere.

    Attributes:
        ethernet_gbps: the most that all Ethernet interfaces sustain together.
        interfaces: how many Ethernet interfaces it takes at most.
        infiniband_nics: InfiniBand interfaces, which pods request as rdma/ib; 0 for a size without RDMA.
        infiniband_gbps: the rate of each; None without RDMA.
        accelerated_networking: whether its Ethernet interfaces bypass the host.
        temp_gib: the temporary disk, which a node may start from; 0 for none.
        nvme_disks: raw NVMe disks beside it; None is "not known".
        nvme_gib: all of them together; None is "not known".
        ephemeral_os: whether a node may start from a local disk instead of a managed one.
        host_encryption: whether the host encrypts its local disks and caches; None is "not known".
    """

    sold_by: ClassVar[str] = "azure"

    network_gbps: float
    ethernet_gbps: float
    interfaces: int
    infiniband_nics: int
    infiniband_gbps: int | None
    accelerated_networking: bool
    temp_gib: int
    nvme_disks: int | None
    nvme_gib: int | None
    ephemeral_os: bool
    host_encryption: bool | None

    @property
    def rdma(self) -> bool:
        """Whether its accelerators reach those of other machines over InfiniBand."""
        return self.infiniband_nics > 0


MACHINE = AzureMachine
"""What `catalog.machines` fills from this room's table."""
