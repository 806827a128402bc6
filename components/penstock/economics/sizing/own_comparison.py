"""Servers of one's own against the cheapest machine of a cloud that has as many of the same accelerators."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.commitments import commitment
from penstock.catalog.sizing_assumptions import assumed
from penstock.economics.sizing.on_premises import RAILS, OwnSite, break_even, own_site
from penstock.economics.sizing.ranking import Choice, Ranking
from penstock.economics.sizing.training import TrainingPlan

_ACCELERATOR = "h100"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnComparison:
    """A site that does the work of a choice.

    Attributes:
        site: what is bought and run.
        against: the choice of a cloud.
        hourly_usd: what a machine of it costs for an hour, on demand.
        on_demand: the part of all hours from which servers of one's own cost less; above 1 they never do.
        reserved: the same against three years of reservation; None where that is not sold.
    """

    site: OwnSite
    against: Choice
    hourly_usd: float
    on_demand: float
    reserved: float | None


def own_comparison(ranking: Ranking) -> OwnComparison | None:
    """Servers with eight H100 against the cheapest such machine; None where none does the work for a known price."""
    machines = (each for each in ranking.choices if each.hardware.each == RAILS)
    cloud = next((each for each in machines if each.hardware.chip.accelerator == _ACCELERATOR), None)
    if cloud is None or cloud.offer.price is None:
        return None
    kept = 0.0
    if isinstance(cloud.plan, TrainingPlan):
        kept = cloud.plan.demand.dataset + assumed("kept_checkpoints") * cloud.plan.demand.checkpoint
    site, hourly = own_site(cloud.plan.nodes, kept), cloud.offer.price.usd
    discounted = commitment(cloud.cloud, cloud.hardware.machine_type, "3y")
    return OwnComparison(
        site=site,
        against=cloud,
        hourly_usd=hourly,
        on_demand=break_even(site, hourly),
        reserved=break_even(site, hourly * (1 - discounted.discount)) if discounted is not None else None,
    )
