"""The cost of snapshots of volumes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.aws.cost.storage import linked, service
from penstock.aws.types import EBS_SNAPSHOT, EBS_SNAPSHOT_COPY, EBS_SNAPSHOT_IMPORT, EBS_VOLUME
from penstock.cost.amounts import Amount
from penstock.cost.bill import Line, Unpriced, by_use, line
from penstock.cost.declared import path_of
from penstock.cost.stored import declared_amount
from penstock.graph.view import View

_Items = Iterator[Line | Unpriced]


def _snapshot(view: View) -> _Items:
    """A snapshot holds at most what its volume holds; a copy holds what its source does."""
    given, price = declared_amount(view, "storage", "gb"), service(view, "ebs", "snapshots")
    gib = _volume_gib(view)
    if given is not None:
        yield line(view.resource, "snapshot", given, price)
    elif gib is not None:
        yield line(view.resource, "snapshot", Amount(0, gib, gib), price, assumes="at most the size of its volume")
    else:
        yield by_use(view.resource, "snapshot, by use", path_of(view, "storage", "gb"), price)


def _volume_gib(view: View) -> float | None:
    snapshot = linked(view, "sourceSnapshotId", EBS_SNAPSHOT) if "sourceSnapshotId" in view else view
    volume = linked(snapshot, "volumeId", EBS_VOLUME) if snapshot is not None else None
    return volume.number("size") if volume is not None else None


PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {
    EBS_SNAPSHOT: _snapshot,
    EBS_SNAPSHOT_COPY: _snapshot,
    EBS_SNAPSHOT_IMPORT: _snapshot,
}
"""The functions that price them, by type token."""
