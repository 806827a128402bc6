"""NVLink between the GPUs of one node."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class NvlinkBoard:
    """A board of GPUs that are all joined by NVLink.

    Attributes:
        accelerators: how many there are; machines with fewer of them may join them otherwise.
        gbs: what one sends and receives together, in GB/s.
    """

    accelerator: str
    accelerators: int
    gbs: int
    unverified: tuple[str, ...]
    source: str
    as_of: str


def rate_gbs(accelerator: str | None, accelerators: int) -> int | None:
    """What each GPU of such a node sends and receives over NVLink, in GB/s; None where nobody knows."""
    board = keyed(NvlinkBoard, "kubernetes/nvlink").get(accelerator or "")
    return board.gbs if board is not None and accelerators == board.accelerators else None
