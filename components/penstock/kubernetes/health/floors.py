"""What a healthy node reaches at least, from what its machine is sold with."""

from __future__ import annotations

from penstock.catalog import machines
from penstock.spec.nodes import PoolNodes

LINE_RATE_SHARE = 0.7
"""The share of line rate that large all-reduce messages reach on a fabric that works, from four nodes on."""

_GATE_NODES = 4
_BITS = 8


def gate_nodes(pool: PoolNodes) -> int:
    """The nodes that are tested together: enough for traffic over the fabric, where the pool has them."""
    return min(_GATE_NODES, pool.nodes.max) if pool.fabric_resource is not None else 1


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
