"""The records of a topology: where subnets lie, where a resource stands, and what joins the machines of a pool."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlacedSubnet:
    """A range of addresses in a region, and in one zone of it where the cloud's subnets are zonal.

    `urn` is that of the resource that describes it; `region`, `zone` and `cidr` are empty where they are not known.
    """

    urn: str
    name: str
    region: str
    zone: str
    cidr: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a resource stands: its region, and its zones in the cloud's full names; no zones means the whole region."""

    region: str
    zones: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PoolFabric:
    """The network between the accelerators of a pool's machines.

    Attributes:
        name: As people call it: EFA, InfiniBand, GPUDirect-TCPXO.
        interfaces: The interfaces of one machine in it; 0 where it has none of its own, as between TPU chips.
        gbps: What one machine sustains, all interfaces together; None where that is not known.
        shape: The shape in which machines are joined, such as the topology of a TPU slice; empty where there is none.
        compact: True where the cloud is asked to place the machines next to each other.
    """

    name: str
    interfaces: int
    gbps: float | None
    shape: str = ""
    compact: bool = False
