"""Machine types: their accelerators, memory, network and what EKS and GKE need to know to run them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast, overload

from penstock.catalog.tables import Provenance, integer, number, provenance, rows, unknown

AcceleratorKind = Literal["gpu", "neuron", "fpga", "tpu"]
EfaLayout = Literal["A", "B", "C", "D"]
Architecture = Literal["x86_64", "arm64"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What every cloud says of a machine type; None is "not known".

    Attributes:
        accelerator: lower case, such as h100; None for a machine without one.
        memory_mib_each: memory of one accelerator as the cloud's API reports it, not the round figure of its maker. On
            Google Cloud, whose API does not tell, the GB of its documentation, taken as GiB.
        network_gbps: what it sustains; small machines may burst above it.
        quota: the family in `catalog.quotas`.
        sold: of on_demand, spot, reserved, capacity_block, flex_start.
        default: whether this is the machine that its accelerator's name alone finds.
        unverified: the fields that no primary source confirms.
    """

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
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AwsMachine(Machine):
    """A machine type of EC2.

    Attributes:
        nvme_gb: local disks together, in GB of 10^9 bytes; 0 for none.
        efa_max: EFA devices that may be attached. Not always the number of network cards.
        interfaces_per_card: the most that any card takes; some cards of layout D take one less.
        pods: the most pods a node can give an address to without prefix delegation.
        pods_efa_only: the same when one efa-only interface sits on card 0.
        efa_layout: how EFA interfaces are spread over the cards; `catalog.efa` explains the letters.
        ami_type: the EKS AMI type that carries the drivers.
    """

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


@dataclass(frozen=True, slots=True, kw_only=True)
class GcpMachine(Machine):
    """A machine type of Compute Engine.

    Attributes:
        label: what GKE calls its accelerator in labels and requests, such as nvidia-h100-mega-80gb.
        local_ssds: how many local SSDs it can have; one number where they come with the machine.
        local_ssd_gib: the size of each.
        interfaces: physical network interfaces; None is "not known".
        fabric: the fabric between its accelerators, in `catalog.fabrics`; None for a machine without one.
        boot_disks: the types of boot disk that it takes, its default first.
        compact_nodes: the most nodes of a pool that GKE's autoscaler places compactly; None where it does not.
    """

    label: str | None
    local_ssds: tuple[int, ...]
    local_ssd_gib: int
    interfaces: int | None
    fabric: str | None
    boot_disks: tuple[str, ...]
    compact_nodes: int | None


@overload
def find(machine_type: str, cloud: Literal["aws"] = "aws") -> AwsMachine: ...
@overload
def find(machine_type: str, cloud: Literal["gcp"]) -> GcpMachine: ...
@overload
def find(machine_type: str, cloud: str) -> Machine: ...
def find(machine_type: str, cloud: str = "aws") -> Machine:
    """The machine type of that exact name.

    Raises:
        UnknownFact: the catalogue has no such type; the text names the nearest ones.
    """
    table = _table(cloud)
    if machine_type not in table:
        raise unknown("machine type", machine_type, table)
    return _machine(cloud, machine_type)


@overload
def all(cloud: Literal["aws"] = "aws") -> tuple[AwsMachine, ...]: ...  # noqa: A001 - read as machines.all()
@overload
def all(cloud: Literal["gcp"]) -> tuple[GcpMachine, ...]: ...  # noqa: A001
@overload
def all(cloud: str) -> tuple[Machine, ...]: ...  # noqa: A001
def all(cloud: str = "aws") -> tuple[Machine, ...]:  # noqa: A001
    """Every machine type of a cloud, in the order of the table."""
    return tuple(_machine(cloud, machine_type) for machine_type in _table(cloud))


def accelerators(cloud: str = "aws") -> tuple[str, ...]:
    """The names of the accelerators that a cloud offers, sorted."""
    return tuple(sorted({row["accelerator"] for row in _table(cloud).values() if row["accelerator"]}))


