"""Rules on cost: where metrics and prices come from."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.addons.cost.block import CostSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

_PRICE = ("addons", "cost", "accelerator_hour_usd")


@rule("SPEC-170", reads=("addons",))
def cost_has_metrics(spec: Spec) -> Iterator[Problem]:
    """Cost is reckoned from the metrics of observability."""
    if spec.addons.has("cost") and not spec.addons.has("observability"):
        message = "cost reads the metrics of observability, which is not enabled."
        yield Problem(("addons", "cost"), message, "Add observability: {} to addons.")


@rule("SPEC-171", reads=("addons", "cloud", "node_pools"))
def price_is_given_where_no_cloud_has_one(spec: Spec) -> Iterator[Problem]:
    """The price of an accelerator is given where no cloud sells it, and there alone."""
    cost = spec.addons.get(CostSpec)
    if cost is None:
        return
    given = cost.accelerator_hour_usd is not None
    if given and not _exists(spec):
        message = "The cloud has a price for every machine, and accelerator_hour_usd would be another."
        yield Problem(_PRICE, message, "Leave accelerator_hour_usd out.")
    accelerated = any(pool.accelerator is not None for pool in spec.node_pools)
    if not given and _exists(spec) and accelerated:
        message = "No cloud sells the accelerators of this cluster, and their cost would be nothing."
        hint = "Set accelerator_hour_usd to what one costs you for an hour, such as 2.5."
        yield Problem(("addons", "cost"), message, hint)


def _exists(spec: Spec) -> bool:
    return spec.cloud.provider == "kubernetes"
