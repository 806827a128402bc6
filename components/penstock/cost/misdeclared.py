"""Declared usage that cannot be: more machines than a pool may have, jobs of no pool, work that never ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING

from penstock.catalog.prices import HOURS_A_MONTH
from penstock.core.findings import Severity, UsageProblem
from penstock.core.wording import did_you_mean, inflect, listed, quoted
from penstock.cost.declared import BilledSite
from penstock.cost.machine_pools import nodes_of, spot_hours, spot_nodes, usage_of_pool
from penstock.cost.uncounted import uncounted
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View
from penstock.model.pools import MachinePool, machine_pools

if TYPE_CHECKING:
    from penstock.description.usage import JobUsage, PoolUsage


def called(pool: MachinePool) -> str:
    """Return the name of a pool: that of its component where it has one of its own."""
    owner = pool.view.site.graph.resources.get(pool.view.resource.parent)
    return owner.name if owner is not None and owner.type.endswith(":NodePool") else pool.name


def is_called(name: str, wanted: str) -> bool:
    """Return whether a declaration means a pool: by its name, or by the end of it."""
    return name == wanted or name.endswith((f"-{wanted}", f"/{wanted}"))


def misdeclared(site: BilledSite) -> Iterator[UsageProblem]:
    """Yield what a stack declares of resources that are not billed by it, and what its pools cannot hold."""
    yield from uncounted(site)
    if site.usage is None or not (site.usage.pools or site.usage.jobs):
        return
    views = [View(resource, site) for resource in site.graph if resource.custom and not resource.external]
    pools = [pool for view in views for pool in machine_pools(view)]
    for key, usage in site.usage.pools.items():
        yield from _of_pool(key, usage, [pool for pool in pools if usage_of_pool(pool) is usage])
    for key, job in site.usage.jobs.items():
        yield from _of_job(key, job, pools)


def _of_pool(key: str, usage: PoolUsage, pools: Sequence[MachinePool]) -> Iterator[UsageProblem]:
    most = _most(pools)
    if usage.nodes is not None and usage.nodes.high > most:
        yield _too_many(("pools", key, "nodes"), key, usage.nodes.high, most)
    path = ("pools", key, "interruptions_per_week")
    hours = max((_spot_hours(pool, usage) for pool in pools), default=0.0)
    if not isfinite(hours):
        yield UsageProblem(
            "USAGE-004",
            Severity.ERROR,
            path,
            f"{usage.interruptions_per_week:g} interruptions of each machine in a week lose all its time: the work "
            "never ends, and what it costs is not known.",
            "Fewer machines, faster checkpoints and restarts, or on-demand machines.",
        )
    elif hours > HOURS_A_MONTH:
        yield UsageProblem(
            "USAGE-005",
            Severity.WARNING,
            path,
            f"With what interruptions lose, {usage.hours:g} hours of work take {hours:,.0f} hours; a month has "
            f"{HOURS_A_MONTH}.",
            "The bill has all these hours. Declare fewer hours, or more machines.",
        )


def _of_job(key: str, job: JobUsage, pools: Sequence[MachinePool]) -> Iterator[UsageProblem]:
    names = sorted({called(pool) for pool in pools})
    meant = [pool for pool in pools if is_called(called(pool), job.pool)]
    if not meant:
        known = f"Pools: {listed(names)}." if names else "The program has no pool."
        ends = {name.replace("/", "-").rpartition("-")[2]: name for name in names}
        hint = did_you_mean(job.pool, names) or did_you_mean(job.pool, list(ends))
        message = f"{quoted(job.pool)} is no node pool of the program, so that what the job costs is not known."
        yield UsageProblem("USAGE-003", Severity.ERROR, ("jobs", key, "pool"), message, f"{hint} {known}".strip())
        return
    most = _most(meant)
    if job.nodes > most:
        yield _too_many(("jobs", key, "nodes"), job.pool, job.nodes, most)


def _too_many(path: tuple[str, ...], pool: str, nodes: float, most: float) -> UsageProblem:
    machines = f"{most:,g} {inflect(most, 'machine', 'machines')}"
    return UsageProblem(
        "USAGE-002",
        Severity.ERROR,
        path,
        f"{nodes:,g} nodes are declared; the pool {quoted(pool)} has at most {machines}.",
        f"Declare at most {most:,g}, or let the pool grow.",
    )


def _most(pools: Sequence[MachinePool]) -> float:
    """The most machines of all pools together; inf where one of them may grow without a known limit."""
    try:
        return sum(inf if pool.provisioner else pool.most() for pool in pools) if pools else inf
    except (NotKnown, TypeMismatch):
        return inf


def _spot_hours(pool: MachinePool, usage: PoolUsage) -> float:
    """The hours that the spot machines of a pool run for the declared work; 0 where it has none."""
    try:
        nodes = spot_nodes(usage, nodes_of(pool)) if usage.shares is not None or "spot" in pool.ways() else None
    except (NotKnown, TypeMismatch):
        return 0.0
    return spot_hours(usage, nodes) if nodes is not None and nodes.high else 0.0