@overload
def for_accelerator(
    accelerator: str,
    count: int | None = None,
    cloud: Literal["aws"] = "aws",
    sold: Collection[str] | None = None,
) -> AwsMachine: ...
@overload
def for_accelerator(
    accelerator: str, count: int | None, cloud: Literal["gcp"], sold: Collection[str] | None = None
) -> GcpMachine: ...
@overload
def for_accelerator(
    accelerator: str, count: int | None, cloud: str, sold: Collection[str] | None = None
) -> Machine: ...
def for_accelerator(
    accelerator: str, count: int | None = None, cloud: str = "aws", sold: Collection[str] | None = None
) -> Machine:
    """The machine to take when only the accelerator is named.

    Without a count: the largest standard node of an accelerator made for training, the smallest sensible one for
    inference (the table marks it). With one: the machine with exactly that many accelerators and the fewest vCPU.
    Of machines with as many accelerators, those among `sold` (what a region sells) come before all others.

    Raises:
        UnknownFact: no machine has that accelerator, or none has that many; the text says what there is.
    """
    candidates = [machine for machine in all(cloud) if machine.accelerator == accelerator]
    if not candidates:
        raise unknown("accelerator", accelerator, accelerators(cloud))
    default = next(machine for machine in candidates if machine.default)
    if count is None and (sold is None or default.machine_type in sold):
        return default
    wanted = default.accelerators if count is None else count
    exact = [machine for machine in candidates if machine.accelerators == wanted]
    if not exact:
        counts = {str(machine.accelerators) for machine in candidates}
        raise unknown(f"number of {accelerator} in one machine", count, counts)
    there = [machine for machine in exact if sold is None or machine.machine_type in sold]
    if count is None and not there:
        return default  # the one to name as not sold there
    return min(there or exact, key=lambda machine: (machine.vcpu, not machine.default))


@cache
def _table(cloud: str) -> dict[str, dict[str, str]]:
    return {row["machine_type"]: row for row in rows(f"{cloud}/machines")}


@cache
def _machine(cloud: str, machine_type: str) -> Machine:
    row = _table(cloud)[machine_type]
    return _OF_CLOUD[cloud](row) if cloud in _OF_CLOUD else _plain(cloud, row)


def _plain(cloud: str, row: Mapping[str, str]) -> Machine:
    """A machine of a cloud whose tables say no more than those of every cloud."""
    return Machine(**_shared(cloud, row), network_gbps=number(row["network_gbps"]))


def _aws(row: Mapping[str, str]) -> AwsMachine:
    return AwsMachine(
        **_shared("aws", row),
        network_gbps=float(row["network_gbps"]),
        nvme_gb=int(row["nvme_gb"]),
        ebs_gbps=number(row["ebs_gbps"]),
        efa_max=int(row["efa_max"]),
        network_cards=integer(row["network_cards"]),
        interfaces_per_card=integer(row["interfaces_per_card"]),
        addresses_per_interface=integer(row["addresses_per_interface"]),
        pods=integer(row["pods"]),
        pods_efa_only=integer(row["pods_efa_only"]),
        efa_layout=cast(EfaLayout, row["efa_layout"]) or None,
        ami_type=row["ami_type"],
    )


def _gcp(row: Mapping[str, str]) -> GcpMachine:
    return GcpMachine(
        **_shared("gcp", row),
        network_gbps=number(row["network_gbps"]),
        label=row["label"] or None,
        local_ssds=tuple(map(int, row["local_ssds"].split())),
        local_ssd_gib=int(row["local_ssd_gib"]),
        interfaces=integer(row["interfaces"]),
        fabric=row["fabric"] or None,
        boot_disks=tuple(row["boot_disks"].split()),
        compact_nodes=integer(row["compact_nodes"]),
    )


_OF_CLOUD: Mapping[str, Callable[[Mapping[str, str]], Machine]] = {"aws": _aws, "gcp": _gcp}


class _Shared(Provenance):
    cloud: str
    machine_type: str
    family: str
    accelerator: str | None
    accelerator_kind: AcceleratorKind | None
    accelerators: int
    memory_mib_each: int | None
    vcpu: int
    ram_gib: float
    architecture: Architecture
    quota: str
    sold: tuple[str, ...]
    default: bool


def _shared(cloud: str, row: Mapping[str, str]) -> _Shared:
    return {
        "cloud": cloud,
        "machine_type": row["machine_type"],
        "family": row["family"],
        "accelerator": row["accelerator"] or None,
        "accelerator_kind": cast(AcceleratorKind, row["accelerator_kind"]) or None,
        "accelerators": int(row["accelerators"]),
        "memory_mib_each": integer(row["memory_mib_each"]),
        "vcpu": int(row["vcpu"]),
        "ram_gib": float(row["ram_gib"]),
        "architecture": cast(Architecture, row["architecture"]),
        "quota": row["quota"],
        "sold": tuple(row["sold"].split()),
        "default": row["default"] == "yes",
        **provenance(row),
    }
