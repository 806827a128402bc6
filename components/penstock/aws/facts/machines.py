"""Machine types of EC2: what EKS needs to know to run them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from penstock.catalog.machine import Machine

EfaLayout = Literal["A", "B", "C", "D"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AwsMachine(Machine):
    """A machine type of EC2.

    Attributes:
        nvme_gb: local disks together, in GB of 10^9 bytes; 0 for none.
        efa_max: EFA devices that may be attached. Not always the number of network cards.
        interfaces_per_card: the most that any card takes; some cards of layout D take one less.
        pods: the most pods a node can give an address to without prefix delegation.
        pods_efa_only: the same when one efa-only interface sits on card 0.
        efa_layout: how EFA interfaces are spread over the cards; `penstock.aws.facts.efa` explains the letters.
        ami_type: the EKS AMI type that carries the drivers.
    """

    sold_by: ClassVar[str] = "aws"

    network_gbps: float
    nvme_gb: int
    ebs_gbps: float | None
    efa_max: int
    network_cards: int | None
    interfaces_per_card: int | None
    addresses_per_interface: int | None
    pods: int | None
    pods_efa_only: int | None
    efa_layout: EfaLayout | None
    ami_type: str

    @property
    def card_gbps(self) -> float:
        """What one network card sustains, in Gbit/s: pods have their addresses on the first card."""
        return self.network_gbps / (self.network_cards or 1)


MACHINE = AwsMachine
"""What `catalog.machines` fills from this room's table."""
