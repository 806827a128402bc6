"""Quotas to ask for before machines can start."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.quotas import Quota, quota
from penstock.core.errors import UnknownFact
from penstock.sizing.ranking import Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaRequest:
    """A quota and how much of it the machines of a choice take; `quota` is None where it is not known."""

    way: str
    quota: Quota | None
    amount: int
    unit: str


def quota_requests(choice: Choice, ways: tuple[str, ...]) -> tuple[QuotaRequest, ...]:
    """The quotas of a choice, by each way that its machines may be bought."""
    return tuple(_request(choice, way) for way in ways)


def _request(choice: Choice, way: str) -> QuotaRequest:
    machine = choice.hardware.machine
    try:
        found = quota(machine.quota, way, choice.cloud)
    except UnknownFact:
        found = None
    by_cores = found is not None and found.unit.lower() in ("vcpu", "vcpus", "cores")
    amount = choice.plan.nodes * (machine.vcpu if by_cores else machine.accelerators)
    return QuotaRequest(way=way, quota=found, amount=amount, unit=found.unit if found is not None else "accelerators")
