"""Bought servers against the machines of a cloud with as many of the same accelerators."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.commitments import commitment
from penstock.catalog.own_servers import OwnServer, own_server
from penstock.catalog.sizing_assumptions import assumed
from penstock.cost.bill import HOURS_A_MONTH
from penstock.sizing.cost import HOURS_A_YEAR
from penstock.sizing.memory import GB
from penstock.sizing.on_premises import RAILS, OwnSite, OwnStorage, break_even, own_site
from penstock.sizing.ranking import Choice, Ranking
from penstock.sizing.training import TrainingPlan

YEARS = 3
"""The years that are summed up: the longest term that clouds sell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnComparison:
    """A site that does the work of a choice, with the same accelerators and the same storage. Money in USD.

    Attributes:
        site: what is bought and run.
        server: each of its servers.
        storage: what its storage holds and takes, as that of the cloud.
        against: the choice of a cloud.
        hourly_usd: what a machine of it costs for an hour, on demand.
        storage_month_usd: what the cloud's storage costs a month; None where that is not known.
        on_demand: the part of all hours from which servers of one's own cost less; above 1 they never do.
        reserved: the same against three years of reservation; None where that is not sold.
        own_usd: three years of the site, all that is bought included.
        on_demand_usd: three years of the cloud, all hours on demand.
        reserved_usd: the same, reserved for three years; None where that is not sold.
    """

    site: OwnSite
    server: OwnServer
    storage: OwnStorage
    against: Choice
    hourly_usd: float
    storage_month_usd: float | None
    on_demand: float
    reserved: float | None
    own_usd: float
    on_demand_usd: float
    reserved_usd: float | None


def own_comparison(ranking: Ranking) -> OwnComparison | None:
    """Servers with the accelerators of the recommended choice, or of the cheapest that can be bought; None without."""
    recommended = [ranking.recommended] if ranking.recommended is not None else []
    for cloud in (*recommended, *ranking.choices):
        server = own_server(cloud.hardware.chip.accelerator)
        price = cloud.offer.price
        if server is not None and price is not None and cloud.hardware.each == RAILS:
            return _compared(cloud, server, price.usd)
    return None


def _compared(cloud: Choice, server: OwnServer, hourly: float) -> OwnComparison:
    storage = _storage_of(cloud)
    site = own_site(server, cloud.plan.nodes, storage)
    month = cloud.storage.month_usd if cloud.storage is not None else 0.0
    stored = (month or 0.0) * HOURS_A_YEAR / HOURS_A_MONTH
    discounted = commitment(cloud.cloud, cloud.hardware.machine_type, f"{YEARS}y")
    committed = hourly * (1 - discounted.discount) if discounted is not None else None

    def years_usd(hour: float) -> float:
        return YEARS * (site.nodes * HOURS_A_YEAR * hour + stored)

    return OwnComparison(
        site=site,
        server=server,
        storage=storage,
        against=cloud,
        hourly_usd=hourly,
        storage_month_usd=month,
        on_demand=break_even(site, hourly, stored),
        reserved=break_even(site, committed, stored) if committed is not None else None,
        own_usd=site.years_usd(YEARS),
        on_demand_usd=years_usd(hourly),
        reserved_usd=years_usd(committed) if committed is not None else None,
    )


def _storage_of(cloud: Choice) -> OwnStorage:
    """The capacity and the bandwidth of what the cloud's side buys: its bucket, and Lustre in front of it."""
    plan = cloud.plan
    if not isinstance(plan, TrainingPlan):
        return OwnStorage(capacity=0.0, bandwidth=0.0)
    demand, bought = plan.demand, cloud.storage
    lustre = bought.lustre_tib * 1000 * GB if bought is not None else 0.0
    kept = demand.dataset + assumed("kept_checkpoints") * demand.checkpoint
    return OwnStorage(capacity=kept + lustre, bandwidth=demand.bandwidth)
