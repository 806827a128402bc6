"""What a healthy node reaches at least, from what its machine is sold with."""

from __future__ import annotations

from penstock.catalog import machines
from penstock.description.nodes import PoolNodes
from penstock.description.storage import LustreSpec, StorageSpec
from penstock.kubernetes.facts import nvlink

LINE_RATE_SHARE = 0.7
"""The share of line rate that large all-reduce messages reach on a fabric that works, from four nodes on."""

LOCAL_DISK_MBPS = 250
"""Less than any NVMe disk writes and reads in a row, and twice what a disk over the network does that nobody paid to be
faster (EBS user guide: gp3, 125 MB/s)."""

_CLIENT_MBPS = 1250
"""10 Gbit/s: what one node is expected to move to and from a file system at most, whatever its network could carry."""

_GATE_NODES = 4
_BITS = 8


def gate_nodes(pool: PoolNodes) -> int:
    """The nodes that are tested together: enough for traffic over the fabric, where the pool has them."""
    return min(_GATE_NODES, pool.nodes.max) if pool.plugin is not None else 1


def line_rate_gbps(pool: PoolNodes, provider: str, described: float | None) -> float | None:
    """The rate of the fabric of a node, all interfaces together; None where there is none or nobody knows.

    `described` is that of the description, for machines that no cloud names.
    """
    if pool.fabric_resource is None:
        return None
    if provider == "kubernetes" or pool.machine_type is None:
        return described
    return machines.find_machine(pool.machine_type, provider).network_gbps


def bus_bandwidth_floor_gbs(line_rate: float | None, nodes: int) -> float | None:
    """The least bus bandwidth of an all-reduce, in GB/s as nccl-tests count it; None where nothing is expected.

    A ring sends each byte over each node's fabric once, so that its bus bandwidth is at most the node's line rate.
    """
    if line_rate is None or nodes < _GATE_NODES:
        return None
    return round(LINE_RATE_SHARE * line_rate / _BITS, 1)


def node_bandwidth_floor_gbs(pool: PoolNodes) -> float | None:
    """The same for an all-reduce between the GPUs of one node; None where nobody knows how they are joined.

    As over the fabric, a byte is sent once over each link: one way, which is half of what NVLink is sold with.
    """
    rate = nvlink.rate_gbs(pool.accelerator, pool.accelerators)
    return round(LINE_RATE_SHARE * rate / 2, 1) if rate is not None else None


def storage_floor_mbps(item: StorageSpec, nodes: int) -> int | None:
    """The least that each of several nodes writes and reads at once, in MB/s; None where storage promises nothing.

    All of them together reach at most what the description has the file system deliver.
    """
    if not isinstance(item, LustreSpec):
        return None
    promised = item.throughput_mbps_per_tib * item.capacity_tib
    return int(LINE_RATE_SHARE * min(promised / nodes, _CLIENT_MBPS))
