"""The fabrics between the accelerators of Google Cloud: which networks a node needs beside that of its cluster.

tcpx, tcpxo    GPUDirect over TCP: a network of its own for each further interface
rdma           RoCE between eight GPUs a node: one more network for the host, one zonal network for the accelerators
rdma-nvl72     the same for racks of 72 GPUs with NVLink, four GPUs a node
rdma-metal     the same without a hypervisor: Google makes the one subnetwork of the accelerators' network itself
dual-nic       TPU machines with a second interface for the traffic between slices
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from penstock.catalog.records import record
from penstock.catalog.tables import joint_provenance, rows, unknown
from penstock.gcp.facts.machines import GcpMachine

Role = Literal["host", "accelerator"]
DeviceMode = Literal["NetDevice", "RDMA"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkGroup:
    """Networks of one kind, and the interfaces that a node has in them.

    Attributes:
        networks: how many there are.
        subnetworks: how many of our own each of them has; 0 where Google makes one.
        interfaces: how many a node has in all networks of the group together.
        mtu: of the networks, in bytes.
        profile: the network profile without its zone: vpc-roce in us-central1-a is us-central1-a-vpc-roce. None for
            networks without one.
        device_mode: how pods get the interface, in GKE's words.
        nic: the kind of interface: gVNIC, MRDMA or IDPF.
    """

    role: Role
    networks: int
    subnetworks: int
    interfaces: int
    mtu: int
    profile: str | None
    device_mode: DeviceMode
    nic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkFabric:
    """A fabric: its groups, in the order in which a node's further interfaces are numbered."""

    name: str
    groups: tuple[NetworkGroup, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str

    @property
    def interfaces(self) -> int:
        """The interfaces of a node beside its first; neither more nor fewer work."""
        return sum(group.interfaces for group in self.groups)

    @property
    def zonal(self) -> bool:
        """True if its networks lie in one zone, as those with a network profile do."""
        return any(group.profile is not None for group in self.groups)


@cache
def find_fabric(name: str) -> NetworkFabric:
    """The fabric of that name, such as tcpxo.

    Raises:
        UnknownFact: Google Cloud has no such fabric.
    """
    its = [row for row in rows("gcp/fabrics") if row["fabric"] == name]
    if not its:
        raise unknown("fabric on Google Cloud", name, {row["fabric"] for row in rows("gcp/fabrics")})
    groups = tuple(record(NetworkGroup, "gcp/fabrics", row) for row in its)
    return NetworkFabric(name=name, groups=groups, **joint_provenance(its))


def fabric_names() -> tuple[str, ...]:
    """The fabrics of Google Cloud, in the order of the table."""
    return tuple(dict.fromkeys(row["fabric"] for row in rows("gcp/fabrics")))


def dranet(machine: GcpMachine) -> bool:
    """Return whether GKE can make the machine's further interfaces itself, by its network driver DRANET."""
    return any(machine.machine_type.startswith(row["machines"]) for row in rows("gcp/dranet"))
