"""MPS: how many pods its server lets onto one GPU."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class _Limit:
    """The most pods on one GPU; without an accelerator, on any that has no limit of its own."""

    accelerator: str | None
    pods: int
    unverified: tuple[str, ...]
    source: str
    as_of: str


def most_pods(accelerator: str) -> int:
    """The most pods that share one GPU by MPS: with more, the device plugin offers none of them."""
    limits = {each.accelerator: each.pods for each in records(_Limit, "kubernetes/mps_limits")}
    return limits.get(accelerator, limits[None])
