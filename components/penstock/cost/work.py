"""The cost of work: of an hour of one accelerator in each pool, and of the jobs that a stack declares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.catalog.prices import HOURS_A_MONTH
from penstock.cost.declared import BilledSite
from penstock.cost.machine_pools import nodes_of, running
from penstock.cost.misdeclared import called, is_called
from penstock.cost.total import Cost
from penstock.graph.graph import Graph
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View
from penstock.model.pools import MachinePool, machine_pools

if TYPE_CHECKING:
    from penstock.description.usage import JobUsage, Usage

_STORED = "GB-month"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRate:
    """The cost of the machines, their disks and their reservation of a pool, by the hour that they run.

    Rates are per hour of one machine and of one accelerator; of a pool that runs none, that of its machines alone.
    None where there is no price or no accelerator.
    `monthly_usd` is what they cost in a month, None where a part of it has no price; `accelerator_hours` is how many
    are bought with it.
    """

    pool: str
    machine_type: str
    machines: float
    accelerators: int
    monthly_usd: float | None
    accelerator_hours: float
    node_hour_usd: float | None
    accelerator_hour_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobCost:
    """The cost of a declared job: its machines, the storage that it keeps while it runs, and its egress.

    A part is None where it has no price. `usd` is the sum of those that have one, None where the machines have none.
    """

    job: str
    pool: str
    accelerator_hours: float
    machines_usd: float | None
    storage_usd: float | None
    egress_usd: float | None
    assumes: str = ""

    @property
    def usd(self) -> float | None:
        """The sum of the parts that have a price; None where the machines have none."""
        if self.machines_usd is None:
            return None
        return sum(part for part in (self.machines_usd, self.storage_usd, self.egress_usd) if part is not None)


def pool_rates(cost: Cost, graph: Graph, usage: Usage | None = None) -> tuple[PoolRate, ...]:
    """Return the rate of each pool of a Graph, the dearest first, those whose machines have no price after them."""
    site = BilledSite(graph, usage)
    rates = [
        rate
        for resource in graph
        if resource.custom and not resource.external
        for pool in machine_pools(View(resource, site))
        if (rate := _rate(pool, cost)) is not None
    ]
    return tuple(sorted(rates, key=lambda rate: -(rate.monthly_usd or 0)))


def job_costs(cost: Cost, graph: Graph, usage: Usage | None) -> tuple[JobCost, ...]:
    """Return the cost of each job that a stack declares."""
    if usage is None:
        return ()
    rates = pool_rates(cost, graph, usage)
    return tuple(_job(name, job, rates, cost) for name, job in usage.jobs.items())


def _rate(pool: MachinePool, cost: Cost) -> PoolRate | None:
    """The rate of a pool; None where it is not known which machines it runs, or nobody pays for them here."""
    try:
        types, accelerators = pool.machine_types(), pool.accelerators()
        nodes, months = nodes_of(pool).expected, running(pool)
    except NotKnown:
        return None
    urns = _urns(pool)
    lines = [line for line in cost.lines if line.urn in urns]
    if pool.provisioner or not types or months is None:
        return None
    named = types[0].name
    unknown = any(each.urn in urns and f" {named}" in each.why for each in cost.unpriced)
    if not lines and not unknown:
        return None
    monthly = sum(line.monthly_usd for line in lines if _is_of(line.what, pool))
    idle = next((line.unit_usd for line in lines if named in line.what and line.unit_usd), None)
    hours = months.expected * HOURS_A_MONTH * _within_most(pool, nodes)
    accelerator_hours = hours * accelerators
    hour = monthly / hours if hours else idle
    if unknown:
        hour = None
    return PoolRate(
        pool=called(pool),
        machine_type=named,
        machines=nodes,
        accelerators=accelerators,
        monthly_usd=None if unknown else round(monthly, 2),
        accelerator_hours=accelerator_hours,
        node_hour_usd=hour,
        accelerator_hour_usd=hour / accelerators if hour is not None and accelerators else None,
    )


def _within_most(pool: MachinePool, nodes: float) -> float:
    """The part of the declared nodes that a pool can have: a reservation that holds them is paid for no more."""
    try:
        most = pool.most()
    except NotKnown:
        return 1.0
    return min(1.0, most / nodes) if nodes else 1.0


def _urns(pool: MachinePool) -> set[str]:
    """The pool's own resource, and what stands beside it in its component: a reservation of its machines."""
    graph, resource = pool.view.site.graph, pool.view.resource
    owner = graph.resources.get(resource.parent)
    if owner is None or not owner.type.endswith(":NodePool"):
        return {resource.urn}
    return {resource.urn, *(each.urn for each in graph.children(owner.urn))}


def _is_of(what: str, pool: MachinePool) -> bool:
    """Whether a line of a resource is about its machines: a cluster has also its control plane."""
    return "control plane" not in what and "volumes of pods" not in what and what != "snapshots" and bool(pool.name)


def _job(name: str, job: JobUsage, rates: tuple[PoolRate, ...], cost: Cost) -> JobCost:
    rate = next((each for each in rates if is_called(each.pool, job.pool)), None)
    hour = rate.node_hour_usd if rate is not None else None
    months = job.hours / HOURS_A_MONTH
    egress = _unit(cost, "traffic to the internet")
    stored = [(gb, _stored(cost, storage)) for storage, gb in job.storage.items()]
    unknown = any(price is None for _, price in stored)
    return JobCost(
        job=name,
        pool=rate.pool if rate is not None else job.pool,
        accelerator_hours=job.nodes * job.hours * (rate.accelerators if rate is not None else 0),
        machines_usd=round(hour * job.nodes * job.hours, 2) if hour is not None else None,
        storage_usd=None if unknown else round(sum(gb * (price or 0) * months for gb, price in stored), 2),
        egress_usd=round(job.egress_gb * egress, 2) if egress is not None else (0.0 if not job.egress_gb else None),
        assumes=f"{job.nodes} × {rate.machine_type} for {job.hours:g} h"
        if rate is not None
        else "machines that nobody knows",
    )


def _unit(cost: Cost, what: str) -> float | None:
    """The price of a unit of what is declared, or named as unpriced."""
    priced = (line.unit_usd for line in cost.lines if line.what.startswith(what))
    named = (each.unit_usd for each in cost.unpriced if each.why.startswith(what))
    return next((usd for usd in (*priced, *named) if usd is not None), None)


def _stored(cost: Cost, storage: str) -> float | None:
    """The price of a GB-month of a declared storage."""
    names = (f"::{storage}", f"-{storage}")
    for line in cost.lines:
        if line.urn.endswith(names) and line.unit in (_STORED, "GiB-month"):
            return line.unit_usd
    return next(
        (
            line.unit_usd
            for line in cost.lines
            if line.assumes == f"penstock:usage.storage.{storage}" and line.unit in (_STORED, "GiB-month")
        ),
        None,
    )
