"""The cost of IOPS and throughput that disks are given beyond what comes with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from penstock.catalog.disk_performance import included_performance
from penstock.catalog.prices import Price
from penstock.cost.amounts import Amount
from penstock.cost.bill import Line, Unpriced, line
from penstock.graph.graph import Resource


class Provisioned(NamedTuple):
    """A disk by its kind, with the IOPS and the MB/s that it is given; None where nobody says."""

    kind: str
    iops: float | None
    mbps: float | None


def performance_items(
    resource: Resource, cloud: str, disk: Provisioned, count: Amount, price_of: Callable[[str], Price | None]
) -> Iterator[Line | Unpriced]:
    """Yield the cost of the performance of `count` disks of one kind, each part with its price.

    Where none comes with the disk and nobody says how much it is given, the cloud decides, and that is named.
    """
    included = included_performance(cloud, disk.kind)
    if included is None:
        return
    parts = (("IOPS", disk.iops, included.iops), ("MB/s", disk.mbps, included.mbps))
    for unit, given, free in parts:
        if free is None:
            continue
        if given is None and not free:
            why = f"{unit} of {disk.kind}: nobody says how many"
            yield Unpriced(resource.urn, why, f"{unit} that are provisioned", missing="use")
        elif given is not None and given > free:
            price = price_of(f"{disk.kind} {'iops' if unit == 'IOPS' else 'throughput'}")
            beyond = f" over {free}" if free else ""
            yield line(resource, f"{given - free:g} {unit}{beyond}, {disk.kind}", count * (given - free), price)
